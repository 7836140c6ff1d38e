import type { Actor, BudgetService, WebhookSender } from "@budgetkit/core";
import { orRefuse } from "../terminal/problem-text.js";
import type { Draws } from "./draws.js";
import type { MovingClock } from "./moving-clock.js";
import { type PlannedStep, planBudgets } from "./plan-budgets.js";
import { type CatalogPlan, planCatalog } from "./plan-catalog.js";
import { playConversations } from "./play-conversations.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;
const WEBHOOK_DAYS = 25; // deliveries are pruned after 30

/** The parts of a demonstration. The service reads `clock`; a built-in receiver answers its webhook calls. */
export interface DemoStage {
  readonly service: BudgetService;
  readonly clock: MovingClock;
  readonly actor: Actor;
  readonly draws: Draws;
  readonly now: number; // where the year ends
  readonly budgets: number; // to make
}

export interface DemoSummary {
  readonly customers: number;
  readonly products: number;
  readonly packages: number;
  readonly budgets: number;
  readonly payments: number;
  readonly messages: number;
  readonly requests: number;
  readonly key: string; // of the integration whose requests are counted
}

/** Plays a year of a business: week by week, and day by day where webhooks are called. */
export async function playDemo(stage: DemoStage, onPeriod: (share: number) => void): Promise<DemoSummary> {
  const { service, clock, actor, draws, now, budgets } = stage;
  clock.set(now - YEAR_MS);
  const catalog = planCatalog(draws);
  await makeCatalog(stage, catalog);
  const key = orRefuse(
    await service.keys.create(actor, {
      name: "Demo shop",
      scopes: ["READ_BUDGETS", "READ_CUSTOMERS", "READ_PRODUCTS"],
    }),
  );
  const steps = planBudgets(draws, catalog, now, budgets);
  const ids = new Map<number, string>();
  const counts = { payments: 0, requests: 0 };
  let endpoint: string | null = null;
  let next = 0;
  let begin = now - YEAR_MS;
  for (const end of periodsUntil(now)) {
    const due: PlannedStep[] = [];
    for (; next < steps.length; next += 1) {
      const step = steps[next];
      if (step === undefined || step.at >= end) break;
      due.push(step);
    }
    if (endpoint === null && end > now - WEBHOOK_DAYS * DAY_MS) endpoint = await makeEndpoint(stage);
    counts.payments += await playSteps(stage, due, ids);
    counts.requests += await makeRequests(stage, key.key, begin, end, [...ids.values()]);
    clock.set(end);
    await service.tick(); // expires overdue budgets
    if (endpoint !== null) await service.webhooks.tick();
    begin = end;
    onPeriod((end - now + YEAR_MS) / YEAR_MS);
  }
  const messages = await playConversations(stage);
  await endDeliveries(stage, endpoint);
  const { customers, products, packages } = catalog;
  return {
    customers: customers.length,
    products: products.length,
    packages: packages.length,
    budgets: ids.size,
    messages,
    key: key.key,
    ...counts,
  };
}

/** The end times of the periods, in order. */
function periodsUntil(now: number): number[] {
  const days = Array.from({ length: YEAR_MS / DAY_MS }, (_, index) => index + 1);
  const last = days.length - WEBHOOK_DAYS;
  return days.filter((day) => day % 7 === 0 || day >= last).map((day) => now - YEAR_MS + day * DAY_MS);
}

async function makeCatalog(
  { service, actor }: DemoStage,
  { customers, products, packages }: CatalogPlan,
): Promise<void> {
  await Promise.all(customers.map(async (customer) => orRefuse(await service.customers.create(actor, customer))));
  await Promise.all(
    products.map(async ({ variants, ...product }) =>
      orRefuse(await service.products.create(actor, { ...product, variants: [...variants] })),
    ),
  );
  await Promise.all(
    packages.map(async ({ items, ...bundle }) =>
      orRefuse(await service.packages.create(actor, { ...bundle, items: [...items] })),
    ),
  );
}

/** Creates an endpoint that receives events from now on. */
async function makeEndpoint({ service, actor }: DemoStage): Promise<string> {
  for (let fannedOut = 1; fannedOut > 0; ) fannedOut = (await service.webhooks.tick()).fannedOut;
  const url = "https://hooks.demo.example/budgets"; // .example is reserved
  return orRefuse(await service.webhooks.create(actor, { url, description: "Demo receiver" })).id;
}

