import assert from "node:assert/strict";
import { foldForSearch, insertBudgetCommit, replaceBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anItem } from "../fixtures.js";
import type { Suite } from "./suite.js";

const BUSINESS = "1";

/** What is written in a budget's notes, what is searched, and whether it is found. */
const NOTES: readonly [notes: string, search: string, isFound: boolean][] = [
  ["Delivery on Friday", "friday", true],
  ["delivery on friday", "FRIDAY", true],
  ["Delivery on Friday", "y on f", true],
  ["Delivery on Friday", "monday", false],
  ["Delivery on Friday", "deliveryon", false],
  ["50% discount", "50%", true],
  ["500 discounts", "50%", false],
  ["anything", "%", false],
  ["snake_case", "snake_case", true],
  ["snakeXcase", "snake_case", false],
  ["anything", "_", false],
  ["C:\\temp\\x", "\\temp", true],
  ["temp", "\\temp", false],
  ["100\\% sure", "\\%", true],
  ["100% sure", "\\%", false],
  ["it's here", "it's", true],
  ["its here", "it's", false],
  ['a "quoted" word', '"quoted"', true],
  ["'; DROP TABLE budgets; --", "'; drop table", true],
  ["anything", "' OR '1'='1", false],
  ["a*b", "a*b", true],
  ["aXb", "a*b", false],
  ["what?", "t?", true],
  ["whats", "t?", false],
  ["[a-z]", "[a-z]", true],
  ["abc", "[a-z]", false],
  ["anything", ".*", false],
  ["a^b$", "^b$", true],
  ["ÑANDÚ en Perú", "ñandú", true],
  ["ñandú", "ÑANDÚ", true],
  ["nandu", "ñandú", false],
  ["ПРИВЕТ мир", "привет", true],
  ["ΑΒΓ", "αβγ", true],
  ["Straße", "STRASSE", true],
  ["STRASSE", "straße", true],
  ["Straße", "strase", false],
  ["İstanbul", "istanbul", true],
  ["ISTANBUL", "İSTANBUL", true],
  ["DIŞ CEPHE", "dış cephe", true],
  ["ΣΑΣΑΣ", "ΣΑΣ", true],
  ["Ὀδυσσεύς", "ὀδυσσεύσ", true],
  ["ΟΔΟΣ", "οδος", true],
  ["ﬁne ﬂowers", "fine flowers", true],
  ["ＡＢＣ　１２３", "abc 123", true],
  ["ｶﾞﾗｽ", "ガラス", true],
  ["Nº 7, 20 m²", "no 7, 20 m2", true],
  ["\u1112\u1161\u11ab\uae00", "\ud55c글", true],
  ["Jose\u0301", "Jos\u00e9", true],
  ["JOS\u00c9", "jose\u0301", true],
  ["Jos\u00e9", "jose", false],
  ["日本語の見積", "見積", true],
  ["nice 🪑 here", "🪑", true],
  ["nice 🪑 here", "🪓", false],
  ["family 👩‍👩‍👧", "👩‍👩‍👧", true],
  ["caf\u00e9", "cafe\u0301", true],
  ["two\nlines", "two\nlines", true],
  ["two lines", "two\nlines", false],
  ["tab\there", "b\th", true],
  [" padded ", " padded ", true],
  ["padded", " padded ", false],
  [`${"x".repeat(9_990)} the end`, "THE END", true],
  ["y".repeat(300), "Y".repeat(200), true],
  ["", "x", false],
];

export function budgetSearchCases({ describe, it }: Suite): void {
  describe("searching the notes", () => {
    for (const [notes, search, isFound] of NOTES) {
      it(`${isFound ? "finds" : "does not find"} ${short(search)} in ${short(notes)}`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget({ id: "10", notes })));
        await store.commit(insertBudgetCommit(aBudget({ id: "11", notes: null, items: [] })));
        assert.deepEqual(await idsFoundBy(store, search), isFound ? ["10"] : []);
      });
    }
  });

  describe("searching budgets", () => {
    it("looks through the description of every item", async (store) => {
      const items = ["Oak table", "Pine CHAIR", "Glass"].map((description) => anItem({ description }));
      await store.commit(insertBudgetCommit(aBudget({ items })));
      for (const word of ["oak", "chair", "glass"]) assert.deepEqual(await idsFoundBy(store, word), ["10"]);
    });

    it("does not find words that only meet where one field ends and the next begins", async (store) => {
      const items = [anItem({ description: "beta" }), anItem({ description: "gamma" })];
      await store.commit(insertBudgetCommit(aBudget({ notes: "alpha", items })));
      for (const words of ["alphabeta", "alpha beta", "betagamma", "beta gamma", "alpha\nbeta"]) {
        assert.deepEqual(await idsFoundBy(store, words), []);
      }
    });

    it("does not look at metadata, customer, currency, ids or creator", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ metadata: { word: "hidden" }, customerId: "hidden" })));
      for (const word of ["hidden", "usd", "key:20", "pending", "description"]) {
        assert.deepEqual(await idsFoundBy(store, word), []);
      }
    });

    it("follows a change of the notes and the items", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ notes: "before", items: [anItem({ description: "old" })] })));
      const next = aBudget({ version: 2, notes: "after", items: [anItem({ description: "new" })] });
      await store.commit(replaceBudgetCommit(next, 1));
      for (const word of ["before", "old"]) assert.deepEqual(await idsFoundBy(store, word), []);
      for (const word of ["after", "new"]) assert.deepEqual(await idsFoundBy(store, word), ["10"]);
    });

    it("counts what it finds over all pages", async (store) => {
      for (const id of ["10", "11", "12", "13"]) {
        await store.commit(insertBudgetCommit(aBudget({ id, notes: id === "12" ? "no" : "Table" })));
      }
      const page = await store.listBudgets(BUSINESS, aBudgetQuery({ search: "table", limit: 2, status: "PENDING" }));
      assert.equal(page.total, 4);
    });

    it("joins with the other filters", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "10", notes: "steel", status: "DRAFT" })));
      await store.commit(insertBudgetCommit(aBudget({ id: "11", notes: "steel", status: "DELETED" })));
      await store.commit(insertBudgetCommit(aBudget({ id: "12", notes: "steel" })));
      assert.deepEqual(await idsFoundBy(store, "steel"), ["12", "10"]);
      const drafts = await store.listBudgets(BUSINESS, aBudgetQuery({ search: "steel", status: "DRAFT" }));
      assert.deepEqual(
        drafts.entries.map(({ id }) => id),
        ["10"],
      );
    });

    it("stays within the business", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ businessId: "2", notes: "secret" })));
      assert.deepEqual(await idsFoundBy(store, "secret"), []);
    });
  });
}

async function idsFoundBy(store: Store, words: string): Promise<string[]> {
  const page = await store.listBudgets(BUSINESS, aBudgetQuery({ search: foldForSearch(words) }));
  assert.equal(page.total, page.entries.length);
  return page.entries.map((budget) => budget.id);
}

function short(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 20)}…${text.slice(-10)}` : text);
}
