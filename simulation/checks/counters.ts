import type { Budget } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import type { Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";
import { queryAt } from "./stored.js";

/** The counters of lists and dashboards, and those of the quotas, equal a recount. */
export async function checkCounters(
  { store, scheduler }: World,
  tenant: Tenant,
  budgets: readonly Budget[],
): Promise<void> {
  const { businessId } = tenant;
  const counted = new Map<string, { budgets: number; total: bigint }>();
  for (const { status, currency, total } of budgets) {
    const name = `${status} ${currency}`;
    const sum = counted.get(name) ?? { budgets: 0, total: 0n };
    counted.set(name, { budgets: sum.budgets + 1, total: sum.total + BigInt(total) });
  }
  const sums = await store.sumBudgets(businessId, scheduler.now);
  for (const { status, currency, budgets: number, total } of sums) {
    const recount = counted.get(`${status} ${currency}`);
    if (recount?.budgets !== number || recount.total !== total) {
      throw new Violation(
        "counters equal recounts",
        `${number} ${status} budgets of ${total}, not ${recount?.budgets}`,
      );
    }
    counted.delete(`${status} ${currency}`);
  }
  if (counted.size > 0) throw new Violation("counters equal recounts", `no sum of ${[...counted.keys()].join(", ")}`);
  for (const status of new Set(budgets.map((budget) => budget.status))) {
    const page = await store.listBudgets(businessId, { ...queryAt(scheduler.now), status, limit: 1 });
    const recount = budgets.filter((budget) => budget.status === status).length;
    if (page.total !== recount)
      throw new Violation("counters equal recounts", `${page.total} ${status}, not ${recount}`);
  }
  const use = await store.measureStorage(businessId);
  if (use.budgets !== budgets.length) {
    throw new Violation("counters equal recounts", `the quota counts ${use.budgets} budgets, not ${budgets.length}`);
  }
}
