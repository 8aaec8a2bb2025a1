// The bearer token of a request (rest-api.md 0.2).

/** The token as sent; undefined when there is none. The scheme is matched in any case, white space is tolerated. */
export function bearerToken(request: Request): string | undefined {
  return /^\s*bearer\s+(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}
