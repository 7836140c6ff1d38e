import { createBudgetService } from "@budgetkit/core";
import { DAY_MS } from "@budgetkit/core/store";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { checkLedgers, type LedgerQuestion } from "./check-ledgers.js";

async function world() {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const store = memoryStore();
  const secret = "a secret for tests that is long enough";
  const service = createBudgetService({ store, clock, secret, random: seededRandom(3) });
  await store.migrate();
  const { id } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: id } as const;
  const ask = (question: LedgerQuestion) => checkLedgers(service, question, () => {});
  const { head } = await service.ledger.check(id);
  return { clock, service, actor, id, ask, known: { ...head, businessId: id } };
}

describe("The check of ledgers with a checkpoint", () => {
  it("reports a checkpoint of a business that the doctor does not check", async () => {
    const { id, ask, known } = await world();
    expect(await ask({ businessId: id, known })).toMatchObject([{ state: "ok" }]);
    const other = { ...known, businessId: "999999" };
    const ofOther = { state: "wrong", says: expect.stringContaining("of the business 999999, which was not checked") };
    expect(await ask({ businessId: id, known: other })).toMatchObject([ofOther]);
    expect(await ask({ businessId: null, known: other })).toMatchObject([ofOther]);
  });

  it("warns when retention has removed the entry of the checkpoint", async () => {
    const { clock, service, actor, id, ask, known } = await world();
    (await service.customers.create(actor, { name: "Ana" }))._unsafeUnwrap();
    clock.advance(40 * DAY_MS);
    await service.tick();
    const tooOld = { state: "warning", says: expect.stringContaining("removed the entry 1 of the checkpoint") };
    expect(await ask({ businessId: id, known })).toMatchObject([{ state: "ok" }, tooOld]);
  });
});
