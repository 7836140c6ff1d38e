/** The weight (`q`) of a media type, coding or language that the client names; 0 when absent. `*` does not count. */
export function weightOf(accept: string, wanted: string): number {
  let weight = 0;
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== wanted) continue;
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const given = q === undefined ? 1 : Number(q);
    weight = Math.max(weight, Number.isFinite(given) ? given : 0);
  }
  return weight;
}

/** True when the client names this coding as acceptable. Source: RFC 9110, 12.5.3. */
export function acceptsEncoding(acceptEncoding: string | null, encoding: string): boolean {
  return acceptEncoding !== null && weightOf(acceptEncoding, encoding) > 0;
}

/** True for browsers: HTML is named and preferred to JSON. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null) return false;
  const html = weightOf(accept, "text/html");
  return html > 0 && html > weightOf(accept, "application/json");
}

/** True when the client names the media type of RFC 9457. */
export function acceptsProblemDetails(accept: string | null): boolean {
  return accept?.includes("problem+json") === true && weightOf(accept, "application/problem+json") > 0;
}

const STRICT = /(?:^|[,;])\s*handling\s*=\s*(?:strict|"strict")\s*(?=[,;]|$)/i;

/** True when a Prefer header asks for strict handling, which refuses unknown fields. Source: RFC 7240, section 4.4. */
export function prefersStrict(prefer: string | null): boolean {
  return prefer !== null && STRICT.test(prefer);
}
