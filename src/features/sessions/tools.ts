import { type Tool, tool } from "../../kernel/tool.ts";
import { getBrain, putBrain } from "./brain.ts";
import { endSession, recoveryPath, startSession } from "./operations.ts";

export const sessionTools: readonly Tool[] = [
  tool({
    name: "session_start",
    description:
      "Open your session in a project under a name, or resume it: same name, same brain. Returns the handoff note left there and recovery_path. bound: true means later calls here may leave session out.",
    operation: startSession,
    core: true,
    present: ({ session, isResumed, isBound }) => ({
      session_id: session.id,
      project_id: session.projectId,
      agent: session.agent,
      session_name: session.name,
      status: session.status,
      resumed: isResumed,
      pickup: null,
      namespaces: { kv: "/kv", fs: "/fs" },
      recovery_path: recoveryPath,
      handoff: session.handoff,
      brain_bytes: session.brainBytes,
      bound: isBound,
    }),
  }),
  tool({
    name: "session_end",
    description: "End your session. Its brain stays; leave a handoff note for whoever takes over.",
    operation: endSession,
    core: true,
    present: () => ({ ok: true }),
  }),
  tool({
    name: "brain_get",
    description:
      "Read one value of a session's brain, your active session's or another named by session. Begin with recovery_path; not_found there is normal on a first start.",
    operation: getBrain,
    core: true,
    hints: { readOnlyHint: true },
    present: (value) => ({
      path: value.path,
      store: "session",
      content: value.content,
      version: value.version,
      size_bytes: value.sizeBytes,
    }),
  }),
  tool({
    name: "brain_put",
    description:
      "Write one value of your session's brain, up to 4 MiB: files under /fs/, keys under /kv/. Keep what you would need after a restart in /fs/RECOVERY.md. if_version guards against overwriting.",
    operation: putBrain,
    core: true,
    present: (written) => ({
      ok: true,
      path: written.path,
      store: "session",
      version: written.version,
      size_bytes: written.sizeBytes,
      lint: [],
      warnings: written.warnings,
    }),
  }),
];
