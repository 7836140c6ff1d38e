import { aBudgetQuery, drawInteger, drawOne, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { type BusinessProfile, EMPTY_PROFILE } from "../access/business.js";
import { budgetWorld } from "../testing/budget-world.js";

const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
const input = { customerId: "c-1", items };
const offer = {
  currency: "ARS",
  issueDate: "2026-03-01",
  expirationDate: "2099-12-31",
  customerId: 500,
  sellerId: 7,
  minimumPaymentToConfirm: 0,
  subtotal: 100,
  total: 121,
  iva: 21,
  items: [{ quantity: 1, unitPrice: 100 }],
};

/** A world whose business has this profile, which the test may change. */
function numberedWorld(given: Partial<BusinessProfile> = { numberPattern: "Q-{year}-{seq:4}" }, timeZone = "UTC") {
  const seller = { name: "Norte", timeZone, profile: { ...EMPTY_PROFILE, ...given } };
  const world = budgetWorld({ findBusiness: async () => seller });
  const { budgets, actor } = world;
  const create = async (more: object = {}) => (await budgets.create(actor, { ...input, ...more }))._unsafeUnwrap();
  return { ...world, create, change: (changed: Partial<BusinessProfile>) => Object.assign(seller.profile, changed) };
}

describe("the number of a budget", () => {
  it("is given when it is created, shown in its event and views, and kept by every change", async () => {
    const { budgets, actor, create, events, clock } = numberedWorld();
    const created = await create();
    expect(created.number).toBe("Q-2026-0001");
    const { id } = created;
    clock.set("2027-05-01T00:00:00Z");
    await budgets.update(actor, id, { notes: "changed", status: "APPROVED" });
    await budgets.reopen(actor, id, { reason: "asked for" });
    await budgets.delete(actor, id);
    await budgets.restore(actor, id);
    const read = (await budgets.get(actor, id))._unsafeUnwrap();
    expect(read.number).toBe("Q-2026-0001");
    expect((await events()).map(({ data }) => data.number)).toEqual(Array((await events()).length).fill("Q-2026-0001"));
    const revision = (await budgets.getRevision(actor, id, 1))._unsafeUnwrap();
    expect(revision.number).toBe("Q-2026-0001");
    const listed = (await budgets.list(actor, { search: "q-2026-0001" }))._unsafeUnwrap();
    expect(listed.data).toMatchObject([{ id, number: "Q-2026-0001" }]);
  });

  it("waits until a draft is sent; a copy gets one of its own", async () => {
    const { budgets, actor, create, events } = numberedWorld();
    const draft = await create({ draft: true });
    expect(draft).not.toHaveProperty("number");
    await create();
    const sent = (await budgets.submit(actor, draft.id))._unsafeUnwrap();
    expect(sent.number).toBe("Q-2026-0002");
    expect((await events()).at(-1)?.data).toMatchObject({ id: draft.id, number: "Q-2026-0002" });
    const withdrawn = (await budgets.withdraw(actor, draft.id))._unsafeUnwrap();
    expect(withdrawn.number).toBe("Q-2026-0002");
    const copy = (await budgets.duplicate(actor, draft.id))._unsafeUnwrap();
    expect(copy).not.toHaveProperty("number");
    expect((await budgets.submit(actor, draft.id))._unsafeUnwrap().number).toBe("Q-2026-0002");
    expect((await budgets.update(actor, copy.id, { status: "PENDING" }))._unsafeUnwrap().number).toBe("Q-2026-0003");
  });

  it("is on the public link of a public creation", async () => {
    const { budgets, actor } = numberedWorld();
    const { publicToken } = (await budgets.createPublic(actor, offer))._unsafeUnwrap();
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap().number).toBe("Q-2026-0001");
  });

  it("starts again in a new year of the business's time zone, and with a new pattern", async () => {
    const { create, clock, change } = numberedWorld({ numberPattern: "Q-{year}-{seq:4}" }, "America/Lima");
    clock.set("2027-01-01T04:59:59Z");
    expect((await create()).number).toBe("Q-2026-0001");
    clock.set("2027-01-01T05:00:00Z");
    expect((await create()).number).toBe("Q-2027-0001");
    change({ numberPattern: "P{seq}" });
    expect([(await create()).number, (await create()).number]).toEqual(["P1", "P2"]);
    change({ numberPattern: null });
    expect(await create()).not.toHaveProperty("number");
    change({ numberPattern: "P{seq}" });
    expect((await create()).number).toBe("P3");
  });

  it("of an import is kept, moves the series behind it, and belongs to one budget", async () => {
    const { budgets, actor, create } = numberedWorld();
    const imported = (number: string | null) => budgets.create(actor, input, { imported: { number } });
    expect((await imported("Q-2026-0041"))._unsafeUnwrap().number).toBe("Q-2026-0041");
    expect((await imported("old 7"))._unsafeUnwrap().number).toBe("old 7");
    expect((await imported(null))._unsafeUnwrap()).not.toHaveProperty("number");
    expect((await imported("old 7"))._unsafeUnwrapErr()).toMatchObject({
      rule: "NUMBER_TAKEN",
      details: { field: "number" },
    });
    expect((await create()).number).toBe("Q-2026-0042");
  });

  it("follows the model of one counter a series through any history", async () => {
    const random = seededRandom(3);
    const { budgets, actor, create, change, clock, store, lostClaim } = numberedWorld();
    const counters = new Map<string, number>();
    const expected = new Map<string, string>();
    let pattern = "Q-{year}-{seq:4}";
    let year = 2026;
    const count = (id: string) => {
      const series = pattern.replace("{year}", String(year));
      const value = (counters.get(series) ?? 0) + 1;
      counters.set(series, value);
      expected.set(id, series.replace("{seq:4}", String(value).padStart(4, "0")).replace("{seq}", String(value)));
    };
    const drafts: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      const kind = drawInteger(random, 6);
      if (kind === 0) drafts.push((await create({ draft: true })).id);
      else if (kind === 1) {
        const id = drafts.pop();
        if (id !== undefined && (await budgets.submit(actor, id)).isOk()) count(id);
      } else if (kind === 2) {
        pattern = drawOne(random, ["Q-{year}-{seq:4}", "P{seq}", "{seq:4}/{year}"]);
        change({ numberPattern: pattern });
      } else if (kind === 3 && drawInteger(random, 4) === 0) {
        year += 1;
        clock.set(`${year}-06-01T00:00:00Z`);
      } else if (kind === 4) {
        expect((await budgets.create(actor, input, { claim: lostClaim })).isErr()).toBe(true);
      } else count((await create()).id);
    }
    const { entries } = await store.listBudgets(actor.businessId, aBudgetQuery({ now: clock.now() }));
    const numbers = entries.flatMap(({ id, number }) => (number === undefined ? [] : [[id, number] as const]));
    expect(new Map(numbers)).toEqual(expected);
  });
});

