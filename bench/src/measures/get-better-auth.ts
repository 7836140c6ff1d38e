import { copyOfBaseline } from "../baseline/database.js";
import { readsOfBaseline } from "../baseline/requests.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import { ourDatabase } from "../ours/database.js";
import { readsOfOurs } from "../ours/requests.js";

export const getBesideBetterAuth: Benchmark = {
  title: "GET with a key, beside Express with better-auth",
  run: (settings) =>
    withFolder(async (folder) => {
      const ours = await ourDatabase(settings.budgets);
      const theirs = copyOfBaseline(settings.budgets, folder);
      const servers = [
        { kind: "hono", path: ours.path, limiter: "file" },
        { kind: "express", path: ours.path, limiter: "file" },
        { kind: "better-auth", path: theirs.path, limiter: "file" },
      ] as const;
      return withServers(servers, settings, async ([hono, express, betterAuth]) => {
        if (!hono || !express || !betterAuth) throw new Error("a server is missing");
        const keys = [betterAuth.key ?? ""];
        const [onHono, onExpress, other] = await measureInTurn(
          [
            serverSide("Budgetkit, Hono", hono, readsOfOurs(ours, 1), settings),
            serverSide("Budgetkit, Express", express, readsOfOurs(ours, 1), settings),
            serverSide(
              "Express + better-auth verifyApiKey",
              betterAuth,
              readsOfBaseline({ ...theirs, keys }, "budgets", 1),
              settings,
            ),
          ],
          settings,
        );
        return {
          measured: [onHono, onExpress, other],
          figures: [
            rateRatio("getWithKey", onHono, other),
            rateRatio({ recorded: "the same, both on Express" }, onExpress, other),
          ],
        };
      });
    }),
};
