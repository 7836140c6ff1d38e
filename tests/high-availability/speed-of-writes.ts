import { createBudgetService } from "@budgetkit/core";
import { postgresStore } from "@budgetkit/store-postgres";

const ALONE = 500;
const TOGETHER = 4_000;
const WRITERS = 32;
const secret = "a secret of at least thirty-two characters";

/** The median time of a write that no other one accompanies, and the number of writes a second with many at a time. */
export async function speedOfWrites(url: string): Promise<{ medianMs: number; perSecond: number }> {
  const store = postgresStore(url);
  try {
    await store.migrate();
    const service = createBudgetService({ store, secret });
    const { id } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: id } as const;
    const input = { customerId: "c", items: [{ description: "Chair", quantity: 1, unitPrice: 10 }] };
    const write = async () => (await service.budgets.create(actor, input))._unsafeUnwrap();
    const times: number[] = [];
    for (let made = 0; made < ALONE; made += 1) {
      const startedMs = performance.now();
      await write();
      times.push(performance.now() - startedMs);
    }
    const startedMs = performance.now();
    const writeMany = async () => {
      for (let made = 0; made < TOGETHER / WRITERS; made += 1) await write();
    };
    await Promise.all(Array.from({ length: WRITERS }, writeMany));
    const seconds = (performance.now() - startedMs) / 1_000;
    return { medianMs: times.sort((a, b) => a - b)[ALONE / 2] ?? 0, perSecond: TOGETHER / seconds };
  } finally {
    await store.close();
  }
}
