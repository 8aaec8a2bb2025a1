// Every cap of the product, with the reason for its size. The contract is mcp-tools.md 20 and operations.md 17.

/** Largest REST body: far above any note or page a person sends, far below what would hurt (rest-api.md 0.5). */
export const restBodyBytes = 4_194_304;
/** Largest /mcp body: a 50 MiB artifact, an eighth for JSON escaping, 4 MiB for the rest of the call (mcp-tools.md 1). */
export const mcpBodyBytes = 63_176_704;

/** One line that lists show; long enough for a sentence or two in any script. */
export const summaryChars = 1024;
/** Detail of an event: a log excerpt or a diff, not a document; documents are artifacts. */
export const payloadBytes = 262_144;
export const idempotencyKeyChars = 255;
/** Nesting of a JSON detail: some clients' readers stop at 128 levels, and the answer around it takes some of them. */
export const jsonLevelsMax = 100;

/** Values in the JSON of one body: more than fit into the largest detail, so few that reading them holds nobody up. */
export const jsonValuesMax = 262_144;

/** Feed and inbox pages: a screenful by default, a cap that keeps an answer under a few hundred KiB. */
export const pageDefault = 50;
export const pageMax = 500;

/** What clients may ask a wait for; many give up at 60 s, so the hub answers by 55 (mcp-tools.md 17.10). */
export const waitSecondsDefault = 30;
export const waitSecondsMax = 60;
/** A second short of that, for a busy moment and the way back. */
export const waitMsLongest = 54_000;

/** One trailer stays readable; the rest comes with the next call (mcp-tools.md 5). */
export const trailerAttentionMax = 500;
export const trailerEventsMax = 50;
/** More standing interests than this are a mistake, and each is looked at on a drain (mcp-tools.md 17.11). */
export const subscriptionsMax = 100;

/** From a minute (a human cannot answer faster) to 30 days (beyond that a question is a plan). */
export const deadlineSecondsMin = 60;
export const deadlineSecondsMax = 2_592_000;

/** The operator sets an item aside for 30 days at most, as long as any deadline (rest-api.md 6). */
export const snoozeMsMax = 30 * 24 * 3600 * 1000;

/** A page of hits, and how much of each is shown (mcp-tools.md 17.33). */
export const searchHitsDefault = 50;
export const searchHitsMax = 100;
export const searchSnippetChars = 200;
/** Of a session brain's value this much is indexed: enough for any text somebody wrote, not for a dump. */
export const indexedBrainBytes = 1_048_576;

/** Suggested answers must fit on one phone screen as buttons. */
export const optionsMin = 2;
export const optionsMax = 6;
export const optionChars = 80;

/** Why an agent asks to join: one line, under 200 (rest-api.md 10). */
export const enrolNoteChars = 199;
export const decisionNoteChars = 2000;
export const handoffChars = 4096;
export const nameChars = 200;
export const sessionListDefault = 50;
export const sessionListMax = 200;
/** The start of a note is enough to choose by; session_start returns it whole (mcp-tools.md 17.3). */
export const listedHandoffChars = 200;
/** One level of a brain over REST (rest-api.md 8). */
export const brainLevelMax = 500;
/** Long enough to see a slip, short enough to free the name again (rest-api.md 14). */
export const undoWindowMs = 30_000;
export const agentIdChars = 200;

/** A brief is read at every start, so it points instead of telling: what matters first, the rest counted (mcp-tools.md 17.4). */
export const briefTextChars = 200;
export const briefAnswersMax = 10;
export const briefEventsMax = 20;
export const briefEventsRanked = 200;
export const briefStalePagesMax = 10;
export const briefCountMax = 10_000;

/** One version of an artifact; what is larger belongs in a repository or on a file share (operations.md 17). */
export const artifactBytes = 52_428_800;
/** A title is a line people choose by, a description a paragraph, a label a word or two in a picker (artifacts.md 1). */
export const artifactTitleChars = 500;
export const artifactDescriptionChars = 2000;
export const artifactLabelBytes = 60;
/** Of an artifact's text this much is indexed: five thousand words, which holds up other calls for milliseconds (mcp-tools.md 16). */
export const indexedArtifactChars = 32_768;
/** How a version was encrypted: twenty times what any client writes. */
export const envelopeBytes = 4096;
/** The opening words that listings show (rest-api.md 11). */
export const excerptChars = 240;
/** Of a markdown document this much is laid out: a thick book. The rest is shown as it was written. */
export const markdownLaidOutChars = 4_194_304;
/** One brain value; larger things are artifacts. */
export const brainValueBytes = 4_194_304;
export const brainPathBytes = 1024;
/** A brain over the soft size earns a warning, a write past the hard size is refused (mcp-tools.md 14). */
export const storeSoftBytes = 268_435_456;
export const storeHardBytes = 1_073_741_824;
/** One page; larger texts are artifacts. */
export const pageBytes = 1_048_576;
export const pagePathBytes = 512;
/** Links of one page that are followed: far more than a page people wrote has, so that none takes seconds to store. */
export const pageLinksMax = 10_000;
/** Tags of one page that listings show. */
export const listedTagsMax = 100;
/** One level of a knowledge base over REST (rest-api.md 13). */
export const pageLevelMax = 500;
/** History rows a request (mcp-tools.md 17.31). */
export const historyDefault = 50;
export const historyMax = 200;
export const commentChars = 2000;
/** A quote of a comment is as long as its text may be. */
export const commentQuoteChars = 2000;
export const commentAnchorBytes = 2048;
/** A `/kv/` value up to this lives in its row: a file would cost twice the row (facts of blob stores, architecture.md 5). */
export const inlineBlobBytes = 8192;

/** Bytes that lost their last reference stay this long, for writers that are about to name them again (operations.md 1.3). */
export const blobGraceMs = 600_000;
export const blobScanMs = 24 * 3600 * 1000;
/** The wall clock an integrity sample may take before it is given up (operations.md 12). */
export const integritySampleMsMax = 30_000;
/** A copy from before a migration can be put back for this long and finds every blob (operations.md 4). */
export const rollbackWindowMs = 24 * 3600 * 1000;

/** An MCP connection idle this long is removed (mcp-tools.md 1). */
export const connectionIdleMs = 7 * 24 * 3600 * 1000;
/** `tools/list` stays below this, since some clients pay for every byte of it in every turn (mcp-tools.md 2). */
export const toolListBytes = 24_576;
/** Resources a page of `resources/list`, as with other MCP servers (mcp-tools.md 18.2). */
export const resourcePageMax = 100;
/** `instructions` are shown to the model (mcp-tools.md 2). */
export const instructionsBytes = 1024;
/** Free space below this makes the hub not ready (operations.md 9). */
export const freeSpaceMarginBytes = 67_108_864;

/** Longest delay a timer of the runtime keeps: a longer one fires at once. */
export const timerMsMax = 2_147_483_647;
/** Pages of `tools/list` a client follows: ten times what any hub needs, so a cursor that never ends does. */
export const toolListPagesMax = 100;
/** Connect, send and read of the readiness probe, each: a container's health check waits no longer. */
export const probePhaseMs = 5000;
/** Body of a failed readiness probe that is repeated on stderr: one line. */
export const probeBodyChars = 500;
/** A value repeated in a message about a setting: enough to recognise it by, and the message stays one line. */
export const quotedChars = 200;
