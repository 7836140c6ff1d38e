import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { createBudgetService } from "./create-service.js";
import { DAY_MS } from "./kernel/clock.js";

/** A ledger of four entries, of which the first two can be removed by hand. */
async function world() {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const store = memoryStore();
  const errors: unknown[] = [];
  const secret = "a secret for tests that is long enough";
  const onError = (error: unknown) => errors.push(error);
  const service = createBudgetService({ store, clock, secret, random: seededRandom(3), onError });
  await store.migrate();
  const { id } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: id } as const;
  (await service.customers.create(actor, { name: "Ana" }))._unsafeUnwrap();
  const { head } = await service.ledger.check(id);
  const checkpoint = JSON.stringify((await service.ledger.checkpoint(actor))._unsafeUnwrap());
  for (const name of ["Bea", "Eva"]) (await service.customers.create(actor, { name }))._unsafeUnwrap();
  const faultOf = async () => (await service.ledger.check(id)).fault;
  return { clock, store, service, errors, actor, id, head, checkpoint, faultOf };
}

describe("The checkpoint of the removed entries", () => {
  it("has to be signed", async () => {
    const { store, id, head, checkpoint, faultOf } = await world();
    const changed = checkpoint.replace('"signature":"', '"signature":"AAAA');
    await store.pruneLedger(id, { ...head, checkpoint: changed }, 0);
    const says = "the checkpoint of the removed entries is not valid: signature does not match";
    expect(await faultOf()).toEqual({ kind: "removed", sequence: 2, says });
  });

  it.each(["{}", "null", "not JSON"])("has to be a checkpoint, not %s", async (checkpoint) => {
    const { store, id, head, faultOf } = await world();
    await store.pruneLedger(id, { ...head, checkpoint }, 0);
    expect((await faultOf())?.says).toContain("is not valid");
  });

  it("has to be of the entry before the first that is kept", async () => {
    const { store, service, actor, id, head, faultOf } = await world();
    const later = JSON.stringify((await service.ledger.checkpoint(actor))._unsafeUnwrap());
    await store.pruneLedger(id, { ...head, checkpoint: later }, 0);
    expect((await faultOf())?.says).toContain("is of another entry");
  });

  it("has to say that retention removed them, which no checkpoint of a last entry says", async () => {
    const { store, id, head, checkpoint, faultOf } = await world();
    await store.pruneLedger(id, { ...head, checkpoint }, 0);
    expect((await faultOf())?.says).toContain("does not say that retention removed them");
  });

  it("is not replaced by retention where it is not valid", async () => {
    const { store, service, clock, errors, actor, id, head, checkpoint, faultOf } = await world();
    await store.pruneLedger(id, { ...head, checkpoint }, 0);
    clock.advance(40 * DAY_MS);
    await service.tick();
    (await service.customers.create(actor, { name: "Ida" }))._unsafeUnwrap();
    await service.tick();
    expect(await service.ledger.check(id)).toMatchObject({ entries: 3, start: { ...head, checkpoint } });
    expect((await faultOf())?.kind).toBe("removed");
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toContain("does not say that retention removed them");
  });
});
