import assert from "node:assert/strict";
import { type BudgetMessage, insertBudgetCommit, MAX_MESSAGE, sendMessageCommit } from "@budgetkit/core/store";
import { aBudget, anEvent, anEventQuery } from "../fixtures.js";
import { aMessage } from "../message-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { type Cases, END_OF_2199, MAX, ODD_TEXT, YEAR_2000 } from "./extremes.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const LIMIT = 3;

export function messageCases(suite: Suite): void {
  limitCases(suite);
  roundTripCases(suite);
}

function limitCases({ describe, it }: Suite): void {
  describe("messages of a budget", () => {
    it("keeps a message of a budget that has changed since, and leaves the budget as it is", async (store) => {
      const budget = aBudget({ version: 7 });
      await store.commit(insertBudgetCommit(budget));
      assert.equal(await outcomeOf(store, sendMessageCommit(aMessage(), LIMIT)), "written");
      assert.deepEqual(await store.findBudget("1", "10"), budget);
    });

    it("gives the last place for messages once, however many are sent (message-limit)", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const outcomes = await allAtOnce(20, (index) => {
        const id = String(100 + index);
        return outcomeOf(store, sendMessageCommit(aMessage({ id }), LIMIT, { events: [anEvent({ id })] }));
      });
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "message-limit")], [LIMIT, 20 - LIMIT]);
      assert.equal((await store.listMessages("1", "10", 100, 0)).total, LIMIT);
      assert.equal((await store.listEvents("1", anEventQuery())).total, LIMIT);
      const elsewhere = aMessage({ id: "200", budgetId: "11" });
      assert.equal(await outcomeOf(store, sendMessageCommit(elsewhere, LIMIT)), "written");
    });
  });
}

const MESSAGES: Cases<BudgetMessage> = {
  "of plain values": {},
  "of the business, with the largest id": { by: "user:7", id: String(MAX) },
  "with odd text everywhere": { message: ODD_TEXT, by: `customer:${ODD_TEXT}` },
  "with markup and control characters": { message: "<script>alert(1)</script>\r\n\t\u0007\u001b[31m" },
  "of 2,000 characters of several bytes": { message: "🪑".repeat(MAX_MESSAGE / 2) },
  "sent at the first moment": { sentAt: YEAR_2000 },
  "sent at the last moment": { sentAt: END_OF_2199 },
};

function roundTripCases({ describe, it }: Suite): void {
  describe("a message comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(MESSAGES)) {
      it(`a message comes back as it went in ${name}`, async (store) => {
        const message = aMessage(overrides);
        await store.commit(insertBudgetCommit(aBudget()));
        await store.commit(sendMessageCommit(message, LIMIT));
        assert.deepEqual((await store.listMessages("1", "10", 10, 0)).entries, [message]);
      });
    }
  });
}
