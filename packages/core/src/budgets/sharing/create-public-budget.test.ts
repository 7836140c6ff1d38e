import { describe, expect, it } from "vitest";
import { budgetWorld } from "../../testing/budget-world.js";
import { itemsOf } from "../../testing/items-of.js";

const offer = {
  currency: "ARS",
  issueDate: "2026-03-01",
  expirationDate: "2026-03-31",
  customerId: 42,
  sellerId: 7,
  minimumPaymentToConfirm: 50,
  subtotal: 200,
  total: 242,
  iva: 42,
  items: [
    { productId: 5, quantity: 1, unitPrice: 100 },
    { packageId: 6, quantity: 2, unitPrice: 25 },
    { quantity: 1, unitPrice: 50 },
  ],
};

describe("creating a budget publicly", () => {
  it("public creation answers with a link that shows the budget and its number, which reads like any other", async () => {
    const { budgets, actor } = budgetWorld();
    const created = (await budgets.createPublic(actor, { ...offer, comments: "Thanks" }))._unsafeUnwrap();
    expect(created).toMatchObject({ success: true, publicUrl: `https://quotes.example/p/${created.publicToken}` });
    expect(created.publicToken).toMatch(/^[\w-]{43}$/);
    const read = (await budgets.get(actor, String(created.budgetId)))._unsafeUnwrap();
    expect(read).toMatchObject({
      customerId: "42",
      currency: "ARS",
      status: "PENDING",
      subtotal: 200,
      tax: 42,
      total: 242,
      notes: "Thanks",
      validUntil: "2026-03-31T23:59:59.999Z",
      publicOffer: { sellerId: "7", issueDate: "2026-03-01T00:00:00.000Z", minimumPaymentToConfirm: 50 },
    });
    expect(itemsOf(read).map((item) => [item.description, item.productId, item.packageId])).toEqual([
      ["Product 5", "5", undefined],
      ["Package 6", undefined, "6"],
      ["Item", undefined, undefined],
    ]);
    const shown = (await budgets.openPublicLink(created.publicToken))._unsafeUnwrap();
    expect(shown).toMatchObject({
      total: 242,
      availableActions: ["accept", "decline", "requestChange"],
      minimumPaymentToConfirm: 50,
      business: { name: "Carpintería Norte" },
    });
  });

  it.each([
    [{ total: 300 }, { rule: "TOTALS_MISMATCH", details: { field: "total", given: 300, computed: 242 } }],
    [
      { subtotal: 150, total: 192 },
      { rule: "TOTALS_MISMATCH", details: { field: "subtotal" } },
    ],
    [{ expirationDate: "2026-03-01" }, { rule: "VALIDITY_IN_THE_PAST", details: { field: "expirationDate" } }],
    [{ items: [{ productId: 1, packageId: 2, quantity: 1, unitPrice: 200 }] }, { rule: "PRODUCT_AND_PACKAGE" }],
    [{ issueDate: "2026-04-01" }, { rule: "ISSUED_AFTER_EXPIRATION", details: { field: "issueDate" } }],
    [{ issueDate: "2026-04-01T00:00:00.001+00:00" }, { rule: "ISSUED_AFTER_EXPIRATION" }],
    [{ businessId: 2 }, { kind: "forbidden" }],
    [
      { minimumPaymentToConfirm: 242.01 },
      { rule: "MINIMUM_ABOVE_TOTAL", details: { field: "minimumPaymentToConfirm", total: 242 } },
    ],
    [{ iva: 42.001 }, { kind: "invalid", errors: [{ field: "iva", code: "INVALID_FORMAT" }] }],
    [{ customerId: 1.5 }, { kind: "invalid", errors: [{ field: "customerId" }] }],
    [{ sellerId: 0 }, { kind: "invalid", errors: [{ field: "sellerId", code: "MIN_VALUE" }] }],
  ])("public creation refuses %j", async (overrides, problem) => {
    const { budgets, actor } = budgetWorld();
    const refused = await budgets.createPublic(actor, { ...offer, ...overrides });
    expect(refused._unsafeUnwrapErr()).toMatchObject(problem);
  });

  it("public creation accepts the expiration day as issueDate, and the actor's business or none", async () => {
    const { budgets, actor } = budgetWorld();
    for (const same of [{ issueDate: "2026-03-31" }, { businessId: 1 }, { businessId: null }]) {
      expect((await budgets.createPublic(actor, { ...offer, ...same })).isOk()).toBe(true);
    }
  });

  it("accepts a minimum payment up to the client's total, also a minor unit above the computed one", async () => {
    const { budgets, actor } = budgetWorld();
    for (const total of [242, 242.01]) {
      const input = { ...offer, total, minimumPaymentToConfirm: total };
      const { budgetId } = (await budgets.createPublic(actor, input))._unsafeUnwrap();
      const read = (await budgets.get(actor, String(budgetId)))._unsafeUnwrap();
      expect(read).toMatchObject({ total: 242, publicOffer: { minimumPaymentToConfirm: 242 } });
    }
  });

  it("public creation applies strict references (UNKNOWN_REFERENCE)", async () => {
    const { budgets, actor } = budgetWorld({ references: "strict" });
    expect((await budgets.createPublic(actor, offer))._unsafeUnwrapErr()).toMatchObject({ rule: "UNKNOWN_REFERENCE" });
  });
});

