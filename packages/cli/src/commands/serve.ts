import { FLAG_SETTINGS } from "../settings/setting-flags.js";
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
    run: async ({ settings, isJson }) => {
      const { serve } = await import("../server/serve.js"); // only this command needs the frameworks
      await serve(settings(), isJson);
    },
  });
