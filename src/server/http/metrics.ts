// Prometheus text of what the hub counted and of what the store weighs now (operations.md 13).
import type { Metrics, Sample } from "../../kernel/metrics.ts";
import { measureStore } from "../../storage/usage.ts";
import type { Hub } from "../hub.ts";

const contentType = "text/plain; version=0.0.4; charset=utf-8";

type Family = { name: string; type: "counter" | "gauge"; help: string; samples: readonly Sample[] };

export function metricsPage(hub: Hub): Response {
  return new Response(familiesOf(hub).map(written).join(""), {
    headers: { "content-type": contentType, "cache-control": "no-store" },
  });
}

function familiesOf(hub: Hub): Family[] {
  const { metrics, db, dataDir } = hub.kernel.services;
  const store = measureStore(dataDir, db);
  return [
    counter("http_requests_total", "HTTP requests answered", metrics.requests.samples()),
    counter("errors_total", "Errors answered over REST and by tools", metrics.errors.samples()),
    counter("events_total", "Events appended", metrics.events.samples()),
    counter("tool_calls_total", "Tool calls", metrics.calls.samples()),
    counter("notify_sends_total", "Nudges sent to the notify target", metrics.sends.samples()),
    counter("blobs_collected_total", "Unreferenced blobs collected", [plain(metrics.blobsCollected.count)]),
    ...integrityOf(metrics),
    ...(store.freeBytes === null
      ? []
      : [gauge("data_volume_free_bytes", "Bytes free on the volume of the data directory", store.freeBytes)]),
    gauge("hub_db_bytes", "Size of hub.db", store.databaseBytes),
    gauge("hub_wal_bytes", "Size of the write-ahead log of hub.db", store.logBytes),
    gauge("blob_bytes", "Bytes of all blobs, each once", store.blobBytes),
    gauge("blobs", "Number of blobs", store.blobs),
  ];
}

// Nothing is known before the first sample.
function integrityOf({ integrity }: Metrics): Family[] {
  if (integrity.isOk === null) return [];
  return [
    gauge("integrity_ok", "1 when the newest integrity sample passed", integrity.isOk ? 1 : 0),
    counter("integrity_failures_total", "Integrity samples that failed", [plain(integrity.failures)]),
  ];
}

const plain = (value: number): Sample => ({ labels: {}, value });

function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name: `agenthub_${name}`, type: "counter", help, samples };
}

function gauge(name: string, help: string, value: number): Family {
  return { name: `agenthub_${name}`, type: "gauge", help, samples: [plain(value)] };
}

function written({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** A label value as the text format wants it. */
export function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
