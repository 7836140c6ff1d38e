import { createBudgetService } from "@budgetkit/core";
import { DAY_MS } from "@budgetkit/core/store";
import { describe, expect, it } from "vitest";
import { type LedgerDatabase, ledgerOn, postgresLedger, sqliteLedger } from "./world.js";

/** The ledger of a business, as a service on the database verifies it. */
async function checkOn({ store }: LedgerDatabase, id: string) {
  const opened = store();
  const service = createBudgetService({ store: opened, secret: "a secret for tests that is long enough" });
  const check = await service.ledger.check(id);
  await service.stop();
  await opened.close();
  return check;
}

/** A pruned ledger on SQLite with its checkpoint in a file, and an empty PostgreSQL database. */
async function prunedLedger() {
  const source = await ledgerOn(sqliteLedger);
  source.clock.advance(40 * DAY_MS);
  await source.inService(async (service) => {
    const actor = { kind: "system", businessId: source.id } as const;
    (await service.customers.create(actor, { name: "Bea" }))._unsafeUnwrap();
    await service.tick();
    (await service.customers.create(actor, { name: "Eva" }))._unsafeUnwrap();
  });
  expect((await source.command(`ledger checkpoint --business ${source.id} --output checkpoint.json`)).code).toBe(0);
  const before = await source.inService((service) => service.ledger.check(source.id));
  expect(before).toMatchObject({ entries: 2, start: { sequence: 7 }, head: { sequence: 9 }, fault: null });
  return { source, before, target: await postgresLedger() };
}

describe("A ledger that moves", () => {
  it("a copied ledger verifies from the same start to the same head, and continues there", async () => {
    const { source, before, target } = await prunedLedger();
    expect((await source.command(`copy --from ${source.url} --to ${target.url}`)).code).toBe(0);
    expect(await checkOn(target, source.id)).toEqual(before);
    const doctor = `doctor --ledger --business ${source.id} --checkpoint checkpoint.json --database-url ${target.url}`;
    expect(await source.command(doctor)).toMatchObject({ code: 0, complaints: "" });
    expect((await source.command(`business set-tier ${source.id} PREMIUM --database-url ${target.url}`)).code).toBe(0);
    expect(await source.command(doctor)).toMatchObject({ code: 0, out: expect.stringContaining("3 entries") });
  });

  it("a copied ledger keeps its fault", async () => {
    const { source, target } = await prunedLedger();
    await source.run("UPDATE @events SET document = replace(document, 'Eva', 'Ana') WHERE sequence = 9");
    expect((await source.command(`copy --from ${source.url} --to ${target.url}`)).code).toBe(0);
    const found = await source.command(`doctor --ledger --database-url ${target.url}`);
    expect(found).toMatchObject({ code: 1, out: expect.stringContaining("the entry 9 does not match its hash") });
  });

  it("an export leaves the ledger unchanged, and an import makes a ledger of its own that verifies", async () => {
    const { source, before, target } = await prunedLedger();
    expect((await source.command(`copy --from ${source.url} --to ${target.url}`)).code).toBe(0);
    const onTarget = `--database-url ${target.url}`;
    expect((await source.command(`export --business ${source.id} --output b.jsonl ${onTarget}`)).code).toBe(0);
    expect(await checkOn(target, source.id)).toEqual(before);
    const back = JSON.parse((await source.command("business create --name Norte --json")).out).id;
    expect((await source.command(`import b.jsonl --business ${back}`)).code).toBe(0);
    expect((await source.command(`import b.jsonl --business ${back}`)).code).toBe(0); // changes nothing
    const imported = await source.inService((service) => service.ledger.check(back));
    expect(imported).toMatchObject({ entries: 9, start: null, fault: null }); // its creation and eight customers
    expect(await source.inService((service) => service.ledger.check(source.id))).toEqual(before);
    expect((await source.command("doctor --ledger")).out).toContain("of 2 businesses: unchanged");
  });
});
