import type { ApiRequest, ApiResponse } from "@budgetkit/core/http";
import { empty, notFound, problem, wrongMethod } from "./answers.js";
import type { DashboardSettings } from "./options.js";
import { isDocument } from "./same-origin.js";
import { type SessionCookie, tokensOf } from "./session-cookie.js";

/**
 * Logs in by a link that works once, and leads to the dashboard. The address with the token stays in no history entry, and
 * no page sends it as its referrer.
 */
export function enterByLink(
  { service, publicPath }: DashboardSettings,
  cookie: SessionCookie,
): (request: ApiRequest, query: string) => Promise<ApiResponse> {
  const { site, sessions } = service;
  const home = `${publicPath}/`;

  /** Its cookie is replaced: a session that no browser has must not live on. */
  async function endFormer(request: ApiRequest): Promise<void> {
    const former = cookie.read(request);
    if (former === null) return;
    await sessions.end({ refresh_token: former.refresh }, site.clientAddress(request)).catch((error: unknown) => {
      site.report(error, request.header("x-request-id") ?? "");
    });
  }

  return async (request, query) => {
    if (site.session === "host") return notFound();
    if (request.method !== "GET") return wrongMethod(["GET"]);
    if (!isDocument(request)) return problem(403, "forbidden", "Open this link as a page of its own.");
    // A browser that looks ahead must not use the link up.
    const purpose = request.header("sec-purpose") ?? request.header("purpose") ?? "";
    if (purpose.includes("prefetch")) return problem(503, "unavailable", "This link works when it is opened.");
    const token = new URLSearchParams(query).get("token") ?? "";
    const entered = await sessions.enter({ token }, site.clientAddress(request));
    // A link that was used before leads to the dashboard of who is signed in, or to its login.
    if (entered.isErr()) return empty(303, { location: home });
    await endFormer(request);
    return empty(303, { location: home, "set-cookie": cookie.write(request, tokensOf(entered.value, site.now())) });
  };
}
