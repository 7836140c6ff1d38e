import cluster from "node:cluster";
import { FLAG_SETTINGS } from "../settings/setting-flags.js";
import { unknownVariables } from "../settings/unknown-variables.js";
import { defineCommand } from "./define-command.js";

export const serveCommand = () =>
  defineCommand({
    usage: "serve",
    summary: "run the server until a signal stops it",
    about:
      "Serves the interface at /v1. The first start makes the schema, a business and its owner, and prints how to log in. " +
      "SIGTERM and SIGINT end it, once the requests under way are answered.",
    examples: [
      "budgetkit serve",
      "budgetkit serve --port 8080 --database-url file:/var/lib/budgetkit/budgetkit.db",
      "DATABASE_URL=postgres://… BUDGETKIT_SECRET=… budgetkit serve --web-concurrency 4",
    ],
    settings: FLAG_SETTINGS,
    run: async ({ environment, report, settings, isJson }) => {
      const unknown = cluster.isPrimary ? unknownVariables(environment) : [];
      for (const { name, advice } of unknown) report.note(`${name} ${advice}`);
      const { serve } = await import("../server/serve.js"); // only this command needs the frameworks
      await serve(settings(), isJson);
    },
  });
