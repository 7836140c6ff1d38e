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
  "balance",
  "dueToConfirm",
  "acceptance",
  "approval",
  "availableActions",
  "publicUrl",
  "hash",
  "evidenceUrl",
  "changeRequest",
  "declined",
  "signature",
  "paymentUrl",
  "messages",
  "revised",
  "acceptedBefore",
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
  it("the content hash covers every field of the public view except the budget's state", async () => {
    const { view } = await offered();
    const shown = await view();
    const fields = Object.keys(publicBudgetViewSchema.shape);
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue({ stringUnit: "grapheme" }), (field, value) => {
        fc.pre(
          field !== "business" &&
            field !== "customer" &&
            JSON.stringify(value) !== JSON.stringify(Object(shown)[field]),
        );
        fc.pre(JSON.stringify(value) !== "-0");
        const changed = contentHashOf(shownContentOf({ ...shown, [field]: value }));
        expect(changed === shown.hash).toBe(STATE.includes(field));
      }),
    );
  });

  it.each(Object.keys(publicBudgetViewSchema.shape.business.shape))(
    "covers the business's %s by the content hash, unless it only affects looks",
    async (field) => {
      const shown = await (await offered()).view();
      const business = { ...shown.business, [field]: "another" };
      const changed = contentHashOf(shownContentOf({ ...shown, business }));
      expect(changed === shown.hash).toBe(["accentColor", "locale", "logo", "linkPreview"].includes(field));
    },
  );

  it.each([
    ["name", true],
    ["address", false],
    ["taxId", false],
  ])("the content hash changes with the customer's %s: %s", async (field, changes) => {
    const shown = await (await offered()).view();
    const customer = { ...shown.customer, [field]: "another" };
    expect(contentHashOf(shownContentOf({ ...shown, customer })) !== shown.hash).toBe(changes);
  });

  it("the content hash does not depend on the order of the fields", async () => {
    const shown = await (await offered()).view();
    const shuffled = {
      ...Object.fromEntries(Object.entries(shown).reverse()),
      business: shown.business,
      customer: shown.customer,
    };
    expect(contentHashOf(shownContentOf(shuffled))).toBe(shown.hash);
  });

  it("the content hash stays the same when only the state changes", async () => {
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
  ])("the content hash changes with %s", async (_what, change) => {
    const { budgets, actor, id, view } = await offered();
    const { hash } = await view();
    (await budgets.update(actor, id, change))._unsafeUnwrap();
    expect((await view()).hash).not.toBe(hash);
  });

  it("the content hash changes with the name of the customer", async () => {
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
