// How old something is, as public pages say it (artifacts.md 6).

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function age(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < minuteMs) return "just now";
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ago`;
  if (ms < 48 * hourMs) return `${Math.floor(ms / hourMs)} h ago`;
  if (ms < 30 * dayMs) return `${Math.floor(ms / dayMs)} d ago`;
  return new Date(at).toISOString().slice(0, 10);
}

/** With the exact time for who points at it. */
export function ageElement(at: number, now: number): string {
  const exact = new Date(at).toISOString();
  return `<time datetime="${exact}" title="${exact}">${age(at, now)}</time>`;
}
