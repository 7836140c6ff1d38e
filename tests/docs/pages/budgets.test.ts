import { readFileSync } from "node:fs";
import { createBudgetService, TRANSITIONS } from "@budgetkit/core";

import { memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../../docs/budgets.md", import.meta.url), "utf8");

describe("docs/budgets.md", () => {
  it("docs/budgets.md lists the transitions in the order of the table, with the calls and events that make them", () => {
    const rows = page
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").map((cell) => cell.trim()));
    expect(rows.map(([, action, from, to, , event]) => ({ action, from, to, event }))).toEqual(
      TRANSITIONS.map(({ action, from, to, event }) => ({ action: `\`${action}\``, from, to, event })),
    );
    TRANSITIONS.forEach(({ by, to }, index) => {
      const call = rows[index]?.[4] ?? "";
      expect(call.includes(`"status":"${to}"`), call).toBe(by.includes("update"));
      expect(call.includes("public link"), call).toBe(by.includes("link"));
      expect(/\bpayment\b/.test(call), call).toBe(by.includes("payment"));
      expect(/\btime\b/.test(call), call).toBe(by.includes("time"));
      for (const path of ["submit", "withdraw", "reopen", "complete", "archive"] as const) {
        expect(call.includes(`POST …/${path}`), call).toBe(by.includes(path));
      }
    });
  });

  it("docs/budgets.md shows the figures of its example of configured lines", async () => {
    const section = page.slice(page.indexOf("\n## Configured lines\n"), page.indexOf("\n## Taxes\n"));
    const [, body = ""] = /```http\n[\s\S]*?\n\n([\s\S]*?)\n```/.exec(section) ?? [];
    const service = createBudgetService({ store: memoryStore(), secret: "s".repeat(32) });
    const { items, ...preview } = (
      await service.budgets.preview({ kind: "system", businessId: "1" }, JSON.parse(body))
    )._unsafeUnwrap();
    const rows = section.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const shown = items.flatMap((line) => ("gross" in line ? [[line.description, line.gross, line.total]] : []));
    expect(
      rows.flatMap(([, name, ...figures]) =>
        /^\d+$/.test(figures[0] ?? "") ? [[name, Number(figures[0]), Number(figures[1])]] : [],
      ),
    ).toEqual(shown);
    const { subtotal, tax, total, minimumPaymentToConfirm: minimum } = preview;
    expect(section).toContain(
      `\`subtotal\` ${subtotal}, the \`tax\` ${tax}, the \`total\` ${total} and the \`minimumPaymentToConfirm\` ${minimum}.`,
    );
    expect(section.replace(/\s+/g, " ")).toContain(
      `Each of the two later years costs ${preview.recurring?.[0]?.total}.`,
    );
  });

  it("docs/budgets.md shows the figures of its example of lines", async () => {
    const [, body = ""] = /\n## Lines\n[\s\S]*?```http\n[\s\S]*?\n\n([\s\S]*?)\n```/.exec(page) ?? [];
    const service = createBudgetService({ store: memoryStore(), secret: "s".repeat(32) });
    const preview = (
      await service.budgets.preview({ kind: "system", businessId: "1" }, JSON.parse(body))
    )._unsafeUnwrap();
    const section = page.slice(page.indexOf("\n## Lines\n"), page.indexOf("\n## Items in a"));
    const rows = section.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const shown = preview.items.flatMap((line) => ("total" in line ? [[line.description, String(line.total)]] : []));
    expect(rows.flatMap(([, name, , , total]) => (/^\d+$/.test(total ?? "") ? [[name, total]] : []))).toEqual(shown);
    const { subtotal, discount, tax, total } = preview;
    expect(section).toContain(
      `\`subtotal\` ${subtotal}, the \`discount\` ${discount}, the \`tax\` ${tax} and the \`total\` ${total}.`,
    );
  });
});
