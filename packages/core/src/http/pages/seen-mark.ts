import { type Html, html } from "./html.js";

/**
 * An invisible image that only a displayed page loads, so that scanners that fetch the page alone are not counted.
 * `channel` is the `c` of the link; null = none.
 */
export function seenMark(path: string, channel: string | null): Html {
  const query = channel === null ? "" : `?c=${encodeURIComponent(channel)}`;
  return html`<img class="seen" src="${path}/seen.svg${query}" alt="" width="1" height="1">`;
}

export const SEEN_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
