// What the operator sees of the hub itself (rest-api.md 20).

import { operatorOnly } from "../features/projects/index.ts";
import { timestamp } from "../kernel/clock.ts";
import { noInput } from "../kernel/fields.ts";
import { readOperation } from "../kernel/operation.ts";
import { type Route, route } from "../kernel/route.ts";
import { commit, version } from "../shared/build.ts";
import {
  artifactBytes,
  brainValueBytes,
  commentChars,
  decisionNoteChars,
  handoffChars,
  pageBytes,
  restBodyBytes,
} from "../shared/limits.ts";
import { webFiles } from "./http/web-files.ts";

const limits = {
  body_bytes: restBodyBytes,
  artifact_bytes: artifactBytes,
  page_bytes: pageBytes,
  brain_value_bytes: brainValueBytes,
  note_chars: decisionNoteChars,
  comment_chars: commentChars,
  handoff_chars: handoffChars,
};

const orNull = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

/** @param hub what only the process knows of itself; the time is in milliseconds */
export function hubRoute(hub: { startedAt: number; schemaVersion: number }): Route {
  const readHub = readOperation({ name: "readHub", input: noInput, access: operatorOnly, run: () => hub });
  return route("getHub", {
    operation: readHub,
    present: ({ startedAt, schemaVersion }, { config, dataDir, metrics, origin }) => ({
      version,
      commit: commit === "unknown" ? null : commit,
      build: webFiles().build,
      node: { host: config.nodeName, mode: "local" },
      started_at: timestamp(startedAt),
      public_url: config.publicUrl,
      mcp_url: `${origin}/mcp`,
      data_path: dataDir.path,
      schema_version: schemaVersion,
      features: { enrol: config.enrol, notify: config.notifyUrl !== null, backups: config.backupDir !== null },
      limits,
      enrol_ttl_secs: config.enrolPendingTtlSecs,
      notify: {
        origin: config.notifyUrl === null ? null : (URL.parse(config.notifyUrl)?.origin ?? null),
        last_result: metrics.lastSend.result,
        last_at: orNull(metrics.lastSend.at),
      },
      refused_calls: { count: metrics.refusedCalls.count, last_at: orNull(metrics.refusedCalls.lastAt) },
    }),
  });
}
