// Dates and times as pages write them: real ones only (knowledge-base.md 4.2, 5.2).

const timestampForm = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/** A real calendar date, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return year !== "" && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** Milliseconds of a real RFC 3339 timestamp with `Z` or a numeric offset; undefined for anything else. */
export function timestampMs(text: string): number | undefined {
  const [, date = "", hours = "", minutes = "", seconds = "", offsetHours = "0", offsetMinutes = "0"] =
    timestampForm.exec(text) ?? [];
  const isTime = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  const isOffset = Number(offsetHours) < 24 && Number(offsetMinutes) < 60;
  if (!isDate(date) || !isTime || !isOffset) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The date of a date or a timestamp, as `YYYY-MM-DD`; null for anything else, which is never stale. */
export function staleDate(text: string | null): string | null {
  if (text === null) return null;
  if (isDate(text)) return text;
  const date = text.slice(0, 10);
  return isDate(date) && /^[Tt ]\d/.test(text.slice(10)) ? date : null;
}
