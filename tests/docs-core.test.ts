import { readFileSync } from "node:fs";
import { createBudgetService } from "@budgetkit/core";
import { memoryStore } from "@budgetkit/core/testing";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const page = read("packages/core/README.md");
const source = read("packages/core/src/create-service.ts");

/** The names of an interface's own fields, as the source has them. */
function fieldsOf(name: string): string[] {
  const [, body = ""] = new RegExp(`^export interface ${name} {\n(.*?)^}`, "ms").exec(source) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field]) => field ?? "");
}

describe("the core's page", () => {
  it("lists every option of the service", () => {
    const [, section = ""] = page.split("\n## Options\n");
    const [table = ""] = section.split("\n## ");
    const told = table
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([\w.]+)`/g)].map(([, option]) => option));
    const within = (group: string, fields: string[]) => fields.map((field) => `${group}.${field}`);
    const options = fieldsOf("BudgetServiceOptions").filter((option) => option !== "webhooks" && option !== "usage");
    const grouped = [...within("webhooks", fieldsOf("WebhookOptions")), ...within("usage", fieldsOf("UsageOptions"))];
    expect(options).toContain("publicBaseUrl");
    expect(grouped).toHaveLength(4);
    expect([...told].sort()).toEqual([...options, ...grouped].sort());
  });

  it("names every operation", () => {
    const [, section = ""] = page.split("\n## Operations\n");
    const rows = section.split("\n").filter((line) => line.startsWith("| `service"));
    const service = createBudgetService({ store: memoryStore(), secret: "s".repeat(32) });
    for (const [name, part] of Object.entries(service)) {
      const isOperation = typeof part === "function" && name !== "on";
      const row = rows.find((line) => line.includes(isOperation ? "| `service` |" : `\`service.${name}\``)) ?? "";
      for (const operation of isOperation ? [name] : Object.keys(part)) {
        expect(row, `${name} ${operation}`).toMatch(new RegExp(`\\b${operation}\\b`));
      }
    }
  });
});
