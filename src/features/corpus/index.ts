import type { Feature } from "../../kernel/feature.ts";
import { purgeDroppedTexts } from "./purge.ts";

export {
  type DeferredValue,
  deferFork,
  deferValue,
  dropDeferred,
  dropDeferredSession,
  findFeedMark,
  findFork,
  forkSome,
  isDeferredUpTo,
  listDeferred,
  setFeedMark,
} from "./deferred.ts";
export { purgeDroppedTexts, requestPurge } from "./purge.ts";
export { familyToken, projectToken } from "./scope.ts";
export {
  type DocumentRef,
  dropAllDocuments,
  dropDocument,
  dropProjectDocuments,
  dropSomeSessionDocuments,
  type Family,
  findIndexVersion,
  putDocument,
  putDocuments,
  type SearchDocument,
  setIndexVersion,
} from "./store.ts";
export { indexVersion, isLoneCharacter, runsOf, wordsOf, wordsOfRun } from "./words.ts";

export const corpus: Feature = {
  name: "corpus",
  sweeps: [{ name: "dropped texts", pace: "sweeper", run: purgeDroppedTexts }],
};
