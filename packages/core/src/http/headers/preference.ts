const STRICT = /(?:^|[,;])\s*handling\s*=\s*(?:strict|"strict")\s*(?=[,;]|$)/i;

/** True when a Prefer header asks for strict handling, which refuses unknown fields. Source: RFC 7240, section 4.4. */
export function prefersStrict(prefer: string | null): boolean {
  return prefer !== null && STRICT.test(prefer);
}
