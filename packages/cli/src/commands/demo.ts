import { randomBytes } from "node:crypto";
import { type BudgetService, createMemoryRateLimitStore } from "@budgetkit/core";
import { z } from "zod";
import { seededDraws } from "../demo/draws.js";
import { movingClock } from "../demo/moving-clock.js";
import { type DemoSummary, demoReceiver, playDemo } from "../demo/play-demo.js";
import { NUMBER_PATTERN } from "../server/first-start.js";
import { listeningUrl } from "../server/listening-url.js";
import type { Settings } from "../settings/settings.js";
import { StartFailure, UsageError } from "../terminal/failures.js";
import { orRefuse } from "../terminal/problem-text.js";
import type { Report } from "../terminal/report.js";
import { defineCommand } from "./define-command.js";
import { actorIn, openDatabase, withService } from "./operator.js";

const BUDGETS = 500;

const demoFlags = z.object({
  business: z.string().optional(),
  seed: z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .default(1),
  force: z.boolean().default(false),
  serve: z.boolean().default(false),
});

export const demoCommand = () =>
  defineCommand({
    usage: "demo",
    summary: "fill a business with a year of made-up data",
    about:
      `Fills a business with customers, products, ${BUDGETS} budgets in every state, payments, deliveries of webhooks and ` +
      "counted requests, all made up, over the year that ends now. Without --business it makes one, with an owner to log " +
      "in as. The same seed makes the same data. Do it on a database of its own: a year of budgets is not easily taken out again.",
    examples: [
      "budgetkit demo --serve",
      "budgetkit demo --database-url file:./demo.db",
      "budgetkit demo --business 1001 --seed 7",
    ],
    settings: ["DATABASE_URL", "PORT", "HOST"],
    flags: [
      ["--business <id>", "the business to fill; a new one by default"],
      ["--seed <number>", "chooses among the years that can be made up; 1 by default"],
      ["--force", "fill a business that has data already"],
      ["--serve", "fill a database that ends with the command, serve it, and print a link that logs in once"],
    ],
    run: async ({ settings, flags, report }) => {
      const wanted = flags(demoFlags);
      const read = settings();
      if (!wanted.serve) {
        const { id, login, summary } = await fill(read, wanted, report);
        const { userId: _, ...shown } = login ?? { userId: "" };
        const url = listeningUrl(read.HOST, read.PORT);
        report.result({ businessId: id, login: login === null ? null : shown, ...summary }, textOf(id, summary, url));
        return;
      }
      if (wanted.business !== undefined) {
        throw new UsageError("--serve fills a business of its own: leave out --business.");
      }
      const { ownSettings, temporaryFolder } = await import("../demo/own-settings.js");
      const { startServer } = await import("../server/server.js");
      const { stopOnSignal } = await import("../server/stop-on-signal.js");
      const folder = temporaryFolder();
      let stop = async (): Promise<void> => {};
      stopOnSignal(() => stop().finally(folder.remove));
      try {
        report.note("A year of a business is made up, which takes some seconds ...");
        const own = ownSettings(read, folder.path);
        const { login } = await fill(own, wanted, report);
        if (login === null) throw new Error("the demonstration has no owner");
        const server = await startServer(own);
        stop = server.stop;
        const url = await server.logInOnce(login);
        const text = `Open this link in a browser: it logs you in, once, within 10 minutes.\n\n  ${url}\n\nControl-C ends the server and removes its data.`;
        report.result({ url }, text);
      } catch (error) {
        await stop().finally(folder.remove);
        throw error;
      }
    },
  });

/** Plays the year on the database. Throws a StartFailure when the business has data already. */
async function fill(read: Settings, { business, seed, force, serve }: z.output<typeof demoFlags>, report: Report) {
  const now = Date.now();
  const clock = movingClock(now);
  const draws = seededDraws(seed);
  const store = await openDatabase(read.DATABASE_URL, business === undefined, { clock: "caller" });
  const webhooks = { sender: demoReceiver(draws) };
  return withService(
    read,
    async ({ service }) => {
      const login = business === undefined ? await makeBusiness(service) : null;
      const id = login?.businessId ?? business ?? "";
      const actor = await actorIn(service, id);
      if (!force && (await hasData(service, actor))) {
        throw new StartFailure(`The business ${id} has data already: --force fills it all the same.`);
      }
      if (login !== null && !serve) report.note(loginText(login)); // also when the demonstration fails later
      const showProgress = (share: number) => report.progress(`${Math.round(share * 100)} % of the year`);
      const summary = await playDemo({ service, clock, actor, draws, now, budgets: BUDGETS }, showProgress);
      await service.stop(); // writes the counted requests
      return { id, login, summary };
    },
    {
      ...{ makes: business === undefined, store, clock, webhooks },
      rateLimits: createMemoryRateLimitStore(), // goes by the clock of the year; that of a file goes by the time that passes
      usage: { flushIntervalMs: 60_000 },
    },
  );
}

/** What stands on its offers. */
const ADDRESS = {
  address: "12 Harbour Street\nPortland",
  email: "hello@driftwood.example",
  phone: "+1 503 555 0188",
  website: "https://driftwood.example",
  terms: "Half of the total before we begin, the rest when it stands in your house.",
};

interface Login {
  readonly businessId: string;
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

async function makeBusiness(service: BudgetService): Promise<Login> {
  const business = orRefuse(await service.businesses.create({ name: "Driftwood & Oak (demo)", tier: "PREMIUM" }));
  const businessId = business.id;
  const profile = { numberPattern: NUMBER_PATTERN, accentColor: "#8a4a1c", currency: "USD", ...ADDRESS };
  orRefuse(await service.businesses.update({ kind: "system", businessId }, profile));
  const email = `demo-${businessId}@example.com`;
  const password = randomBytes(12).toString("base64url");
  const owner = { businessId, email, password, displayName: "Demo owner", role: "OWNER" } as const;
  const { id } = orRefuse(await service.users.create(owner));
  return { businessId, userId: String(id), email, password };
}

async function hasData(service: BudgetService, actor: Awaited<ReturnType<typeof actorIn>>): Promise<boolean> {
  const query = { limit: 1, includeDeleted: true } as const;
  const lists = await Promise.all([
    service.budgets.list(actor, query),
    service.customers.list(actor, query),
    service.products.list(actor, query),
    service.packages.list(actor, query),
  ]);
  return lists.some((list) => list.isOk() && list.value.pagination.total > 0);
}

function loginText({ businessId, email, password }: Login): string {
  return `The business ${businessId} was made. Start the server on the same database (budgetkit serve) and log in with\n  email     ${email}\n  password  ${password} (this is shown once)\n`;
}

function textOf(
  id: string,
  { customers, products, packages, budgets, payments, key }: DemoSummary,
  url: string,
): string {
  const made = `The business ${id} has ${customers} customers, ${products} products, ${packages} packages, ${budgets} budgets and ${payments} payments.`;
  const call = `curl -sS '${url}/v1/api/public/budgets?limit=5' -H 'Authorization: Bearer ${key}'`;
  return `${made}\n\nAn API key that reads them, which is shown this once: ${key}\nOnce the server runs, this lists the newest:\n  ${call}`;
}
