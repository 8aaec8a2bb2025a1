// Tokens of the index's scope column: lower-case ASCII letters and digits, so that each is one token.

/** A project's token; ids differ in case and hold signs, so it is a digest. */
export function projectToken(projectId: string): string {
  return `p${Bun.SHA256.hash(projectId, "hex").slice(0, 20)}`;
}

export function familyToken(family: string): string {
  return `f${family}`;
}

export function kindToken(kind: string): string {
  return `k${kind}`;
}
