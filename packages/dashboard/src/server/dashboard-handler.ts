import { randomUUID } from "node:crypto";
import {
  type ApiRequest,
  type ApiResponse,
  type FetchConnection,
  readableBodyOf,
  targetOf,
  toFetchHandler,
} from "@budgetkit/core/http";
import { notFound, problem } from "./answers.js";
import { readApp } from "./app-files.js";
import { type AppPage, appPage } from "./app-page.js";
import { enterByLink } from "./enter.js";
import { liveSessions } from "./live-session.js";
import { type DashboardOptions, dashboardSettings } from "./options.js";
import { serviceProxy } from "./service-proxy.js";
import { sessionCookie } from "./session-cookie.js";
import { sessionRoute } from "./session-route.js";

/** The dashboard as a web-standard handler. The adapters mount it as they mount a service. */
export interface Dashboard {
  /** Handles a Request whose path is the base path or below; another one gets 404. Never rejects. */
  (request: Request, connection?: FetchConnection): Promise<Response>;
  /** Handles a request below the mount; the adapters of Hono and Express call it. Never rejects. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /**
   * The path of a link that logs the user in once, within 10 minutes and without a password or code: for the operator, who
   * shows it to that user alone. Rejects with an Error for an unknown or disabled user.
   */
  oneTimeLogin(user: { readonly businessId: string; readonly userId: string }): Promise<string>;
}

const MAX_PATH = 2_000;

/**
 * The dashboard of a service: its page, the session of its users, and the service's interface for them. `folder` has the
 * built page. Throws a RangeError for an invalid or unknown option, and a TypeError without a service.
 */
export function dashboardOf(options: DashboardOptions, folder: string): Dashboard {
  const settings = dashboardSettings(options);
  const { service, basePath, publicPath } = settings;
  const cookie = sessionCookie(settings);
  const findSession = liveSessions(service, cookie);
  const answerSession = sessionRoute(service, cookie, findSession);
  const callService = serviceProxy(service, cookie, findSession);
  const enter = enterByLink(settings, cookie);
  let reading: Promise<AppPage> | null = null;

  /** Read with the first request for the page. A failure is not kept. */
  function page(): Promise<AppPage> {
    reading ??= readApp(folder)
      .then((app) => appPage(app, settings))
      .catch((error: unknown) => {
        reading = null;
        throw new Error("The files of the dashboard cannot be read. Build or install @budgetkit/dashboard again.", {
          cause: error,
        });
      });
    return reading;
  }

  async function respond(request: ApiRequest): Promise<ApiResponse> {
    const target = targetOf(request.target);
    const mark = target.indexOf("?");
    const path = mark === -1 ? target : target.slice(0, mark);
    const query = mark === -1 ? "" : target.slice(mark + 1);
    if (path === "/service" || path.startsWith("/service/")) {
      return callService(request, target.slice("/service".length) || "/");
    }
    if (path === "/session") return answerSession(request);
    if (path === "/enter") return enter(request, query);
    if (path.length > MAX_PATH) return notFound();
    const { file, document } = await page();
    const found = file(request, path.slice(1));
    if (found !== null) return found;
    return path.startsWith("/assets/") ? notFound() : document(request);
  }

  async function handle(request: ApiRequest): Promise<ApiResponse> {
    try {
      return await respond(request);
    } catch (error) {
      const requestId = randomUUID();
      service.site.report(error, requestId);
      const message = "An unexpected error occurred. Include the request id when you report it.";
      return problem(500, "internal_error", message, { "x-request-id": requestId });
    }
  }

  const below = toFetchHandler(handle, { basePath });
  const fetch = async (request: Request, connection?: FetchConnection): Promise<Response> => {
    if (isBelow(request.url, basePath)) return below(request, connection);
    const { status, headers, body } = notFound();
    return new Response(readableBodyOf(body), { status, headers });
  };

  return Object.assign(fetch, {
    handle,
    oneTimeLogin: async ({ businessId, userId }: { readonly businessId: string; readonly userId: string }) => {
      const issued = await service.sessions.issueLoginToken({ kind: "system", businessId }, userId);
      if (issued.isErr()) throw new Error(issued.error.message);
      return `${publicPath}/enter?token=${issued.value.token}`;
    },
  });
}

function isBelow(address: string, basePath: string): boolean {
  const target = targetOf(address);
  if (!target.startsWith(basePath)) return false;
  const next = target[basePath.length];
  return next === undefined || next === "/" || next === "?";
}
