// The bearer token of a request (rest-api.md 0.2).

/** The token as sent; undefined when there is none. The scheme is matched in any case, white space is tolerated. */
export function bearerToken(request: Request): string | undefined {
  return /^\s*bearer\s+(\S(?:.*\S)?)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** The forms a token may have been sent in: a header has no encoding, and terminals send a configured one as UTF-8. */
export function tokenForms(token: string): string[] {
  const isAscii = /^[\x20-\x7e]*$/.test(token);
  return isAscii ? [token] : [token, Buffer.from(token, "latin1").toString("utf8")];
}
