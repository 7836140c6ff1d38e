import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findViolations, type SourceFile } from "./dependency-rules.js";

const root = fileURLToPath(new URL("..", import.meta.url));

describe("the direction of imports", () => {
  it("points down in every package", () => {
    const files = readdirSync(join(root, "packages")).flatMap((name) => readSources(`packages/${name}/src`));
    expect(files.length).toBeGreaterThan(0);
    expect(findViolations(files)).toEqual([]);
  });

  it.each([
    ["a framework in core", "packages/core/src/http/fetch.ts", "hono", /no framework and no database/],
    ["a part of a framework in core", "packages/core/src/http/fetch.ts", "hono/cookie", /no framework/],
    ["a database in core, tests too", "packages/core/src/store.test.ts", "better-sqlite3", /no framework/],
    ["Redis in core", "packages/core/src/limits/a.ts", "ioredis", /no framework/],
    ["the viewer in core", "packages/core/src/http/a.ts", "swagger-ui-dist", /no framework/],
    ["the reference page in core", "packages/core/src/http/a.ts", "@budgetkit/reference", /itself included/],
    ["core by its own name", "packages/core/src/budgets/a.ts", "@budgetkit/core", /itself included/],
    ["a file outside core", "packages/core/src/index.ts", "../../store-sqlite/src/index.js", /outside its sources/],
    ["a domain in kernel", "packages/core/src/kernel/ids.ts", "../budgets/budget.js", /outside kernel/],
    ["a top-level file in kernel", "packages/core/src/kernel/ids.ts", "../store.js", /outside kernel/],
    ["a domain in a kernel test", "packages/core/src/kernel/ids.test.ts", "../budgets/budget.js", /outside kernel/],
    ["another package in kernel", "packages/core/src/kernel/ids.ts", "jose", /few packages/],
    ["a test runner in kernel", "packages/core/src/kernel/ids.ts", "vitest", /few packages/],
    ["HTTP in a domain", "packages/core/src/budgets/a.ts", "../http/message.js", /what serves it/],
    ["HTTP in a test of a domain", "packages/core/src/budgets/a.test.ts", "../http/message.js", /what serves it/],
    ["test helpers in a domain", "packages/core/src/limits/a.ts", "../testing/manual-clock.js", /what serves it/],
    ["the test entry in a domain", "packages/core/src/limits/a.ts", "../testing.js", /what serves it/],
    ["the composition root in a domain", "packages/core/src/usage/a.ts", "../create-service.js", /what serves it/],
    ["a deep path of core", "packages/store-sqlite/src/a.ts", "@budgetkit/core/src/store.js", /public entries/],
    ["another adapter", "packages/adapter-hono/src/a.ts", "@budgetkit/store-sqlite", /core alone/],
    ["a path into core", "packages/adapter-hono/src/a.ts", "../../core/src/index.js", /by their name/],
    ["a store in a limiter", "packages/limiter-redis/src/a.ts", "@budgetkit/store-sqlite", /core alone/],
    ["core in the client", "packages/client/src/a.ts", "@budgetkit/core", /what browsers have/],
    ["Node in the client", "packages/client/src/a.ts", "node:crypto", /what browsers have/],
    ["a package in the client", "packages/client/src/a.ts", "zod", /what browsers have/],
    ["a path from the client into core", "packages/client/src/a.ts", "../../core/src/index.js", /by their name/],
    ["an adapter in the reference page", "packages/reference/src/a.ts", "@budgetkit/adapter-hono", /core alone/],
    [
      "the command line in an adapter",
      "packages/adapter-hono/src/a.ts",
      "@budgetkit/cli",
      /stands on the command line/,
    ],
    ["a deep path in the command line", "packages/cli/src/a.ts", "@budgetkit/store-sqlite/src/a.js", /core alone/],
    ["test helpers in a store", "packages/store-sqlite/src/a.ts", "@budgetkit/core/testing", /only tests/],
  ])("refuses %s", (_, path, specifier, reason) => {
    for (const statement of [
      `import { a } from "${specifier}";`,
      `import type { A } from "${specifier}";`,
      `export { a } from "${specifier}";`,
      `const a = await import("${specifier}");`,
    ]) {
      expect(findViolations([{ path, text: statement }])).toEqual([expect.stringMatching(reason)]);
    }
  });

  it.each([
    ["kernel's packages", "packages/core/src/kernel/a.ts", ["zod", "date-fns/format", "@date-fns/tz", "node:crypto"]],
    ["kernel within kernel", "packages/core/src/kernel/a.ts", ["./clock.js"]],
    ["test tools in tests", "packages/core/src/kernel/a.test.ts", ["vitest", "fast-check", "../testing/clock.js"]],
    ["kernel and other domains in a domain", "packages/core/src/budgets/a.ts", ["../kernel/ids.js", "../events/a.js"]],
    ["everything in the composition root", "packages/core/src/create-service.ts", ["./http/router.js", "./usage/a.js"]],
    ["core's entries in an adapter", "packages/adapter-hono/src/a.ts", ["@budgetkit/core", "@budgetkit/core/http"]],
    [
      "itself and test tools in the client's tests",
      "packages/client/src/a.test.ts",
      ["./a.js", "vitest", "fast-check"],
    ],
    [
      "every package in the command line",
      "packages/cli/src/a.ts",
      ["@budgetkit/store-sqlite", "@budgetkit/core/store"],
    ],
    ["the suites in a store's tests", "packages/store-sqlite/src/a.test.ts", ["@budgetkit/core/testing", "./a.js"]],
  ])("allows %s", (_, path, specifiers) => {
    const text = specifiers.map((specifier) => `import "${specifier}";`).join("\n");
    expect(findViolations([{ path, text }])).toEqual([]);
  });

  it("refuses a circle in core, and tells it once", () => {
    const files = [
      { path: "packages/core/src/budgets/c.ts", text: 'import type { A } from "./a.js";' },
      { path: "packages/core/src/budgets/a.ts", text: 'import { b } from "../limits/b.js";' },
      { path: "packages/core/src/limits/b.ts", text: 'import { c } from "../budgets/c.js";' },
    ];
    expect(findViolations(files)).toEqual([
      "imports in a circle: budgets/a.ts -> limits/b.ts -> budgets/c.ts -> budgets/a.ts",
    ]);
  });
});

function readSources(folder: string): SourceFile[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