describe("the public link", () => {
  async function published() {
    const world = budgetWorld();
    const unconditional = { ...offer, minimumPaymentToConfirm: 0 };
    const { publicToken, budgetId } = (await world.budgets.createPublic(world.actor, unconditional))._unsafeUnwrap();
    return { ...world, token: publicToken, id: String(budgetId) };
  }

  it("the public link shows no catalog ids, no seller and no users of the business", async () => {
    const { budgets, token } = await published();
    const shown = JSON.stringify((await budgets.openPublicLink(token))._unsafeUnwrap());
    for (const hidden of ["customerId", "sellerId", "productId", "metadata", "createdBy", "approvedBy"]) {
      expect(shown).not.toContain(hidden);
    }
  });

  it("the public link accepts the shown version once, in the customer's name", async () => {
    const { budgets, actor, token, id, events } = await published();
    const accepted = await budgets.answerPublicLink(token, "accept", { version: 1, name: " Ana " });
    expect(accepted._unsafeUnwrap()).toMatchObject({ status: "APPROVED", availableActions: [] });
    expect((await budgets.get(actor, id))._unsafeUnwrap()).toMatchObject({
      approvedBy: "customer:Ana",
      approvedAt: "2026-03-02T12:00:00.000Z",
    });
    const again = await budgets.answerPublicLink(token, "accept", { version: 1 });
    expect(again._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
    const late = await budgets.answerPublicLink(token, "decline", { version: 2 });
    expect(late._unsafeUnwrapErr()).toMatchObject({ rule: "INVALID_TRANSITION" });
    expect((await events()).map((event) => event.type)).toEqual(["budget.created", "budget.approved"]);
  });

  it("the public link declines a budget with a reason", async () => {
    const { budgets, token, events } = await published();
    const answer = await budgets.answerPublicLink(token, "decline", { version: 1, reason: "Too dear" });
    expect(answer._unsafeUnwrap().status).toBe("REJECTED");
    expect((await events())[1]).toMatchObject({
      type: "budget.rejected",
      actor: "customer:customer",
      change: { from: "PENDING", to: "REJECTED", reason: "Too dear" },
    });
  });

  it("refuses an answer to a version that is no longer shown (CONFLICT)", async () => {
    const { budgets, actor, token, id } = await published();
    await budgets.update(actor, id, { notes: "New terms" });
    const refused = await budgets.answerPublicLink(token, "accept", { version: 1 });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
  });

  it("the public link shows an overdue budget as EXPIRED and refuses answers (INVALID_TRANSITION)", async () => {
    const { budgets, token, clock, events } = await published();
    clock.set("2026-04-01T00:00:00Z");
    expect((await budgets.openPublicLink(token))._unsafeUnwrap()).toMatchObject({
      status: "EXPIRED",
      availableActions: [],
    });
    const refused = await budgets.answerPublicLink(token, "accept", { version: 2 });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "INVALID_TRANSITION" });
    expect((await events()).map((event) => event.type)).toEqual(["budget.created", "budget.expired"]);
  });

  it("finds no budget by an unknown, malformed or replaced link, nor a draft or a deleted budget (NOT_FOUND)", async () => {
    const { budgets, actor, token, id } = await published();
    const isGone = async (text: string) => {
      const opened = await budgets.openPublicLink(text);
      const answered = await budgets.answerPublicLink(text, "accept", { version: 1 });
      return [opened, answered].every((result) => result.isErr() && result.error.kind === "not-found");
    };
    expect(await isGone("A".repeat(43))).toBe(true);
    expect(await isGone("short")).toBe(true);
    const fresh = (await budgets.createPublicLink(actor, id, { rotate: true }))._unsafeUnwrap();
    expect(await isGone(token)).toBe(true);
    expect((await budgets.openPublicLink(fresh.publicToken)).isOk()).toBe(true);
    await budgets.withdraw(actor, id);
    expect(await isGone(fresh.publicToken)).toBe(true);
    await budgets.submit(actor, id);
    await budgets.delete(actor, id);
    expect(await isGone(fresh.publicToken)).toBe(true);
  });

  it("the public link shows no name when the business is unknown", async () => {
    const { budgets, actor } = budgetWorld({ findBusiness: async () => null });
    const { publicToken } = (await budgets.createPublic(actor, offer))._unsafeUnwrap();
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap().business.name).toBe(null);
  });

  it("creates a public link for a budget that had none", async () => {
    const { budgets, actor, events } = budgetWorld();
    const items = [{ description: "x", quantity: 1, unitPrice: 1 }];
    const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap()).toMatchObject({
      id,
      minimumPaymentToConfirm: null,
      issueDate: "2026-03-02T12:00:00.000Z",
    });
    expect((await events())[1]?.change.fields).toEqual(["publicLink"]);
  });
});
