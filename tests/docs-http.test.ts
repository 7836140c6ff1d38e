import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { createKeySchema } from "../packages/core/src/access/key-input.js";
import { createBudgetSchema } from "../packages/core/src/budgets/create-budget.js";
import { createPublicBudgetSchema } from "../packages/core/src/budgets/create-public-budget.js";
import { answerSchema } from "../packages/core/src/budgets/public-link.js";
import { listBudgetsSchema } from "../packages/core/src/budgets/read-budgets.js";
import { updateBudgetSchema } from "../packages/core/src/budgets/update-budget.js";
import { listEventsSchema } from "../packages/core/src/events/list-events.js";
import type { Route } from "../packages/core/src/http/route.js";
import { routes } from "../packages/core/src/http/route-table.js";
import { builtServer } from "./build-programs.js";
import { blocksOf } from "./page-code.js";
import { pageTable } from "./page-table.js";
import { paste, startProgram } from "./running-program.js";

vi.setConfig({ testTimeout: 180_000 });

const page = readFileSync(new URL("../docs/http.md", import.meta.url), "utf8");

const tableBelow = (text: string) => pageTable(page, text);

function needsOf({ auth, role }: Route): string {
  if (auth.kind === "none") return "—";
  if (auth.kind === "key") return `\`${auth.scope}\``;
  return role === "administrator" ? "ADMIN" : "any user";
}

/** A field of a schema, as far as the page tells of it. */
interface Field {
  safeParse(value: unknown): { readonly success: boolean };
}

const isRequired = (field: Field) => !field.safeParse(undefined).success;

describe("docs/http.md", () => {
  it("lists the operations of the route table, with what each needs", () => {
    expect(tableBelow("\n## Operations\n")).toEqual(
      routes.map((route) => [
        `\`${route.method} ${route.paths[0]}\``,
        needsOf(route),
        route.idempotent ? "yes" : "",
        route.summary,
      ]),
    );
  });

  it("names the other paths of an operation", () => {
    for (const [path, ...others] of routes.map(({ paths }) => paths)) {
      for (const other of others) {
        if (other !== `/api/developer${path}`) expect(page).toContain(`\`${other}\``);
      }
    }
    expect(page).toContain("All paths of `/api-keys` are at `/api/developer/api-keys` too.");
  });

  it.each([
    ["\n## API keys\n", createKeySchema],
    ["\n## Creating a budget\n", createBudgetSchema],
    ["\nEach item:\n", createBudgetSchema.shape.items.element],
    ["\n## Changing a budget\n", updateBudgetSchema],
    ["\n## Public creation\n", createPublicBudgetSchema],
    ["\n`POST /p/{token}/accept` and", answerSchema],
  ])("has the fields of a body and says which are required, below%s", (heading, { shape }) => {
    expect(tableBelow(heading).map(([field, , required]) => [field, required])).toEqual(
      Object.entries<Field>(shape).map(([field, type]) => [`\`${field}\``, isRequired(type) ? "yes" : "no"]),
    );
  });

  it.each([
    ["\n`GET /api/public/budgets`:\n", listBudgetsSchema],
    ["\n## Events\n", listEventsSchema],
  ])("has the parameters of a list, below%s", (heading, { shape }) => {
    expect(tableBelow(heading).map(([name]) => name)).toEqual(Object.keys(shape).map((name) => `\`${name}\``));
  });

  it("has lines for a shell that work against the server", async () => {
    const password = "a long password";
    const environment = { PORT: "0", DATABASE_URL: "memory:", BUDGETKIT_ADMIN_PASSWORD: password };
    const url = await startProgram(await builtServer(), environment).url;
    const [lines = ""] = blocksOf(page, "sh");
    const said = await paste(
      lines.replace("http://127.0.0.1:3000", url).replace("the one that the first start printed", password),
    );
    expect(said).toContain('"status":"APPROVED"');
    expect(said).toContain('"total":484');
    expect(said).toMatch(/\{"message":"Logged out\."\}$/);
  });
});
