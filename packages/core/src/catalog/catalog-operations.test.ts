import { aClaim, anEventQuery, type ManualClock, manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import type { DomainEvent } from "../events/event.js";
import { HeldClaim } from "../idempotency/held-claim.js";
import type { Actor } from "../kernel/actor.js";
import { createCall } from "../kernel/call.js";
import { createIdSource, idRange } from "../kernel/ids.js";
import type { Problem } from "../kernel/problem.js";
import { deriveSecrets } from "../kernel/secret-box.js";
import type { Store } from "../store.js";
import { commitOn } from "../testing/commit-on.js";
import { type CatalogOperations, createCatalogOperations } from "./catalog-operations.js";

const actor: Actor = { kind: "system", businessId: "1" };
const LATER = "2026-03-02T12:00:01.000Z";

describe("the catalog in process", () => {
  let store: Store;
  let clock: ManualClock;
  let announced: DomainEvent[];
  let catalog: CatalogOperations;

  beforeEach(() => {
    store = memoryStore();
    clock = manualClock("2026-03-02T12:00:00.000Z");
    announced = [];
    catalog = operationsOn(store);
  });

  function operationsOn(onStore: Store): CatalogOperations {
    const commit = commitOn(onStore, (events) => void announced.push(...events));
    const quota = { budgets: null, bytes: null };
    const findBusiness = async () => null;
    const ids = createIdSource(onStore);
    const context = { store: onStore, commit, clock, ids, quota, rounding: "half-up", findBusiness } as const;
    return createCatalogOperations(
      () => context,
      createCall(async () => {}),
    );
  }

  it("the catalog in process does what the API does, with checked input and typed results", async () => {
    const made = (await catalog.customers.create(actor, { name: "Ana", cuit: "20-30123456-3" }))._unsafeUnwrap();
    expectTypeOf(made.cuit).toEqualTypeOf<string | null>();
    expect(made).toMatchObject({ name: "Ana", cuit: "20301234563", email: null, version: 1 });
    expect((await catalog.customers.get(actor, made.id))._unsafeUnwrap()).toEqual(made);
    const list = (await catalog.customers.list(actor, { limit: 5, includeDeleted: true }))._unsafeUnwrap();
    expect(list.data).toEqual([made]);
    const bad = await catalog.customers.create(actor, { name: "", email: "nobody" });
    expect(bad._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field: "name" }, { field: "email" }] });
    const stale = await catalog.customers.update(actor, made.id, { name: "B" }, { expectedVersion: 2 });
    expect(stale._unsafeUnwrapErr().kind).toBe("stale");
  });

  it("the catalog announces what it commits, and only that", async () => {
    await catalog.products.create(actor, { id: "p", name: "Table" });
    await catalog.products.create(actor, { id: "p", name: "Table" });
    clock.set(LATER);
    await catalog.products.update(actor, "p", { name: "Table" });
    await catalog.products.update(actor, "p", { unitPrice: 3 });
    await catalog.packages.create(actor, { id: "b", name: "Set", items: [{ productId: "p", quantity: 1 }] });
    await catalog.products.delete(actor, "p");
    await catalog.products.restore(actor, "p");
    const types = ["product.created", "product.updated", "product.deleted", "product.updated"];
    expect(announced.map(({ type }) => type)).toEqual(types);
    const { entries } = await store.listEvents("1", anEventQuery());
    const [ofPackage, ...others] = [...entries].sort((a, b) => Number(a.type > b.type) - Number(a.type < b.type));
    expect(ofPackage).toMatchObject({ type: "package.created", subjectId: "b", change: { from: null, to: "ACTIVE" } });
    expect(others.map(({ id }) => id).sort()).toEqual(announced.map(({ id }) => id).sort());
    expect(announced[1]).toMatchObject({ actor: "system", subjectId: "p", data: { previous: { unitPrice: null } } });
    expect((await catalog.products.get(actor, "p"))._unsafeUnwrap().version).toBe(5);
  });

  it("commits no catalog record when the claim of a request is lost (CONFLICT)", async () => {
    const { box } = deriveSecrets(["a secret for tests"], seededRandom(7));
    const options = () => ({ claim: new HeldClaim(aClaim(), box) });
    const made = await catalog.customers.create(actor, { id: "c", name: "Ana" }, options());
    expect(made._unsafeUnwrapErr().kind).toBe("conflict");
    await catalog.customers.create(actor, { id: "c", name: "Ana" });
    await catalog.customers.delete(actor, "c");
    expect((await catalog.customers.restore(actor, "c", options()))._unsafeUnwrapErr().kind).toBe("conflict");
    expect((await catalog.customers.get(actor, "c")).isErr()).toBe(true);
    expect(announced).toHaveLength(2);
  });

  it("a catalog update fails when other writers always come first (CONFLICT)", async () => {
    const contested: Store = { ...store, commit: async () => ({ kind: "refused", by: "stale" }) };
    await catalog.customers.create(actor, { id: "c", name: "Ana" });
    const refused: Problem = (await operationsOn(contested).customers.delete(actor, "c"))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "conflict", message: "Others keep changing this customer; try again." });
  });

  it("fails when every drawn catalog id is taken", async () => {
    const full: Store = { ...store, commit: async () => ({ kind: "refused", by: { taken: "id", value: "1" } }) };
    const refused = (await operationsOn(full).products.create(actor, { name: "Table" }))._unsafeUnwrapErr();
    expect(refused.kind).toBe("conflict");
  });

  it("finds a free catalog id behind thousands that a host has taken", async () => {
    await catalog.products.create(actor, { id: "p", name: "Table" });
    const bundle = { name: "Set", items: [{ productId: "p", quantity: 1 }] };
    const { first } = idRange(1);
    for (let n = 0; n < 3_000; n += 1) await catalog.packages.create(actor, { ...bundle, id: String(first + n) });
    const made = (await catalog.packages.create(actor, bundle))._unsafeUnwrap();
    expect(Number(made.id)).toBeGreaterThanOrEqual(first + 3_000);
  });

  it("gives each variant an id that no other variant of the product has", async () => {
    const { first } = idRange(1);
    const given = Array.from({ length: 20 }, (_, index) => ({ id: String(first + index), name: "Shirt" }));
    const variants = [{ name: "Shirt, red" }, ...given];
    const made = (await catalog.products.create(actor, { id: "shirt", name: "Shirt", variants }))._unsafeUnwrap();
    expect(made.variants[0]?.id).toBe(String(first + 20));
    expect(new Set(made.variants.map(({ id }) => id)).size).toBe(21);
  });
});
