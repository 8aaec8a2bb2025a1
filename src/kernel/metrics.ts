// What the hub counts of itself since it started (operations.md 13). Counting is one addition to a number that is there
// already: label sets are closed, so nothing is made or looked up by what a caller sends.
import { type ErrorCode, errorCodes } from "../shared/errors.ts";

export type Sample = { labels: Readonly<Record<string, string>>; value: number };

/** A counter by the values of one label, all of them there from the start. */
export type Counter<L extends string> = {
  /** A value outside the set counts as the set's last one. */
  add(value: L): void;
  samples(): Sample[];
};

export function createCounter<L extends string>(label: string, values: readonly L[]): Counter<L> {
  const places = new Map<string, number>(values.map((value, place) => [value, place]));
  const counts = new Float64Array(values.length);
  const last = values.length - 1;
  return {
    add(value) {
      const place = places.get(value) ?? last;
      counts[place] = (counts[place] ?? 0) + 1;
    },
    samples: () => values.map((value, place) => ({ labels: { [label]: value }, value: counts[place] ?? 0 })),
  };
}

/** How often something happened, and when last, in milliseconds. */
export type Tally = { count: number; lastAt: number | null };

export type SendResult = "delivered" | "failed";

export type Metrics = {
  /** By method, then by the first digit of the status. */
  readonly requests: Readonly<{ add(method: string, status: number): void; samples(): Sample[] }>;
  readonly errors: Counter<ErrorCode>;
  readonly events: Counter<string>;
  readonly calls: Counter<string>;
  readonly sends: Counter<SendResult>;
  readonly blobsCollected: Tally;
  /** Calls refused with 401 on /mcp. */
  readonly refusedCalls: Tally;
  lastSend: { result: SendResult | null; at: number | null };
  /** Of the stored data; null until the first sample. */
  integrity: { isOk: boolean | null; failures: number };
};

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "OTHER"] as const;
const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

function createRequestCounter(): Metrics["requests"] {
  const places = new Map<string, number>(methods.map((method, place) => [method, place]));
  const counts = new Float64Array(methods.length * statusClasses.length);
  return {
    add(method, status) {
      const row = places.get(method) ?? methods.length - 1;
      const place = row * statusClasses.length + Math.min(Math.max(Math.floor(status / 100), 1), 5) - 1;
      counts[place] = (counts[place] ?? 0) + 1;
    },
    samples: () =>
      methods.flatMap((method, row) =>
        statusClasses.map((status_class, column) => ({
          labels: { method, status_class },
          value: counts[row * statusClasses.length + column] ?? 0,
        })),
      ),
  };
}

const namesMax = 256;
export const unknownName = "<unknown>";
const otherName = "<other>";

/** Names of a closed set, what is not among them as one, and what no longer fits as another. */
function nameLabels(names: readonly string[]): string[] {
  // The value for the rest comes last, since a counter puts there what it does not know.
  return [unknownName, ...names.slice(0, namesMax - 2), ...(names.length > namesMax - 2 ? [otherName] : [])];
}

/** @param names what is counted by name: kinds of events, and tools that are offered */
export function createMetrics(names: { events: readonly string[]; tools: readonly string[] }): Metrics {
  return {
    requests: createRequestCounter(),
    errors: createCounter("code", errorCodes),
    events: createCounter("kind", names.events),
    calls: createCounter("tool", nameLabels(names.tools)),
    sends: createCounter("result", ["delivered", "failed"]),
    blobsCollected: { count: 0, lastAt: null },
    refusedCalls: { count: 0, lastAt: null },
    lastSend: { result: null, at: null },
    integrity: { isOk: null, failures: 0 },
  };
}
