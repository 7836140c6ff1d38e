import type { RequestListener } from "node:http";
import { budgetkitExpress } from "@budgetkit/adapter-express";
import { budgetkitHono } from "@budgetkit/adapter-hono";
import type { BudgetService } from "@budgetkit/core";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import type { Settings } from "./settings.js";

/** The service behind either framework, at `/` and thereby below `/v1` too. */
export const frameworks: Readonly<
  Record<Settings["BUDGETKIT_FRAMEWORK"], (service: BudgetService) => RequestListener>
> = {
  hono: (service) => {
    const app = new Hono();
    app.route("/", budgetkitHono(service));
    return getRequestListener(app.fetch);
  },
  express: (service) => {
    const app = express();
    app.disable("x-powered-by");
    app.use(budgetkitExpress(service));
    return app;
  },
};