/** Plays the steps of a period: budgets in parallel, the steps of each in order. @returns the number of payments */
async function playSteps(stage: DemoStage, steps: readonly PlannedStep[], ids: Map<number, string>): Promise<number> {
  const byBudget = groupByBudget(steps);
  const paid = await Promise.all(
    [...byBudget].map(async ([budget, own]) => {
      let payments = 0;
      for (const step of own) {
        await playStep(stage, step, budget, ids);
        if (step.step.kind === "pay") payments += 1;
      }
      return payments;
    }),
  );
  return paid.reduce((sum, payments) => sum + payments, 0);
}

async function playStep(
  { service, actor }: DemoStage,
  { at, step }: PlannedStep,
  budget: number,
  ids: Map<number, string>,
) {
  const { budgets } = service;
  const options = { now: at };
  if (step.kind === "create") {
    const { items, ...input } = step.input;
    const made = orRefuse(
      await budgets.create(actor, { ...input, items: items.map((item) => ({ ...item })) }, options),
    );
    ids.set(budget, made.id);
    return;
  }
  const id = ids.get(budget) ?? "";
  switch (step.kind) {
    case "submit":
      return orRefuse(await budgets.submit(actor, id, options));
    case "approve":
    case "reject": {
      const status = step.kind === "approve" ? "APPROVED" : "REJECTED";
      const date = step.validUntil === undefined ? {} : { validUntil: step.validUntil };
      return orRefuse(await budgets.update(actor, id, { status, ...date }, options));
    }
    case "complete":
      return orRefuse(await budgets.complete(actor, id, options));
    case "archive":
      return orRefuse(await budgets.archive(actor, id, options));
    case "delete":
      return orRefuse(await budgets.delete(actor, id, options));
    case "pay": {
      const { total, paid } = orRefuse(await budgets.get(actor, id));
      const openCents = Math.round((total - paid) * 100); // two halves of an odd amount are a cent more
      const amount = Math.min(Math.round(total * step.share * 100), openCents) / 100;
      return orRefuse(await budgets.recordPayment(actor, id, { amount, reference: step.reference }, options));
    }
    case "expire": // maintenance does it at the end of the period
      return;
  }
}

/** Requests of an integration, so that the statistics have data. */
async function makeRequests(
  { service, clock, draws }: DemoStage,
  key: string,
  from: number,
  until: number,
  ids: readonly string[],
) {
  const count = Math.ceil(((until - from) / DAY_MS) * draws.integer(1, 3));
  // In their order: a limit takes an hour that comes after a later one for the same hour.
  const times = Array.from({ length: count }, () => from + draws.integer(0, until - from - 1)).sort((a, b) => a - b);
  for (const time of times) {
    clock.set(time);
    const path = draws.one([
      "budgets?limit=20",
      "budgets?status=PENDING",
      ids.length === 0 ? "budgets" : `budgets/${draws.one(ids)}`,
      "customers?limit=50",
      "products?limit=50",
      "budgets/1", // unknown on purpose
    ]);
    const address = `http://localhost/v1/api/public/${path}`;
    await service.fetch(new Request(address, { headers: { authorization: `Bearer ${key}` } }), {
      peerAddress: "192.0.2.10",
    });
  }
  return count;
}

/** Disables the endpoint, because no receiver listens there; pending deliveries are cancelled. */
async function endDeliveries({ service, clock, actor, now }: DemoStage, endpoint: string | null): Promise<void> {
  clock.set(now);
  if (endpoint !== null) orRefuse(await service.webhooks.update(actor, endpoint, { status: "DISABLED" }));
}

function groupByBudget(steps: readonly PlannedStep[]): Map<number, PlannedStep[]> {
  const groups = new Map<number, PlannedStep[]>();
  for (const step of steps) groups.set(step.budget, [...(groups.get(step.budget) ?? []), step]);
  return groups;
}

/** Replaces the network: a receiver that succeeds on most days, and fails or times out on some. */
export function demoReceiver(draws: Draws): WebhookSender {
  return {
    send: async () => {
      const luck = draws.number();
      const durationMs = draws.integer(20, 400);
      if (luck < 0.04) return { kind: "failed", error: "the connection was refused", durationMs };
      const responseCode = luck < 0.12 ? 500 : 200;
      return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds: null, durationMs };
    },
  };
}
