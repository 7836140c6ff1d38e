import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createKeySchema } from "../../../packages/core/src/access/keys/key-input.js";
import { createBudgetSchema } from "../../../packages/core/src/budgets/create-budget.js";
import { listBudgetsSchema } from "../../../packages/core/src/budgets/reading/read-budgets.js";
import { answerSchema } from "../../../packages/core/src/budgets/sharing/answer-public-link.js";
import { createPublicBudgetSchema } from "../../../packages/core/src/budgets/sharing/create-public-budget.js";
import { updateBudgetSchema } from "../../../packages/core/src/budgets/update-budget.js";
import { listEventsSchema } from "../../../packages/core/src/events/list-events.js";
import type { Route } from "../../../packages/core/src/http/route.js";
import { routes } from "../../../packages/core/src/http/route-table.js";
import { BUSINESS_RULES } from "../../../packages/core/src/kernel/problem.js";
import { builtServer } from "../../programs/build-programs.js";
import { paste, startProgram } from "../../programs/running-program.js";
import { blocksOf } from "../code/page-code.js";
import { pageTable } from "../code/page-table.js";

const page = readFileSync(new URL("../../../docs/http.md", import.meta.url), "utf8");

const PAGE_SERVER = "http://127.0.0.1:3000";
const tableBelow = (text: string) => pageTable(page, text);

function needsOf({ auth, role }: Route): string {
  if (auth.kind === "none") return "—";
  if (auth.kind === "key") return `\`${auth.scope}\``;
  return role === "administrator" ? "ADMIN" : "any user";
}

/** The parts of a schema field that the page describes. */
interface Field {
  safeParse(value: unknown): { readonly success: boolean };
}

const isRequired = (field: Field) => !field.safeParse(undefined).success;

describe("docs/http.md", () => {
  it("docs/http.md lists the operations of the route table, with the scope or role of each", () => {
    expect(tableBelow("\n## Operations\n")).toEqual(
      routes.map((route) => [
        `\`${route.method} ${route.paths[0]}\``,
        needsOf(route),
        route.idempotent ? "yes" : "",
        route.summary,
      ]),
    );
  });

  it("docs/http.md lists the business rules", () => {
    expect(tableBelow("\n### Business rules\n").map(([rule]) => rule)).toEqual(
      BUSINESS_RULES.map((rule) => `\`${rule}\``),
    );
  });

  it("docs/http.md lists the other paths of an operation", () => {
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
    ["\nEach item:\n", createBudgetSchema.shape.items.element.options[0]],
    ["\n## Changing a budget\n", updateBudgetSchema],
    ["\n## Public creation\n", createPublicBudgetSchema],
    ["\n`POST /p/{token}/accept` and", answerSchema],
  ])("docs/http.md lists the fields of a body and which are required, below%s", (heading, { shape }) => {
    expect(tableBelow(heading).map(([field, , required]) => [field, required])).toEqual(
      Object.entries<Field>(shape).map(([field, type]) => [`\`${field}\``, isRequired(type) ? "yes" : "no"]),
    );
  });

  it.each([
    ["\n`GET /api/public/budgets`:\n", listBudgetsSchema],
    ["\n## Events\n", listEventsSchema],
  ])("docs/http.md lists the parameters of a list, below%s", (heading, { shape }) => {
    expect(tableBelow(heading).map(([name]) => name)).toEqual(Object.keys(shape).map((name) => `\`${name}\``));
  });

  it("the shell lines in docs/http.md work against the server, with a key and with a login", async () => {
    const owner = { BUDGETKIT_ADMIN_PASSWORD: "a long password" };
    const server = startProgram(await builtServer(), { PORT: "0", DATABASE_URL: "memory:", ...owner });
    const url = await server.url;
    const printed = server.printed();
    const [withLogin = "", withKey = ""] = blocksOf(page, "sh").map((lines) => lines.replace(PAGE_SERVER, url));
    const first = await paste(printed.slice(printed.indexOf("\nAPI="), printed.indexOf("\n\nThe link shows ")), owner);
    const key = /API key: (\S+)/.exec(first)?.[1] ?? "";
    const byKey = await paste(withKey.replace("bgk_live_...", key));
    expect(byKey).toMatch(/^HTTP\/1\.1 201 /);
    expect(byKey).toContain('"success":true');
    expect(byKey).toMatch(/"pagination":\{"page":1,"limit":10,"total":2,/);
    expect(byKey).toContain('"field":"customerId","code":"REQUIRED"');
    expect(byKey).toContain('"field":"items","code":"MIN_LENGTH"');

    const byLogin = await paste(withLogin.replace("the one that the first start made", owner.BUDGETKIT_ADMIN_PASSWORD));
    expect(byLogin).toContain('"status":"APPROVED"');
    expect(byLogin).toContain('"total":484');
    expect(byLogin).toMatch(/\{"message":"Logged out\."\}$/);
  });
});
