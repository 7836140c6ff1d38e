import { baselineDatabase } from "../baseline/database.js";
import { listsOfBaseline } from "../baseline/requests.js";
import { type Benchmark, type Measured, type Report, rateRatio } from "../harness/benchmark.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import type { Settings } from "../harness/settings.js";
import { ourDatabase } from "../ours/database.js";
import { listsOfOurs } from "../ours/requests.js";

export const listPage: Benchmark = {
  title: "list page of 10, beside a hand-written one with an exact COUNT(*)",
  run: async (settings) => {
    const small = await compare(settings, settings.budgets);
    const large = await compare(settings, settings.budgets * 10);
    return {
      measured: [...small.measured, ...large.measured],
      figures: [...small.figures, ...large.figures],
    };
  },
};

async function compare(settings: Settings, budgets: number): Promise<Report> {
  const ours = await ourDatabase(budgets);
  const theirs = baselineDatabase(budgets);
  const servers = [
    { kind: "hono", path: ours.path, limiter: "file" },
    { kind: "hand-written", path: theirs.path, limiter: "file" },
  ] as const;
  return withServers(servers, settings, async ([hono, byHand]) => {
    if (!hono || !byHand) throw new Error("a server is missing");
    const extent = `${budgets.toLocaleString("en-US")} budgets`;
    const [own, other, ownByStatus, otherByStatus] = await measureInTurn(
      [
        serverSide(`Budgetkit, Hono, ${extent}`, hono, listsOfOurs(ours, "limit=10"), settings),
        serverSide(`hand-written, ${extent}`, byHand, listsOfBaseline(theirs, "limit=10"), settings),
        serverSide(`Budgetkit, by status, ${extent}`, hono, listsOfOurs(ours, "limit=10&status=DRAFT"), settings),
        serverSide(`hand-written, by status, ${extent}`, byHand, listsOfBaseline(theirs, "status=DRAFT"), settings),
      ],
      settings,
    );
    const against = (what: string, a: Measured, b: Measured) =>
      rateRatio({ recorded: `${what}, ${extent} / hand-written` }, a, b);
    return {
      measured: [own, other, ownByStatus, otherByStatus],
      figures: [against("list", own, other), against("list by status", ownByStatus, otherByStatus)],
    };
  });
}
