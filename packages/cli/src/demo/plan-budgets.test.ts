import { describe, expect, it } from "vitest";
import { seededDraws } from "./draws.js";
import { planBudgets } from "./plan-budgets.js";
import { planCatalog } from "./plan-catalog.js";

const NOW = Date.UTC(2026, 5, 1);
const BUDGETS = 500;
const YEAR_MS = 366 * 86_400_000;

function plan(seed: number) {
  const draws = seededDraws(seed);
  const catalog = planCatalog(draws);
  return { catalog, steps: planBudgets(draws, catalog, NOW, BUDGETS) };
}

describe("the year that a demonstration plays", () => {
  it("plans the same year of a demo for one seed, and another for another", () => {
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7)).not.toEqual(plan(8));
  });

  it.each([1, 2, 3])("plans each demo budget within the year, its steps in order, seed %i", (seed) => {
    const { steps } = plan(seed);
    const moments = steps.map(({ at }) => at);
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    expect(Math.min(...moments)).toBeGreaterThan(NOW - YEAR_MS);
    expect(Math.max(...moments)).toBeLessThan(NOW);
    const created = new Set<number>();
    for (const { budget, step } of steps) {
      expect(created.has(budget)).toBe(step.kind !== "create");
      created.add(budget);
    }
    expect(created.size).toBe(BUDGETS);
  });

  it("plans demo lines of every kind, with units and discounts", () => {
    const lines = plan(1).steps.flatMap<object>(({ step }) => (step.kind === "create" ? step.input.items : []));
    const kinds = new Set(lines.map((line) => ("kind" in line ? line.kind : "item")));
    expect([...kinds].sort()).toEqual(["choice", "heading", "item", "subtotal", "text"]);
    expect(lines.some((line) => "unit" in line && line.unit === "h")).toBe(true);
    expect(lines.some((line) => "discountRate" in line)).toBe(true);
  });

  it("plans one demo offer that its customer configures, with tiers, a later cycle and a deposit", () => {
    const open = plan(1).steps.flatMap(({ step }) =>
      step.kind === "create" && "deposit" in step.input ? [step.input] : [],
    );
    expect(open.map(({ deposit }) => deposit)).toEqual([{ rate: 0.3 }]);
    expect(open[0]?.items.filter((line) => "choice" in line)).toHaveLength(3);
  });

  it("gives each demo customer an email address that is nobody's", () => {
    for (const { email } of plan(1).catalog.customers) expect(email).toMatch(/^office@[a-z]+(?:-[a-z]+)*\.example$/);
  });
});
