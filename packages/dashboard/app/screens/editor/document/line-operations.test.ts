import { describe, expect, it } from "vitest";
import { type EditedBudget, withContainedTaxes, withHead, withLineTaxes, withTaxes } from "./edited-budget.js";
import { blankBudget } from "./from-budget.js";
import { closeStep, historyOf, record, redo, undo } from "./history.js";
import { type Line, newLine } from "./line.js";
import {
  duplicateLine,
  indentLine,
  insertLines,
  MAX_LINES,
  moveLine,
  moveLineTo,
  outdentLine,
  removeLine,
  selectLine,
  setFields,
} from "./line-operations.js";

const item = (key: string, fields: Partial<Line> = {}) => newLine(key, "item", { description: key, ...fields });
const option = (key: string, selected = false) => item(key, { choice: "top", selected });
const top = newLine("top", "choice", { description: "Top", choice: "top" });

function budgetOf(...lines: Line[]): EditedBudget {
  return { ...blankBudget({ currency: "ARS" }), lines };
}

/** Keys in order; options in small letters behind their choice's. */
const shape = ({ lines }: EditedBudget) =>
  lines.map(({ key, choice, kind }) => (kind === "item" && choice !== null ? `(${key})` : key)).join(" ");

const kitchen = budgetOf(item("a"), top, option("x", true), option("y"), item("b"));

describe("moveLine", () => {
  it("moves a choice together with its options", () => {
    expect(shape(moveLine(kitchen, "top", 1))).toBe("a b top (x) (y)");
    expect(shape(moveLine(kitchen, "top", -1))).toBe("top (x) (y) a b");
  });

  it("makes an item an option where it comes to stand among options", () => {
    expect(shape(moveLine(kitchen, "b", -1))).toBe("a top (x) (b) (y)");
  });

  it("frees an option that leaves its choice", () => {
    expect(shape(moveLine(kitchen, "y", 1))).toBe("a top (x) b y");
    expect(shape(moveLine(kitchen, "x", -1))).toBe("a x top (y) b");
  });

  it("moves headings over a choice as a whole", () => {
    const given = budgetOf(newLine("h", "heading"), top, option("x"), option("y"), item("b"));
    expect(shape(moveLine(given, "h", 1))).toBe("top (x) (y) h b");
    expect(shape(moveLine(moveLine(given, "h", 1), "h", -1))).toBe("h top (x) (y) b");
  });

  it("stays at the ends", () => {
    expect(moveLine(kitchen, "a", -1)).toBe(kitchen);
    expect(moveLine(kitchen, "b", 1)).toBe(kitchen);
  });
});

describe("moveLineTo", () => {
  it("puts a line before the one that stands at an index", () => {
    expect(shape(moveLineTo(kitchen, "b", 0))).toBe("b a top (x) (y)");
    expect(shape(moveLineTo(kitchen, "a", 5))).toBe("top (x) (y) b a");
    expect(shape(moveLineTo(kitchen, "a", 3))).toBe("top (x) (a) (y) b");
  });
});

describe("indentLine", () => {
  it("puts an item into the choice above it, and takes it out again", () => {
    const inside = indentLine(kitchen, "b");
    expect(shape(inside)).toBe("a top (x) (y) (b)");
    expect(shape(outdentLine(inside, "b"))).toBe(shape(kitchen));
  });

  it("selects the first option of a choice", () => {
    const given = budgetOf(top, item("x"));
    expect(indentLine(given, "x").lines[1]).toMatchObject({ choice: "top", selected: true });
  });
});

describe("selectLine", () => {
  it("replaces the option of a choice of one, and adds one to a choice of several", () => {
    const selected = (budget: EditedBudget) => budget.lines.filter((line) => line.selected).map(({ key }) => key);
    expect(selected(selectLine(kitchen, "y", true))).toEqual(["y"]);
    expect(selected(selectLine(setFields(kitchen, "top", { maximum: "2" }), "y", true))).toEqual(["x", "y"]);
  });
});

describe("removeLine", () => {
  it("makes the options of a removed choice lines that the customer may take", () => {
    const { lines } = removeLine(kitchen, "top");
    expect(lines.filter(({ optional }) => optional).map(({ key, selected }) => [key, selected])).toEqual([
      ["x", true],
      ["y", false],
    ]);
  });
});

describe("duplicateLine", () => {
  it("copies a choice with its options under a key of its own", () => {
    const keys = ["n1", "n2", "n3", "n4"];
    const copied = duplicateLine(kitchen, "top", () => keys.shift() ?? "");
    expect(shape(copied)).toBe("a top (x) (y) n2 (n3) (n4) b");
    expect(new Set(copied.lines.slice(4, 7).map(({ choice }) => choice))).toEqual(new Set(["n1"]));
  });
});

describe("insertLines", () => {
  it("stops at 500 lines", () => {
    const many = Array.from({ length: 600 }, (_, index) => item(`${index}`));
    expect(insertLines(budgetOf(), 0, many).lines).toHaveLength(MAX_LINES);
  });
});

describe("taxes of lines", () => {
  const vat = { id: "vat", name: "VAT", rate: "21", kind: "tax", inclusive: true, on: [] } as const;
  const low = { ...vat, id: "low", rate: "10.5" };
  const taxed = withTaxes(kitchen, [vat]);

  it("adds a tax of the business to the budget for one line, and leaves the other lines theirs", () => {
    const { head, lines } = withLineTaxes(taxed, "b", ["low"], [vat, low]);
    expect(head.taxes.map(({ id }) => id)).toEqual(["vat", "low"]);
    expect(lines.map(({ key, taxes }) => [key, taxes])).toEqual([
      ["a", ["vat"]],
      ["top", null],
      ["x", ["vat"]],
      ["y", ["vat"]],
      ["b", ["low"]],
    ]);
  });

  it("takes a removed tax from the lines that name it", () => {
    const both = withLineTaxes(taxed, "b", ["low"], [vat, low]);
    expect(withTaxes(both, [vat]).lines.at(-1)?.taxes).toEqual([]);
    expect(withTaxes(both, []).lines.at(-1)?.taxes).toBeNull();
  });

  it("makes a named tax of a rate whose prices contain it", () => {
    const rated = withHead(kitchen, { taxRate: "21" });
    expect(withContainedTaxes(rated, true, "Tax").head).toMatchObject({
      taxRate: "",
      taxes: [{ id: "tax", name: "Tax", rate: "21", inclusive: true }],
    });
  });
});

describe("history", () => {
  it("takes back a run of typing in one step, and does it again", () => {
    const typed = record(record(record(historyOf("a"), "ab", "name"), "abc", "name"), "abcd", "name");
    expect(undo(typed).present).toBe("a");
    expect(redo(undo(typed)).present).toBe("abcd");
  });

  it("begins a step with another field, or after a pause", () => {
    const typed = record(record(historyOf("a"), "ab", "name"), "abx", "price");
    expect(undo(typed).present).toBe("ab");
    expect(undo(record(closeStep(record(historyOf("a"), "ab", "name")), "abc", "name")).present).toBe("ab");
  });

  it("forgets what was undone when something else is done", () => {
    expect(redo(record(undo(record(historyOf("a"), "b")), "c")).present).toBe("c");
  });
});
