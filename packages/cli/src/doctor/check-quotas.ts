import { type BudgetService, type Business, createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { type QuotaSettings, quotasOf } from "../settings/settings.js";
import { type Finding, ok, warning } from "./checks.js";

/** A business that has used this part of its quota is reported. */
const NEARLY_FULL = 0.9;

/** Reports each business that has used nearly all of its quota. For a database of the present schema. */
export function checkQuotas(store: Store, settings: QuotaSettings): Promise<Finding[]> {
  const secret = "for reading counters: no token is signed";
  return findNearlyFull(createBudgetService({ store, secret, quotas: quotasOf(settings) }));
}

async function findNearlyFull({ businesses }: BudgetService): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const page: readonly Business[] = (await businesses.list({ after })).unwrapOr([]);
    for (const { id } of page) {
      const storage = await businesses.storage(id);
      for (const resource of ["budgets", "bytes"] as const) {
        const { used = 0, limit = null } = storage?.[resource] ?? {};
        if (limit === null || used < limit * NEARLY_FULL) continue;
        findings.push(warning("quota", `the business ${id} stores ${used} of ${limit} ${resource}`));
      }
    }
    after = page.at(-1)?.id;
  }
  return findings.length === 0 ? [ok("quotas", "every business has room")] : findings;
}
