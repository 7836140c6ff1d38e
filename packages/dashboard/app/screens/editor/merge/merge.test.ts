import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EditedBudget, withHead } from "../document/edited-budget.js";
import { blankBudget } from "../document/from-budget.js";
import { type Line, newLine } from "../document/line.js";
import { insertLines, moveLine, removeLine, setFields } from "../document/line-operations.js";
import { merge } from "./merge.js";

const blank = withHead(blankBudget({ currency: "ARS" }), {
  customer: { id: "7", name: "Ana Ruiz", email: "", phone: "" },
});

function budgetOf(...lines: Line[]): EditedBudget {
  return { ...blank, lines };
}

const item = (key: string, fields: Partial<Line> = {}) =>
  newLine(key, "item", { description: `Line ${key}`, unitPrice: "10", ...fields });

const base = budgetOf(item("a"), item("b"), item("c"));
const keysOf = ({ lines }: EditedBudget) => lines.map(({ key }) => key).join("");

type Edit = (budget: EditedBudget, step: number) => EditedBudget;

/** Edits of one person: changes, moves, removals, and lines whose keys begin with the person's name. */
const editsOf = (name: string): fc.Arbitrary<(budget: EditedBudget) => EditedBudget> => {
  const index = fc.nat({ max: 9 });
  const at = (budget: EditedBudget, place: number) => budget.lines[place % Math.max(1, budget.lines.length)]?.key ?? "";
  const edit = fc.oneof(
    fc.tuple(index, fc.integer({ min: 1, max: 99 })).map(
      ([place, price]): Edit =>
        (budget) =>
          setFields(budget, at(budget, place), { unitPrice: String(price) }),
    ),
    fc.tuple(index, fc.string({ maxLength: 4 })).map(
      ([place, text]): Edit =>
        (budget) =>
          setFields(budget, at(budget, place), { description: `${name}${text}` }),
    ),
    index.map(
      (place): Edit =>
        (budget) =>
          removeLine(budget, at(budget, place)),
    ),
    fc.tuple(index, fc.constantFrom(-1 as const, 1 as const)).map(
      ([place, step]): Edit =>
        (budget) =>
          moveLine(budget, at(budget, place), step),
    ),
    index.map(
      (place): Edit =>
        (budget, step) =>
          insertLines(budget, place % (budget.lines.length + 1), [item(`${name}${step}`)]),
    ),
    fc.string({ maxLength: 4 }).map(
      (notes): Edit =>
        (budget) =>
          withHead(budget, { notes }),
    ),
  );
  return fc
    .array(edit, { maxLength: 6 })
    .map((edits) => (budget) => edits.reduce((now, apply, step) => apply(now, step), budget));
};

const bases = fc
  .integer({ min: 0, max: 6 })
  .map((count) => budgetOf(...Array.from({ length: count }, (_, index) => item(`${index}`))));

