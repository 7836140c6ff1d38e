import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dashboardSchema, keyStatisticsSchema } from "../../../packages/core/src/usage/statistics-view.js";
import { blocksOf } from "../code/page-code.js";

const page = readFileSync(new URL("../../../docs/statistics.md", import.meta.url), "utf8");

describe("docs/statistics.md", () => {
  it("docs/statistics.md shows an answer in its real form", () => {
    const [example = ""] = blocksOf(page, "json");
    const shown: unknown = JSON.parse(example);
    expect(keyStatisticsSchema.strict().parse(shown)).toEqual(shown);
  });

  it("docs/statistics.md explains each field", () => {
    const { period: _, ...ofKey } = keyStatisticsSchema.shape;
    const { period: __, ...ofDashboard } = dashboardSchema.shape;
    const fields = [
      ...Object.keys(ofKey).filter((name) => name !== "rateLimitStats"),
      ...Object.keys(ofKey.rateLimitStats.shape),
      ...Object.keys(ofDashboard).filter((name) => name !== "budgets"),
      ...Object.keys(ofDashboard.budgets.shape).map((name) => `budgets.${name}`),
      ...Object.keys(ofDashboard.webhooks.shape),
      ...Object.keys(ofDashboard.apiKeys.shape),
    ];
    expect(fields.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
