import type { Actor, BudgetService } from "@budgetkit/core";
import { sampleBudget } from "../data/sample-budgets.js";

/** A business of its own whose budgets' creations go to endpoints at these URLs. */
export async function businessWithEndpoints(service: BudgetService, urls: readonly string[]): Promise<Actor> {
  const { id } = (await service.businesses.create({ name: "Webhooks", tier: "ENTERPRISE" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: id } as const;
  for (const url of urls) (await service.webhooks.create(actor, { url }))._unsafeUnwrap();
  return actor;
}

/** Commits a budget, and with it one event. */
export async function commitEvent(service: BudgetService, actor: Actor): Promise<void> {
  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
  (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
}

/** A body such as is sent, for those who send it by other means. */
export function sampleBody(): string {
  const { id, customerId, total, currency, status } = sampleBudget(0, { businessId: "1", id: "42" });
  const data = { id, customerId, total, currency, status, createdAt: "2026-03-02T12:00:00.000Z", customer: {} };
  const metadata = { source: "budgetkit", version: "1.1.0", delivery_id: "4711", event_id: "4702", sequence: 96 };
  return JSON.stringify({ event: "budget.created", timestamp: "2026-03-02T12:00:00.000Z", data, metadata });
}
