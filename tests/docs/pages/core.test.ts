import { readFileSync } from "node:fs";
import { createBudgetService } from "@budgetkit/core";
import { memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../../packages/core/README.md", import.meta.url), "utf8");

describe("the core's page", () => {
  it("the page of core lists every operation", () => {
    const [, section = ""] = page.split("\n## Operations\n");
    const rows = section.split("\n").filter((line) => line.startsWith("| `service"));
    const service = createBudgetService({ store: memoryStore(), secret: "s".repeat(32) });
    for (const [name, part] of Object.entries(service)) {
      const isOperation = typeof part === "function" && name !== "on";
      const row = rows
        .filter((line) => line.includes(isOperation ? "| `service` |" : `\`service.${name}\``))
        .join("\n");
      for (const operation of isOperation ? [name] : Object.keys(part)) {
        expect(row, `${name} ${operation}`).toMatch(new RegExp(`\\b${operation}\\b`));
      }
    }
  });
});
