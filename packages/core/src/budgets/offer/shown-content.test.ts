import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordCommit } from "../../catalog/catalog-commits.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { publicBudgetViewSchema } from "./public-view.js";
import { contentHashOf, shownContentOf } from "./shown-content.js";

/** What a customer sees that may change while the offer stays the same. */
const STATE = [
  "version",
  "status",
  "paid",
  "dueToConfirm",
  "acceptance",
  "approval",
  "availableActions",
  "publicUrl",
  "hash",
  "evidenceUrl",
  "changeRequest",
  "signature",
];

async function offered() {
  const world = budgetWorld();
  const { budgets, actor } = world;
  const items = [{ description: "Oak table", quantity: 2.5, unitPrice: 0.123456 }];
  const { id } = (await budgets.create(actor, { customerId: "ana", items, taxRate: 0.21 }))._unsafeUnwrap();
  const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
  const view = async () => (await budgets.openPublicLink(publicToken))._unsafeUnwrap();
  return { ...world, id, publicToken, view };
}

describe("the content of an offer", () => {
  it("is every field of the public view but its state: a change of one changes the hash, and only then", async () => {
    const { view } = await offered();
    const shown = await view();
    const fields = Object.keys(publicBudgetViewSchema.shape);
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue({ stringUnit: "grapheme" }), (field, value) => {
        fc.pre(field !== "business" && JSON.stringify(value) !== JSON.stringify(Object(shown)[field]));
        fc.pre(JSON.stringify(value) !== "-0");
        const changed = contentHashOf(shownContentOf({ ...shown, [field]: value }));
        expect(changed === shown.hash).toBe(STATE.includes(field));
      }),
    );
  });

  it.each(Object.keys(publicBudgetViewSchema.shape.business.shape))(
    "has the %s of the business, unless it is of looks only",
    async (field) => {
      const shown = await (await offered()).view();
      const business = { ...shown.business, [field]: "another" };
      const changed = contentHashOf(shownContentOf({ ...shown, business }));
      expect(changed === shown.hash).toBe(["accentColor", "locale", "logo"].includes(field));
    },
  );

  it("does not depend on the order of the fields", async () => {
    const shown = await (await offered()).view();
    const shuffled = { ...Object.fromEntries(Object.entries(shown).reverse()), business: shown.business };
    expect(contentHashOf(shownContentOf(shuffled))).toBe(shown.hash);
  });

  it("stays the same over all that changes the state alone", async () => {
    const { budgets, actor, clock, id, publicToken, view } = await offered();
    const { hash } = await view();
    await budgets.recordPayment(actor, id, { amount: 0.1, reference: "1" });
    await budgets.update(actor, id, { metadata: { order: "7" } });
    expect((await view()).hash).toBe(hash);
    (await budgets.answerPublicLink(publicToken, "accept", { version: (await view()).version }))._unsafeUnwrap();
    expect((await view()).hash).toBe(hash);
    clock.advance(1_000);
    (await budgets.complete(actor, id))._unsafeUnwrap();
    expect((await view()).hash).toBe(hash);
  });

  it.each([
    ["an item", { items: [{ description: "Oak table", quantity: 2.5, unitPrice: 0.123457 }] }],
    ["the notes", { notes: "Without delivery" }],
    ["the validity", { validUntil: "2026-12-31" }],
    ["the tax", { taxRate: 0.105 }],
    ["the discount", { discountAmount: 0.01 }],
  ])("changes with %s", async (_what, change) => {
    const { budgets, actor, id, view } = await offered();
    const { hash } = await view();
    (await budgets.update(actor, id, change))._unsafeUnwrap();
    expect((await view()).hash).not.toBe(hash);
  });

  it("changes with the name of the customer", async () => {
    const { store, clock, view } = await offered();
    const { hash } = await view();
    const { aCustomer } = await import("@budgetkit/testing");
    await store.commit(
      recordCommit(
        "customer",
        aCustomer({ businessId: "1", id: "ana", name: "Ana Ruiz", createdAt: clock.now() }),
        "absent",
      ),
    );
    expect((await view()).customer.name).toBe("Ana Ruiz");
    expect((await view()).hash).not.toBe(hash);
  });
});
