// Times and countdowns as the app says them (web-app.md 3.7). "Now" is always passed in: it is the hub's, not the
// device's.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

// English copy takes English month names, whatever the device speaks; the zone is the device's.
const locale = "en-GB";
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
const longWeekday = new Intl.DateTimeFormat(locale, { weekday: "long" });
const dayMonth = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const dayMonthYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
const longDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
const longDayYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric" });
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const stamp = new Intl.DateTimeFormat(locale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});

/** On a row: `now`, `4 min`, `3 h`, `Tue`, `12 Mar`, `12 Mar 2025`. */
export function rowTime(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  const age = nowMs - atMs;
  if (age < minuteMs) return "now";
  if (age < hourMs) return `${Math.floor(age / minuteMs)} min`;
  if (age < dayMs) return `${Math.floor(age / hourMs)} h`;
  if (age < 7 * dayMs) return weekday.format(atMs);
  return isSameYear(atMs, nowMs) ? dayMonth.format(atMs) : dayMonthYear.format(atMs);
}

/** The same as a part of a sentence: `just now`, `4 min ago`, `3 h ago`, `5 d ago`. */
export function ago(at: string, nowMs: number): string {
  const age = nowMs - Date.parse(at);
  if (age < minuteMs) return "just now";
  if (age < hourMs) return `${Math.floor(age / minuteMs)} min ago`;
  if (age < dayMs) return `${Math.floor(age / hourMs)} h ago`;
  return `${Math.floor(age / dayMs)} d ago`;
}

/** Whole local stamp with its zone: title and accessible name of a time. */
export function fullStamp(at: string): string {
  return stamp.format(Date.parse(at));
}

/** What is left: above 48 h `5 d`, above 60 min `3 h 20`, above 5 min `14 min`, else `4:09`. */
export function countdown(leftMs: number): string {
  const left = Math.max(0, leftMs);
  if (left > 48 * hourMs) return `${Math.floor(left / dayMs)} d`;
  if (left > hourMs) {
    const minutes = Math.floor((left % hourMs) / minuteMs);
    return `${Math.floor(left / hourMs)} h${minutes === 0 ? "" : ` ${String(minutes).padStart(2, "0")}`}`;
  }
  if (left > 5 * minuteMs) return `${Math.floor(left / minuteMs)} min`;
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** `14:05`. */
export function clockTime(at: string | number): string {
  return clock.format(typeof at === "number" ? at : Date.parse(at));
}

/** When something comes: `17:00` today, `tomorrow 8:00`, `Monday 8:00`, `12 Mar 8:00`. */
export function whenComing(at: string | number, nowMs: number): string {
  const atMs = typeof at === "number" ? at : Date.parse(at);
  const time = clockTime(atMs);
  const days = Math.round((startOfDay(atMs) - startOfDay(nowMs)) / dayMs);
  if (days === 0) return time;
  if (days === 1) return `tomorrow ${time}`;
  if (days > 1 && days < 7) return `${longWeekday.format(atMs)} ${time}`;
  return `${isSameYear(atMs, nowMs) ? dayMonth.format(atMs) : dayMonthYear.format(atMs)} ${time}`;
}

/** A day over the rows of it: `Today`, `Yesterday`, `Tue 11 March`, `Tue 11 March 2025`. */
export function dayWords(atMs: number, nowMs: number): string {
  const days = Math.round((startOfDay(nowMs) - startOfDay(atMs)) / dayMs);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const date = (isSameYear(atMs, nowMs) ? longDay : longDayYear).format(atMs);
  return `${weekday.format(atMs)} ${date}`;
}

/** The times the snooze and extend menus offer, in hub time, local to the device. */
export function offeredTimes(nowMs: number): { hour: number; evening: number; tomorrow: number; monday: number } {
  return {
    hour: nowMs + hourMs,
    evening: at(nowMs, 0, 18),
    tomorrow: at(nowMs, 1, 8),
    monday: at(nowMs, (8 - new Date(nowMs).getDay()) % 7 || 7, 8),
  };
}

/** The value of a `datetime-local` field, in the device's zone. */
export function fieldTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

function at(nowMs: number, daysAhead: number, hour: number): number {
  const date = new Date(nowMs);
  date.setDate(date.getDate() + daysAhead);
  date.setHours(hour, 0, 0, 0);
  return date.getTime();
}

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

function isSameYear(one: number, other: number): boolean {
  return new Date(one).getFullYear() === new Date(other).getFullYear();
}
