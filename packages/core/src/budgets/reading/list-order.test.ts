import { aBudget, anItem } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUDGET_STATUSES } from "../budget.js";
import type { SortKey } from "../budget-store.js";
import { compareSortKeys, decodeSortKey, encodeSortKey, searchTextOf, sortKeyOf } from "./list-order.js";

const sortKeys: fc.Arbitrary<SortKey> = fc.record({
  value: fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(...BUDGET_STATUSES),
  ),
  createdAt: fc.maxSafeInteger(),
  id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String),
});

/** Text that a client may send instead of a cursor. */
function cursorOf(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

describe("the keyset position of a budget", () => {
  it("the keyset position of a budget holds its creation time, its total in major units or its status", () => {
    const budget = aBudget({ id: "7", total: 12_345, currency: "BHD", status: "DRAFT", createdAt: 99 });
    const rest = { createdAt: 99, id: "7" };
    expect(sortKeyOf(budget, "createdAt")).toEqual({ value: 99, ...rest });
    expect(sortKeyOf(budget, "total")).toEqual({ value: 12.345, ...rest });
    expect(sortKeyOf(budget, "status")).toEqual({ value: "DRAFT", ...rest });
  });

  it("orders budgets by the value, then by creation time, then by id as an integer", () => {
    const positions: SortKey[] = [
      { value: 1, createdAt: 9, id: "99" },
      { value: 2, createdAt: 1, id: "50" },
      { value: 2, createdAt: 2, id: "9" },
      { value: 2, createdAt: 2, id: "10" },
    ];
    expect([...positions].reverse().sort(compareSortKeys)).toEqual(positions);
  });

  it("comparing keyset positions is antisymmetric", () => {
    fc.assert(
      fc.property(sortKeys, sortKeys, (a, b) => {
        expect(compareSortKeys(a, a)).toBe(0);
        if (typeof a.value === typeof b.value)
          expect(Math.sign(compareSortKeys(a, b))).toBe(-Math.sign(compareSortKeys(b, a)) + 0);
      }),
    );
  });
});

describe("a cursor", () => {
  it("a cursor decodes to the position that it was made from", () => {
    fc.assert(
      fc.property(sortKeys, (key) => {
        const position = decodeSortKey(encodeSortKey(key));
        expect(position).not.toBeNull();
        expect(position === null ? Number.NaN : compareSortKeys(position, key)).toBe(0);
      }),
    );
  });

  it("a cursor needs no escaping in a URL", () => {
    fc.assert(fc.property(sortKeys, (key) => /^[\w-]+$/.test(encodeSortKey(key))));
  });

  it.each([
    ["", "empty text"],
    ["!!!", "other characters"],
    ["bm90IGpzb24", "something else than JSON"],
    [cursorOf(null), "null"],
    [cursorOf({ value: 1, createdAt: 1, id: "1" }), "an object"],
    [cursorOf([1, 1]), "too few parts"],
    [cursorOf([1, 1, "1", 1]), "too many parts"],
    [cursorOf([null, 1, "1"]), "no value"],
    [cursorOf(["UNKNOWN", 1, "1"]), "an unknown status"],
    [cursorOf([1, 1.5, "1"]), "a moment that is no integer"],
    [cursorOf([1, "1", "1"]), "a moment that is text"],
    [cursorOf([1, 1, 1]), "an id that is a number"],
    [cursorOf([1, 1, "007"]), "an impossible id"],
    [`${cursorOf([1, 1, "1"])}=`, "padding"],
    [` ${cursorOf([1, 1, "1"])}`, "a blank in front"],
    [Buffer.from('[1, 1, "1"]').toString("base64url"), "blanks within"],
    [Buffer.from('[1e999,1,"1"]').toString("base64url"), "a number without end"],
  ])("refuses the cursor %j, which is %s", (text) => {
    expect(decodeSortKey(text)).toBeNull();
  });
});

describe("the text that a search looks through", () => {
  it("searches notes and descriptions in lower case, kept apart", () => {
    const items = ["Oak TABLE", "Chair"].map((description) => anItem({ description }));
    expect(searchTextOf(aBudget({ notes: "Ñandú", items }))).toBe("ñandú\u001foak table\u001fchair");
  });

  it("searches descriptions alone where there are no notes", () => {
    expect(searchTextOf(aBudget({ notes: null, items: [anItem({ description: "Oak" })] }))).toBe("\u001foak");
  });
});
