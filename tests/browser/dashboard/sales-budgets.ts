import type { BudgetService } from "@budgetkit/core";

/** What must be shown as text: markup, a change of direction, and far too many letters. */
const HOSTILE = `<img src=x onerror="document.title='broken'"> \u202Egnp.exe ${"a".repeat(400)}`;

const DAY_MS = 86_400_000;

/**
 * A business with so many offers of 100 ARS that wait, and beside them a draft, an offer that ends in two days, one that
 * was accepted, and one whose texts are hostile.
 */
export async function sellBudgets(service: BudgetService, businessId: string, waiting: number): Promise<void> {
  const actor = { kind: "system", businessId } as const;
  const numbered = await service.businesses.update(actor, { numberPattern: "P-{seq:4}", email: "sales@roble.example" });
  numbered._unsafeUnwrap();
  const customers = [
    { id: "ana", name: "Ana Díaz", email: "ana@example.com" },
    { id: "hotel", name: "Hotel Alcázar", email: "hotel@example.com" },
    { id: "hostile", name: HOSTILE.slice(0, 200), email: null },
  ];
  for (const customer of customers) (await service.customers.create(actor, customer))._unsafeUnwrap();
  const add = async (customerId: string, description: string, days: number, draft = false) => {
    const validUntil = new Date(Date.now() + days * DAY_MS).toISOString();
    const items = [{ description, quantity: 1, unitPrice: 100 }];
    return (
      await service.budgets.create(actor, { customerId, currency: "ARS", taxRate: 0, validUntil, items, draft })
    )._unsafeUnwrap();
  };
  for (let index = 0; index < waiting; index += 1) await add("ana", `Oak shelf ${index + 1}`, 30);
  await add("ana", "A sketch of a table", 30, true);
  const accepted = await add("hotel", "Headboards", 30);
  (await service.budgets.update(actor, accepted.id, { status: "APPROVED" }))._unsafeUnwrap();
  await add("hotel", "Reception desk", 2);
  await add("hostile", HOSTILE, 30);
}
