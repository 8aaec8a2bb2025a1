// The forms of times, amounts and names (web-app.md 3.7).
import { expect, test } from "bun:test";
import { bytes, exactBytes } from "../../src/web/text/bytes.ts";
import { badgeCount, count, counted } from "../../src/web/text/count.ts";
import { actorName, initial, middleCut, projectName } from "../../src/web/text/names.ts";
import {
  ago,
  clockTime,
  countdown,
  fieldTime,
  fullStamp,
  offeredTimes,
  rowTime,
  whenComing,
} from "../../src/web/text/time.ts";

import { withTheirs } from "../../src/web/text/with-theirs.ts";

const now = new Date(2026, 2, 18, 14, 5, 0).getTime();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const back = (ms: number) => new Date(now - ms).toISOString();

test("a row says how long ago, then the day, then the date", () => {
  expect(rowTime(back(30_000), now)).toBe("now");
  // A device ahead of the hub does not write "-1 min".
  expect(rowTime(back(-90_000), now)).toBe("now");
  expect(rowTime(back(4 * minute), now)).toBe("4 min");
  expect(rowTime(back(3 * hour), now)).toBe("3 h");
  expect(rowTime(new Date(2026, 2, 17, 9).toISOString(), now)).toBe("Tue");
  expect(rowTime(new Date(2026, 2, 1).toISOString(), now)).toBe("1 Mar");
  expect(rowTime(new Date(2025, 2, 12).toISOString(), now)).toBe("12 Mar 2025");
  expect(fullStamp(new Date(2026, 2, 17, 9).toISOString())).toContain("17 Mar 2026, 09:00:00");
});

test("a sentence says it with 'ago'", () => {
  expect([30_000, 4 * minute, 3 * hour, 3 * day].map((ms) => ago(back(ms), now))).toEqual([
    "just now",
    "4 min ago",
    "3 h ago",
    "3 d ago",
  ]);
});

test("ITM-05: a countdown gets finer as it ends", () => {
  const shown = [3 * day, 90 * minute, 2 * hour, 14 * minute, 249_000, 61_000, 1, 0, -5000].map(countdown);
  expect(shown).toEqual(["3 d", "1 h 30", "2 h", "14 min", "4:09", "1:01", "0:01", "0:00", "0:00"]);
});

test("what comes is named by its day", () => {
  expect(clockTime(now)).toBe("14:05");
  expect(whenComing(now + hour, now)).toBe("15:05");
  expect(whenComing(now + day, now)).toBe("tomorrow 14:05");
  expect(whenComing(now + 3 * day, now)).toBe("Saturday 14:05");
  // Some countries set their clocks in between.
  expect(whenComing(new Date(2026, 3, 17, 14, 5).getTime(), now)).toBe("17 Apr 14:05");
});

test("the offered times are an hour, this evening, tomorrow morning and Monday morning", () => {
  const offered = offeredTimes(now);
  expect(offered.hour).toBe(now + hour);
  expect(offered.evening).toBe(new Date(2026, 2, 18, 18).getTime());
  expect(offered.tomorrow).toBe(new Date(2026, 2, 19, 8).getTime());
  expect(offered.monday).toBe(new Date(2026, 2, 23, 8).getTime());
  const onMonday = new Date(2026, 2, 16, 7).getTime();
  expect(offeredTimes(onMonday).monday).toBe(new Date(2026, 2, 23, 8).getTime());
  expect(fieldTime(now)).toBe("2026-03-18T14:05");
});

test("amounts of bytes are 1000-based and never round into the next unit's thousand", () => {
  const shown = [0, 812, 4200, 9949, 9950, 18_200_000, 1_300_000_000, 999_499, 999_500].map(bytes);
  expect(shown).toEqual(["0 B", "812 B", "4.2 KB", "9.9 KB", "10 KB", "18 MB", "1.3 GB", "999 KB", "1.0 MB"]);
  expect(exactBytes(18)).toBe("18 bytes");
});

test("counts are grouped, cut in a badge, and agree with their word", () => {
  expect(count(1204)).toBe(new Intl.NumberFormat().format(1204));
  expect([7, 999, 1000].map(badgeCount)).toEqual(["7", "999", "999+"]);
  expect([counted(1, "item", "items"), counted(2, "item", "items")]).toEqual(["1 item", "2 items"]);
});

test("names fall back to ids, cut in the middle", () => {
  expect(middleCut("01JQ4TABCDEFGHJKMNPQRS9ZKX")).toBe("01JQ4T…9ZKX");
  expect(middleCut("homelab")).toBe("homelab");
  expect(["human", "hub", "deployer"].map(actorName)).toEqual(["you", "the hub", "deployer"]);
  expect(projectName({ project_id: "p", project_display_name: "Homelab" })).toBe("Homelab");
  expect(projectName({ project_id: "01JQ4TABCDEFGHJKMNPQRS9ZKX", project_display_name: null })).toBe("01JQ4T…9ZKX");
  expect([initial("deployer"), initial("  \u202e(x)"), initial("!!!")]).toEqual(["D", "X", "·"]);
});

test("words of others turn no direction but their own, wherever a sentence holds them", () => {
  expect(withTheirs`Delete ${"The lab"}?`).toBe("Delete The lab?");
  expect(withTheirs`Delete ${"evil\u202Egnp.exe"}?`).toBe("Delete evilgnp.exe?");
  expect(withTheirs`${"مشروع"} is closed to ${"x\u2069\u202E"}.`).toBe("\u2068مشروع\u2069 is closed to x.");
});
