import { aBudget, aCustomer, anItem, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { NamedBudget } from "../budgets/budget-store.js";
import type { Actor, Scope } from "../kernel/actor.js";
import { BudgetReplies } from "./budget-replies.js";

const actorWith = (...scopes: Scope[]): Actor => ({ kind: "key", businessId: "1", id: "20", scopes });
const READER = actorWith("READ_BUDGETS");
const WRITER = actorWith("READ_BUDGETS", "WRITE_BUDGETS");
const CHAIR = {
  productId: "p",
  variantId: null,
  name: "Chair",
  sku: "CH",
  unitPrice: 1,
  currency: "USD",
  deletedAt: null,
};

/** As a store returns it: another object each time. */
function found(overrides: Parameters<typeof aBudget>[0] = {}): NamedBudget {
  const items = [anItem({ productId: "p" })];
  return { budget: aBudget({ items, ...overrides }), customer: aCustomer(), products: [{ ...CHAIR }] };
}

const shownBy = ({ body }: { readonly body: string }) => JSON.parse(body).data;

describe("the reply to a read of a budget", () => {
  it("writes the reply to a read once while nothing that it shows changes", () => {
    const replies = new BudgetReplies();
    const reply = replies.contentOf(found(), READER, NOW);
    expect(replies.contentOf(found(), actorWith("READ_BUDGETS", "READ_PRODUCTS"), NOW + 1)).toBe(reply);
  });

  it.each<[string, NamedBudget]>([
    ["a new version", found({ version: 2, notes: "changed" })],
    ["a version that was lost and written again", found({ updatedAt: NOW + 1, notes: "changed" })],
    ["a customer's new name", { ...found(), customer: aCustomer({ name: "Ana Ruiz" }) }],
    ["a customer's new email", { ...found(), customer: aCustomer({ email: "new@example.org" }) }],
    ["a customer's new phone", { ...found(), customer: aCustomer({ phone: "+54 11 1" }) }],
    ["a customer that the catalog lacks", { ...found(), customer: null }],
    ["a product's new name", { ...found(), products: [{ ...CHAIR, name: "Armchair" }] }],
    ["a product's new sku", { ...found(), products: [{ ...CHAIR, sku: null }] }],
    ["a variant in place of its product", { ...found(), products: [{ ...CHAIR, variantId: "xl", name: "Chair, XL" }] }],
    ["a product that the catalog lacks", { ...found(), products: [] }],
    ["the budget of another business", found({ businessId: "2", notes: "theirs" })],
  ])("a reply to a read shows %s", (_, changed) => {
    const replies = new BudgetReplies();
    const former = replies.contentOf(found(), READER, NOW);
    const reply = replies.contentOf(changed, READER, NOW);
    expect(reply).toEqual(new BudgetReplies().contentOf(changed, READER, NOW));
    expect(reply.body === former.body).toBe(reply.headers.etag === former.headers.etag);
    expect(replies.contentOf(found(), READER, NOW)).toEqual(former);
  });

  it("writes a long reply to a read each time", () => {
    const replies = new BudgetReplies();
    const long = found({ notes: "x".repeat(10_000) });
    const reply = replies.contentOf(long, READER, NOW);
    expect(replies.contentOf(long, READER, NOW)).not.toBe(reply);
    expect(replies.contentOf(long, READER, NOW)).toEqual(reply);
  });

  it("writes the reply to a read anew after lost commits", () => {
    const replies = new BudgetReplies();
    replies.contentOf(found(), READER, NOW);
    replies.forget();
    expect(shownBy(replies.contentOf(found({ notes: "written again" }), READER, NOW)).notes).toBe("written again");
  });

  it("keeps a reply cached while another business reads budgets without end", () => {
    const replies = new BudgetReplies();
    const reply = replies.contentOf(found(), READER, NOW);
    const others = { businessId: "2", notes: "x".repeat(7_000) };
    for (let id = 0; id < 2_000; id += 1) replies.contentOf(found({ ...others, id: String(id) }), READER, NOW);
    expect(replies.contentOf(found(), READER, NOW)).toBe(reply);
  });

  it("the reply to a read shows each caller its own actions", () => {
    const replies = new BudgetReplies();
    const actionsOf = (actor: Actor) => shownBy(replies.contentOf(found(), actor, NOW)).availableActions;
    expect([actionsOf(READER), actionsOf(WRITER), actionsOf(READER)]).toEqual([
      [],
      expect.arrayContaining(["update"]),
      [],
    ]);
  });

  it("the reply to a read shows the expiry from validUntil on, whichever caller read it before", () => {
    const replies = new BudgetReplies();
    const budget = found({ status: "PENDING", validUntil: NOW + 10 });
    const statusAt = (now: number, actor: Actor) => {
      const reply = replies.contentOf(budget, actor, now);
      const { status, version } = shownBy(reply);
      expect(reply.headers.etag).toMatch(new RegExp(`^"v${version}-`));
      return [status, version];
    };
    for (const actor of [READER, WRITER, READER]) {
      expect(statusAt(NOW + 9, actor)).toEqual(["PENDING", budget.budget.version]);
      expect(statusAt(NOW + 10, actor)).toEqual(["EXPIRED", budget.budget.version + 1]);
    }
  });
});
