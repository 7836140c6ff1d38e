import type { RequestListener } from "node:http";
import type { BudgetService } from "@budgetkit/core";
import type { Settings } from "../settings/settings.js";

/** The service mounted at `/` of a framework, and so below `/v1` too. Only the chosen framework is loaded. */
export const frameworks: Readonly<
  Record<Settings["BUDGETKIT_FRAMEWORK"], (service: BudgetService) => Promise<RequestListener>>
> = {
  hono: async (service) => {
    const [{ budgetkitHono }, { getRequestListener }, { Hono }] = await Promise.all([
      import("@budgetkit/adapter-hono"),
      import("@hono/node-server"),
      import("hono"),
    ]);
    const app = new Hono();
    app.route("/", budgetkitHono(service));
    return getRequestListener(app.fetch);
  },
  express: async (service) => {
    const [{ budgetkitExpress }, { default: express }] = await Promise.all([
      import("@budgetkit/adapter-express"),
      import("express"),
    ]);
    const app = express();
    app.disable("x-powered-by");
    app.use(budgetkitExpress(service));
    return app;
  },
};
