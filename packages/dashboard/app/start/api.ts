import { createClient } from "@budgetkit/client";
import { mount } from "./mount.js";

/** No form and no other site's page can send this header, so a write that has it comes from this page. */
export const OWN_HEADERS: Readonly<Record<string, string>> = { "x-budgetkit-dashboard": "1" };

/** A call of this mount with the cookies of its session. */
export function ownFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(OWN_HEADERS)) headers.set(name, value);
  return fetch(input, { ...init, headers, credentials: "same-origin" });
}

/** The public interface of the service, called as whoever is logged in, over another way to send requests. */
export const apiOver = (send: typeof fetch) => createClient({ baseUrl: `${mount.base}/service`, fetch: send });

/** The public interface of the service, called as whoever is logged in. */
export const api = apiOver(ownFetch);