describe("the terms of a budget", () => {
  it("are those of the business on the day on which it is sent", async () => {
    const { budgets, actor, create, change } = numberedWorld({ terms: "30 days" });
    const { id, terms } = await create();
    expect(terms).toBe("30 days");
    const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
    change({ terms: "60 days" });
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap().business.terms).toBe("30 days");
    const copy = (await budgets.duplicate(actor, id))._unsafeUnwrap();
    expect(copy).not.toHaveProperty("terms");
    expect((await budgets.submit(actor, copy.id))._unsafeUnwrap().terms).toBe("60 days");
  });

  it("may be its own, also in a copy; null leads back to those of the business", async () => {
    const { budgets, actor, create } = numberedWorld({ terms: "30 days" });
    const { id, terms } = await create({ terms: "Paid in advance" });
    expect(terms).toBe("Paid in advance");
    const copy = (await budgets.duplicate(actor, id))._unsafeUnwrap();
    expect((await budgets.submit(actor, copy.id))._unsafeUnwrap().terms).toBe("Paid in advance");
    expect((await budgets.update(actor, id, { terms: null }))._unsafeUnwrap().terms).toBe("30 days");
    const draft = await create({ draft: true, terms: "Half" });
    expect((await budgets.update(actor, draft.id, { terms: null }))._unsafeUnwrap()).not.toHaveProperty("terms");
  });

  it("are content: a change makes a revision that names it", async () => {
    const { budgets, actor, create } = numberedWorld();
    const { id } = await create();
    const changed = (await budgets.update(actor, id, { terms: "Half in advance" }))._unsafeUnwrap();
    expect(changed).toMatchObject({ revision: 2, terms: "Half in advance" });
    expect((await budgets.getRevision(actor, id, 2))._unsafeUnwrap().changes).toEqual(["terms"]);
    const { changes } = (await budgets.compareRevisions(actor, id, 2))._unsafeUnwrap();
    expect(changes).toEqual([{ kind: "field", field: "terms", before: null, after: "Half in advance" }]);
    await budgets.update(actor, id, { status: "APPROVED" });
    const refused = (await budgets.update(actor, id, { terms: "other" }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "BUDGET_LOCKED", details: { fields: ["terms"] } });
  });

  it("of a business without any are absent, and shown as they are now", async () => {
    const { budgets, actor, create, change } = numberedWorld({});
    const created = await create();
    expect(created).not.toHaveProperty("terms");
    const { publicToken } = (await budgets.createPublicLink(actor, created.id))._unsafeUnwrap();
    change({ terms: "since then" });
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap().business.terms).toBe("since then");
  });
});
