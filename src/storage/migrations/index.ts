// The migrations, in version order, listed by hand. A released file is never edited.
import firstStore from "./0001-first-store.sql" with { type: "text" };
import notifications from "./0002-notifications.sql" with { type: "text" };
import search from "./0003-search.sql" with { type: "text" };
import knowledge from "./0004-knowledge.sql" with { type: "text" };
import enrolment from "./0005-enrolment.sql" with { type: "text" };
import artifacts from "./0006-artifacts.sql" with { type: "text" };
import blobNumbers from "./0007-blob-numbers.sql" with { type: "text" };

export type Migration = { version: number; name: string; sql: string };

export const migrations: readonly Migration[] = [
  { version: 1, name: "first-store", sql: firstStore },
  { version: 2, name: "notifications", sql: notifications },
  { version: 3, name: "search", sql: search },
  { version: 4, name: "knowledge", sql: knowledge },
  { version: 5, name: "enrolment", sql: enrolment },
  { version: 6, name: "artifacts", sql: artifacts },
  { version: 7, name: "blob-numbers", sql: blobNumbers },
];
