import { aBudget, aCustomer, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { NamedBudget } from "../../budgets/budget-store.js";
import type { Actor, Scope } from "../../kernel/actor.js";
import type { ContentReply } from "../route.js";
import { budgetReadReply } from "./budget-read.js";

const actorWith = (...scopes: Scope[]): Actor => ({ kind: "key", businessId: "1", id: "20", scopes });
const READER = actorWith("READ_BUDGETS");
const WRITER = actorWith("READ_BUDGETS", "WRITE_BUDGETS");

function found(overrides: Parameters<typeof aBudget>[0] = {}): NamedBudget {
  return { budget: aBudget(overrides), customer: aCustomer(), products: [] };
}

const kept = (overrides?: Parameters<typeof aBudget>[0]) => Object.freeze(found(overrides));

const shownBy = ({ content }: ContentReply) => JSON.parse(String(content.body)).data;

describe("the reply to a read of a budget", () => {
  it("writes the reply to a read once while the store returns the same frozen object", () => {
    const budget = kept();
    const reply = budgetReadReply(budget, READER, NOW);
    expect(budgetReadReply(budget, actorWith("READ_BUDGETS", "READ_PRODUCTS"), NOW + 1)).toBe(reply);
    expect(budgetReadReply(kept(), READER, NOW)).not.toBe(reply);
    expect(budgetReadReply(kept(), READER, NOW)).toEqual(reply);
  });

  it.each([
    ["for an object that may change", found()],
    ["when it is long", kept({ notes: "x".repeat(10_000) })],
  ])("writes the reply to a read each time %s", (_, budget) => {
    const reply = budgetReadReply(budget, READER, NOW);
    expect(budgetReadReply(budget, READER, NOW)).not.toBe(reply);
    expect(budgetReadReply(budget, READER, NOW)).toEqual(reply);
  });

  it("the reply to a read shows each caller its own actions", () => {
    const budget = kept();
    const actionsOf = (actor: Actor) => shownBy(budgetReadReply(budget, actor, NOW)).availableActions;
    expect([actionsOf(READER), actionsOf(WRITER), actionsOf(READER)]).toEqual([
      [],
      expect.arrayContaining(["update"]),
      [],
    ]);
  });

  it("the reply to a read shows the expiry from validUntil on, whichever caller read it before", () => {
    const budget = kept({ status: "PENDING", validUntil: NOW + 10 });
    const statusAt = (now: number, actor: Actor) => {
      const reply = budgetReadReply(budget, actor, now);
      const { status, version } = shownBy(reply);
      expect(reply.content.headers.etag).toMatch(new RegExp(`^"v${version}-`));
      return [status, version];
    };
    for (const actor of [READER, WRITER, READER]) {
      expect(statusAt(NOW + 9, actor)).toEqual(["PENDING", budget.budget.version]);
      expect(statusAt(NOW + 10, actor)).toEqual(["EXPIRED", budget.budget.version + 1]);
    }
  });
});
