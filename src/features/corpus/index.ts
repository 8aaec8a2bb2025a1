import type { Feature } from "../../kernel/feature.ts";
import { purgeDroppedTexts } from "./purge.ts";

export { purgeDroppedTexts, requestPurge } from "./purge.ts";
export { familyToken, projectToken } from "./scope.ts";
export {
  copySessionDocuments,
  type DocumentRef,
  dropAllDocuments,
  dropDocument,
  dropProjectDocuments,
  dropSomeSessionDocuments,
  type Family,
  findIndexVersion,
  putDocument,
  type SearchDocument,
  setIndexVersion,
} from "./store.ts";
export { indexVersion, isLoneCharacter, runsOf, wordsOf, wordsOfRun } from "./words.ts";

export const corpus: Feature = {
  name: "corpus",
  sweeps: [{ name: "dropped texts", pace: "sweeper", run: purgeDroppedTexts }],
};
