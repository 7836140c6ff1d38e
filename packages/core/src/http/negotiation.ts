/** How much a client wants a media type that it names itself; 0 when it does not. `*` counts for nothing here. */
function weightOf(accept: string, mediaType: string): number {
  let weight = 0;
  for (const range of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (type !== mediaType) continue;
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const given = q === undefined ? 1 : Number(q);
    weight = Math.max(weight, Number.isFinite(given) ? given : 0);
  }
  return weight;
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
