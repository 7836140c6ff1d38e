import type { BudgetService } from "@budgetkit/core";
import { checkOptionNames, type OptionNames } from "@budgetkit/core/http";

/** The parts of a service that the dashboard uses. */
export type DashboardService = Pick<BudgetService, "handle" | "site" | "sessions">;

export interface DashboardOptions {
  /** The service whose data the dashboard shows. */
  readonly service: DashboardService;
  /** The path under which the handler is mounted. Default `/dashboard`. */
  readonly basePath?: string;
  /** The path that the browser sees, where a proxy adds or removes a prefix. Default: `basePath`. */
  readonly publicPath?: string;
  /**
   * Whether cookies are sent over HTTPS alone. Default: true if `publicBaseUrl` of the service is https, else for each
   * request that arrives over HTTPS, also at a trusted proxy.
   */
  readonly secureCookies?: boolean;
}

const OPTIONS: OptionNames<DashboardOptions> = {
  service: true,
  basePath: true,
  publicPath: true,
  secureCookies: true,
};

/** The checked options. Paths have no slash at their end: the root is the empty text. */
export interface DashboardSettings {
  readonly service: DashboardService;
  readonly basePath: string;
  readonly publicPath: string;
  readonly secureCookies: boolean | null; // null = it depends on the request
}

const DEFAULT_PATH = "/dashboard";

/** Throws a RangeError for an invalid value or an unknown option, and a TypeError without a service. */
export function dashboardSettings(options: DashboardOptions): DashboardSettings {
  checkOptionNames("dashboardHandler", options, OPTIONS);
  const { service, basePath = DEFAULT_PATH, publicPath = basePath, secureCookies } = options;
  if (typeof service?.handle !== "function" || typeof service.site?.findUser !== "function") {
    throw new TypeError("dashboardHandler needs a service: dashboardHandler({ service: createBudgetService({ … }) })");
  }
  if (secureCookies !== undefined && typeof secureCookies !== "boolean") {
    throw new RangeError(`secureCookies must be true or false: ${String(secureCookies)}`);
  }
  return {
    service,
    basePath: checkedPath("basePath", basePath),
    publicPath: checkedPath("publicPath", publicPath),
    secureCookies: secureCookies ?? (/^https:/i.test(service.site.publicBaseUrl) ? true : null),
  };
}

const PATH = /^(?:\/[A-Za-z0-9._~-]+)*\/?$/;
const MAX_PATH = 200;

/** Such a path needs no escaping in a URL, in HTML or in a cookie, and leads to no other host. */
function checkedPath(option: "basePath" | "publicPath", path: string): string {
  const isPath = typeof path === "string" && path.length <= MAX_PATH && PATH.test(path);
  const segments = isPath ? path.split("/") : [];
  if (isPath && !segments.some((segment) => segment === "." || segment === "..")) return path.replace(/\/$/, "");
  throw new RangeError(
    `${option} must be a path of letters, digits, ".", "_", "~" and "-", such as /dashboard: ${String(path).slice(0, MAX_PATH)}`,
  );
}