describe("merge", () => {
  it("gives the other side where one changed nothing", () => {
    fc.assert(
      fc.property(bases, editsOf("m"), (given, edit) => {
        const edited = edit(given);
        expect(merge({ base: given, mine: edited, theirs: given })).toEqual({ budget: edited, conflicts: [] });
        expect(merge({ base: given, mine: given, theirs: edited })).toEqual({ budget: edited, conflicts: [] });
      }),
    );
  });

  it("gives what both have where both did the same", () => {
    fc.assert(
      fc.property(bases, editsOf("m"), (given, edit) => {
        const edited = edit(given);
        expect(merge({ base: given, mine: edited, theirs: edited })).toEqual({ budget: edited, conflicts: [] });
      }),
    );
  });

  it("loses no line that one side added or that neither removed, and has none twice", () => {
    fc.assert(
      fc.property(bases, editsOf("m"), editsOf("t"), (given, mineOf, theirsOf) => {
        const mine = mineOf(given);
        const theirs = theirsOf(given);
        const { budget } = merge({ base: given, mine, theirs });
        const keys = budget.lines.map(({ key }) => key);
        const had = new Set(given.lines.map(({ key }) => key));
        const kept = [...had].filter((key) =>
          [mine, theirs].every((each) => each.lines.some((line) => line.key === key)),
        );
        const added = [...mine.lines, ...theirs.lines].map(({ key }) => key).filter((key) => !had.has(key));
        expect(keys).toEqual(expect.arrayContaining([...kept, ...added]));
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it("keeps mine in every difference unless theirs is chosen", () => {
    fc.assert(
      fc.property(bases, editsOf("m"), editsOf("t"), (given, mineOf, theirsOf) => {
        const mine = mineOf(given);
        const theirs = theirsOf(given);
        const chosen = merge({ base: given, mine, theirs }, () => "theirs").budget;
        for (const line of merge({ base: given, mine, theirs }).budget.lines) {
          const own = mine.lines.find(({ key }) => key === line.key);
          const before = given.lines.find(({ key }) => key === line.key);
          if (own !== undefined && own.unitPrice !== before?.unitPrice) expect(line.unitPrice).toBe(own.unitPrice);
        }
        for (const line of chosen.lines) {
          const other = theirs.lines.find(({ key }) => key === line.key);
          const before = given.lines.find(({ key }) => key === line.key);
          if (other !== undefined && other.unitPrice !== before?.unitPrice)
            expect(line.unitPrice).toBe(other.unitPrice);
        }
      }),
    );
  });

  it("puts changes of different fields of a line together without asking", () => {
    const mine = setFields(base, "b", { unitPrice: "12" });
    const theirs = setFields(base, "b", { description: "Better b" });
    const { budget, conflicts } = merge({ base, mine, theirs });
    expect(conflicts).toEqual([]);
    expect(budget.lines[1]).toMatchObject({ unitPrice: "12", description: "Better b" });
  });

  it("a field that both changed is named with its three values", () => {
    const mine = withHead(setFields(base, "b", { unitPrice: "12" }), { validUntil: "2026-12-24" });
    const theirs = withHead(setFields(base, "b", { unitPrice: "13" }), { validUntil: "2026-12-31" });
    const { budget, conflicts } = merge({ base, mine, theirs }, ({ field }) =>
      field === "validUntil" ? "theirs" : "mine",
    );
    expect(conflicts).toMatchObject([
      { line: null, field: "validUntil", base: "", mine: "2026-12-24", theirs: "2026-12-31" },
      { line: { key: "b" }, field: "unitPrice", base: "10", mine: "12", theirs: "13" },
    ]);
    expect(budget.head.validUntil).toBe("2026-12-31");
    expect(budget.lines[1]?.unitPrice).toBe("12");
  });

  it("asks about a line that one removed and the other changed, and keeps it until somebody chooses", () => {
    const mine = setFields(base, "b", { unitPrice: "12" });
    const theirs = removeLine(base, "b");
    const { budget, conflicts } = merge({ base, mine, theirs });
    expect(conflicts).toMatchObject([{ line: { key: "b" }, field: null, theirs: null }]);
    expect(keysOf(budget)).toBe("abc");
    expect(keysOf(merge({ base, mine, theirs }, () => "theirs").budget)).toBe("ac");
  });

  it("puts lines that were added below those that they were added below", () => {
    const mine = insertLines(base, 1, [item("x")]);
    const theirs = moveLine(insertLines(base, 3, [item("y")]), "c", -1);
    expect(keysOf(merge({ base, mine, theirs }).budget)).toBe("axcby");
  });

  it("makes the options of a choice that the other side removed optional", () => {
    const group = [newLine("g", "choice", { description: "Top", choice: "top" }), item("o", { choice: "top" })];
    const given = budgetOf(...group);
    const mine = insertLines(given, 2, [item("p", { choice: "top" })]);
    const { budget } = merge({ base: given, mine, theirs: removeLine(given, "g") });
    expect(budget.lines).toMatchObject([
      { key: "o", choice: null, optional: true },
      { key: "p", choice: null, optional: true },
    ]);
  });
});
