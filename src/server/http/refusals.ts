// Statuses with which a call may be refused beyond those every call of its form shares (rest-api.md 4 to 23).
import type { CallName, CallSpec } from "../../shared/api.ts";

const own: Partial<Record<CallName, readonly number[]>> = {
  createProject: [409],
  deleteProject: [409],
  createAgent: [409],
  issueToken: [409],
  askIn: [409, 429],
  admitAgent: [409],
  refuseAgent: [409],
  snoozeItem: [409],
  extendItem: [409],
  answerQuestion: [409],
  decideApproval: [409],
  listSessions: [404],
  reassignSession: [409],
  getBrainEntry: [422],
  pruneSession: [409],
  undoPrune: [409],
  takeBackup: [404, 409],
  testNudge: [404],
  putPage: [409],
  deletePage: [409],
  reviewPage: [409],
  revertPage: [409],
  promoteEntry: [409, 422],
};

/** Every status a call may be refused with, in order. */
export function refusalsOf(name: CallName, spec: CallSpec): number[] {
  const statuses = new Set([400, 403, 500, 503, ...(own[name] ?? [])]);
  if (spec.auth !== "none") statuses.add(401);
  // What an agent may not see is 403 to it and 404 to the operator.
  if (/[:*]/.test(spec.path)) statuses.add(404);
  if (spec.body !== "none") statuses.add(413).add(415);
  if (spec.body === "text") statuses.add(422);
  return [...statuses].sort((a, b) => a - b);
}
