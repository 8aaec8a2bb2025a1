// Forms of ids: ULIDs for what the hub mints, slugs for what people name (mcp-tools.md 7, rest-api.md 0.6).

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeLength = 10;
const randomLength = 16;

/** Actors nobody may enrol or be created under (mcp-tools.md 6.1). */
export const reservedAgentIds = ["hub", "human", "local"] as const;
/** Actor of the operator, wherever a token says so. */
export const operatorActor = "human";
/** Actor of what the hub does itself, at deadlines only. */
export const hubActor = "hub";

export const personalSpacePrefix = "space-";

export const projectIdPattern: RegExp = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
export const sessionNamePattern: RegExp = /^[A-Za-z0-9_-]{1,128}$/;
export const ulidPattern: RegExp = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
export const uuidPattern: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** 10 Crockford digits of a millisecond time, 0 to 2^48-1. */
export function encodeTime(ms: number): string {
  let text = "";
  let rest = ms;
  for (let index = 0; index < timeLength; index += 1) {
    text = crockford.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The millisecond time of a ULID. */
export function timeOf(ulid: string): number {
  let ms = 0;
  for (const digit of ulid.slice(0, timeLength)) ms = ms * 32 + crockford.indexOf(digit);
  return ms;
}

/** 16 Crockford digits from 80 random bits given as 16 numbers below 32. */
export function encodeRandom(digits: Uint8Array): string {
  let text = "";
  for (let index = 0; index < randomLength; index += 1) text += crockford.charAt((digits[index] ?? 0) & 31);
  return text;
}

/** The lowest ULID of a millisecond: a cursor that every id minted from then on is above. */
export function lowestUlidAt(ms: number): string {
  return encodeTime(ms) + "0".repeat(randomLength);
}

export function isReservedAgentId(id: string): boolean {
  return reservedAgentIds.some((reserved) => reserved === id);
}
