import { describe, expect, it } from "vitest";
import { type EditedBudget, withHead } from "./edited-budget.js";
import { priced } from "./figures.js";
import { blankBudget } from "./from-budget.js";
import { type Line, newLine } from "./line.js";
import { sectionSums } from "./sections.js";
import { problemOfRefusal } from "./service-problems.js";

const item = (key: string, fields: Partial<Line> = {}) =>
  newLine(key, "item", { description: key, unitPrice: "100", ...fields });

function budgetOf(...lines: Line[]): EditedBudget {
  const blank = blankBudget({ currency: "ARS" });
  return withHead({ ...blank, lines }, { customer: { id: "7", name: "Ana Ruiz", email: "", phone: "" } });
}

const problemsOf = (budget: EditedBudget) =>
  priced(budget).problems.map(({ line, field, reason }) => [line, field, reason]);

describe("priced", () => {
  it("computes as the service does, and leaves blank lines out", () => {
    const { figures, problems } = priced(budgetOf(item("a"), newLine("b", "item"), item("c", { quantity: "2.5" })));
    expect(figures?.total).toBe(350);
    expect(problems).toEqual([]);
  });

  it("shows the figures of the other lines while one is being typed", () => {
    const { figures, lines, problems } = priced(budgetOf(item("a"), item("b", { unitPrice: "12,3,4" })));
    expect(figures?.total).toBe(100);
    expect(lines.get("a")?.total).toBe(100);
    expect(problems).toMatchObject([{ line: "b", field: "unitPrice", reason: "notANumber" }]);
  });

  it("every field that the service would refuse is named", () => {
    const range = { minimum: "20", maximum: "60.2", step: "0.5" };
    const budget = budgetOf(
      item("a", { description: " ", quantity: "0" }),
      item("b", { discount: "101%" }),
      item("c", { quantity: "20", range }),
      item("d", {
        tiers: [
          { from: "5", unitPrice: "2" },
          { from: "4", unitPrice: "1" },
        ],
      }),
      item("e", { discount: "100.01" }),
      newLine("f", "choice", { description: "Top", choice: "top" }),
      item("g", { unitPrice: "0.1234567" }),
    );
    expect(problemsOf(withHead(budget, { customer: null, deposit: "x", paymentUrl: "http://pay.example" }))).toEqual([
      [null, "customer", "required"],
      [null, "deposit", "notANumber"],
      [null, "paymentUrl", "notAnAddress"],
      ["a", "description", "required"],
      ["a", "quantity", "notAbove0"],
      ["b", "discount", "rateAbove100"],
      ["g", "unitPrice", "tooManyDecimals"],
      ["f", "choice", "noOptions"],
      ["c", "range", "rangeOffStep"],
      ["d", "tiers", "tiersNotAscending"],
      ["e", "discount", "discountAboveLine"],
    ]);
  });

  it("a budget without lines is named, and so is a discount or deposit above the total", () => {
    expect(problemsOf(budgetOf())).toEqual([[null, "lines", "noLines"]]);
    expect(problemsOf(withHead(budgetOf(item("a")), { discount: "101" }))).toEqual([
      [null, "discount", "discountAboveTotal"],
    ]);
    expect(problemsOf(withHead(budgetOf(item("a")), { deposit: "101" }))).toEqual([
      [null, "deposit", "depositAboveTotal"],
    ]);
  });

  it("prices options of a choice that is not right as optional lines", () => {
    const choice = newLine("top", "choice", { description: "", choice: "top" });
    const { figures } = priced(
      budgetOf(choice, item("a", { choice: "top", selected: true }), item("b", { choice: "top" })),
    );
    expect(figures?.total).toBe(100);
  });
});

describe("sectionSums", () => {
  it("sums what counts below each heading", () => {
    const lines = [
      newLine("h", "heading", { description: "One" }),
      item("a"),
      item("b", { optional: true }),
      newLine("i", "heading", { description: "Two" }),
      item("c", { quantity: "2" }),
    ];
    expect([...sectionSums(lines, priced(budgetOf(...lines)).lines)]).toEqual([
      ["h", 100],
      ["i", 200],
    ]);
  });
});

describe("problemOfRefusal", () => {
  const budget = budgetOf(newLine("blank", "item"), item("a"), item("b"));

  it("finds the line of a path, counted without blank lines", () => {
    const refusal = { field: "items[1].quantityRange.step", code: "MIN_VALUE", message: "must be greater than 0" };
    expect(problemOfRefusal(budget, refusal)).toEqual({
      line: "b",
      field: "range",
      reason: null,
      text: refusal.message,
    });
  });

  it("finds the field of the budget, also of a rule that names none", () => {
    const refused = (field: string, code: string) => problemOfRefusal(budget, { field, code, message: "No." });
    expect(refused("customer.email", "INVALID_FORMAT").field).toBe("customer");
    expect(refused("", "MINIMUM_ABOVE_TOTAL")).toMatchObject({ field: "deposit", reason: "depositAboveTotal" });
  });
});
