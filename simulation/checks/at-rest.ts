import type { Budget } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import type { Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";
import { checkBodies } from "./bodies.js";
import { checkConsumers } from "./consumers.js";
import { checkCounters } from "./counters.js";
import { checkDeliveries } from "./deliveries.js";
import { checkLedger } from "./ledger.js";
import { checkWindow } from "./rate-window.js";
import { allBudgets } from "./stored.js";

/** Checked at the end, when all clients have ended and no work is left. */
export async function checkAtRest(world: World): Promise<void> {
  for (const tenant of world.tenants) {
    const budgets = await allBudgets(world, tenant);
    checkIntents(world, tenant, budgets);
    await checkCounters(world, tenant, budgets);
    await checkPayments(world, budgets);
    await checkDeliveries(world, tenant);
    await checkLedger(world, tenant);
    checkWindow(world, tenant);
  }
  await checkConsumers(world);
  checkBodies(world);
}

/** Each confirmed effect exists, and none exists twice. */
function checkIntents(
  { intents, intentOf, model }: World,
  { name, businessId }: Tenant,
  budgets: readonly Budget[],
): void {
  const counts = new Map<string, number>();
  for (const { id, metadata } of budgets) {
    const intent = intentOf.get(id) ?? String(metadata.intent);
    counts.set(intent, (counts.get(intent) ?? 0) + 1);
    if (model.budgets.get(id)?.tenant !== businessId)
      throw new Violation("no business sees another", `budget ${id} of ${name}`);
  }
  for (const [intent, count] of counts) {
    const { asked } = intents.get(intent) ?? { asked: 0 };
    if (count > asked)
      throw new Violation("one key, one effect", `${intent} made ${count} budgets, at most ${asked} were asked for`);
  }
  for (const { id, tenant } of model.budgets.values()) {
    if (tenant === businessId && !budgets.some((budget) => budget.id === id)) {
      throw new Violation("acknowledged writes stay", `budget ${id} of ${name} is gone`);
    }
  }
  for (const [intent, { done }] of intents) {
    const count = counts.get(intent);
    if (count !== undefined && count < done) {
      throw new Violation(
        "acknowledged writes stay",
        `${intent} was confirmed ${done} times, and made ${count} budgets`,
      );
    }
  }
}

async function checkPayments({ store }: World, budgets: readonly Budget[]): Promise<void> {
  for (const { businessId, id, paid, total } of budgets) {
    const { entries } = await store.listPayments(businessId, id, 1_000, 0);
    const sum = entries.reduce((all, { amount }) => all + amount, 0);
    if (sum !== paid || paid > total)
      throw new Violation("payments sum up", `budget ${id}: ${sum}, ${paid} of ${total}`);
    const references = new Set(entries.map(({ reference }) => reference));
    if (references.size !== entries.length) throw new Violation("one reference, one payment", `budget ${id}`);
  }
}
