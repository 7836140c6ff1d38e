/** How much a client wants what it names itself, a media type or a coding; 0 when it does not name it. `*` counts for nothing here. */
function weightOf(accept: string, wanted: string): number {
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

/** True when the client names this coding as one that it takes. Source: RFC 9110, 12.5.3. */
export function acceptsEncoding(acceptEncoding: string | null, encoding: string): boolean {
  return acceptEncoding !== null && weightOf(acceptEncoding, encoding) > 0;
}

/** True for browsers: HTML is named, and wanted more than JSON. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null) return false;
  const html = weightOf(accept, "text/html");
  return html > 0 && html > weightOf(accept, "application/json");
}

/** True when the client names RFC 9457's media type. */
export function acceptsProblemDetails(accept: string | null): boolean {
  return accept?.includes("problem+json") === true && weightOf(accept, "application/problem+json") > 0;
}
