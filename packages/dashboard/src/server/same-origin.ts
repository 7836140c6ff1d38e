import type { ApiRequest, ApiResponse } from "@budgetkit/core/http";
import { problem } from "./answers.js";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Only the code of a page of this origin can send it: no form can, and other origins are not allowed to. */
const OWN_HEADER = "x-budgetkit-dashboard";

/**
 * Cross-site request forgery: the page of another site can make the browser send the cookie of the dashboard. Browsers name
 * the site in `Sec-Fetch-Site`, which no page can change; a sibling domain is another site, because it may be in other
 * hands. Unsafe methods also need a header that other origins cannot send.
 *
 * @returns the refusal; null = the request may come from the dashboard's own pages.
 */
export function refuseForeign(request: ApiRequest): ApiResponse | null {
  const site = request.header("sec-fetch-site");
  const isSafe = SAFE.has(request.method);
  // The address bar, a bookmark or a link: the answer is shown, and not handed to the page with the link.
  const isOpened = isSafe && request.header("sec-fetch-mode") === "navigate" && isDocument(request);
  const isOwn = site === null || site === "same-origin" || (isSafe && site === "none");
  if (!isOwn && !isOpened) {
    return problem(403, "forbidden", "This request comes from another site.");
  }
  if (isSafe || request.header(OWN_HEADER) === "1") return null;
  return problem(403, "forbidden", `Requests that change something need the header ${OWN_HEADER}: 1.`);
}

/** True for a page that the user opens; false for one within a frame. Older browsers do not name it. */
export function isDocument(request: ApiRequest): boolean {
  const destination = request.header("sec-fetch-dest");
  return destination === null || destination === "document";
}
