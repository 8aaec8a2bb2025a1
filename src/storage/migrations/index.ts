// The migrations, in version order, listed by hand. A released file is never edited.
import firstStore from "./0001-first-store.sql" with { type: "text" };
import notifications from "./0002-notifications.sql" with { type: "text" };

export type Migration = { version: number; name: string; sql: string };

export const migrations: readonly Migration[] = [
  { version: 1, name: "first-store", sql: firstStore },
  { version: 2, name: "notifications", sql: notifications },
];
