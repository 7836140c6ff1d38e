import { fileURLToPath } from "node:url";
import { type Dashboard, dashboardOf } from "./server/dashboard-handler.js";
import type { DashboardOptions } from "./server/options.js";

export type { Dashboard } from "./server/dashboard-handler.js";
export type { DashboardOptions, DashboardService } from "./server/options.js";

/** Where the build writes the page, relative to `src` and to `dist`. */
const APP = "../dist/app/";

/**
 * The dashboard of a service: its page, the session of its users, and the service's interface for them. Mount it at
 * `basePath`: `app.use("/dashboard", budgetkitExpress(dashboardHandler({ service })))`.
 * Throws a RangeError for an invalid or unknown option, and a TypeError without a service.
 */
export function dashboardHandler(options: DashboardOptions): Dashboard {
  return dashboardOf(options, fileURLToPath(new URL(APP, import.meta.url)));
}
