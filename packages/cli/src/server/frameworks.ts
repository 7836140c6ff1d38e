import type { RequestListener } from "node:http";
import type { BudgetService } from "@budgetkit/core";
import type { ApiService } from "@budgetkit/core/http";
import type { Settings } from "../settings/settings.js";
import { DASHBOARD_PATH } from "./dashboard.js";

/**
 * The dashboard, if there is one, and the service mounted at `/` of a framework, and so below `/v1` too. Only the chosen
 * framework is loaded.
 */
export const frameworks: Readonly<
  Record<
    Settings["BUDGETKIT_FRAMEWORK"],
    (service: BudgetService, dashboard: ApiService | null) => Promise<RequestListener>
  >
> = {
  hono: async (service, dashboard) => {
    const [{ budgetkitHono }, { getRequestListener }, { Hono }] = await Promise.all([
      import("@budgetkit/adapter-hono"),
      import("@hono/node-server"),
      import("hono"),
    ]);
    const app = new Hono();
    if (dashboard !== null) app.route(DASHBOARD_PATH, budgetkitHono(dashboard));
    app.route("/", budgetkitHono(service));
    return getRequestListener(app.fetch);
  },
  express: async (service, dashboard) => {
    const [{ budgetkitExpress }, { default: express }] = await Promise.all([
      import("@budgetkit/adapter-express"),
      import("express"),
    ]);
    const app = express();
    app.disable("x-powered-by");
    app.enable("case sensitive routing"); // as Hono
    if (dashboard !== null) app.use(DASHBOARD_PATH, budgetkitExpress(dashboard));
    app.use(budgetkitExpress(service));
    return app;
  },
};
