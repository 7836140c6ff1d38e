import { defineCommand } from "../define-command.js";
import { FLAG_SETTINGS } from "../setting-flags.js";

export const serveCommand = () =>
  defineCommand({
    usage: "serve",
    summary: "run the server until it is told to stop",
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
      const { serve } = await import("../serve.js"); // the frameworks are for this command alone
      await serve(settings(), isJson);
    },
  });
