import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findCircles, findViolations, type SourceFile } from "./dependency-rules.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the direction of imports", () => {
  it("imports point down in every package", () => {
    const files = readdirSync(join(root, "packages")).flatMap((name) =>
      ["src", "app"].flatMap((folder) => readSources(`packages/${name}/${folder}`)),
    );
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
    [
      "a file outside core",
      "packages/core/src/entries/index.ts",
      "../../store-sqlite/src/index.js",
      /outside its sources/,
    ],
    ["a domain in kernel", "packages/core/src/kernel/ids.ts", "../budgets/budget.js", /outside kernel/],
    ["a top-level file in kernel", "packages/core/src/kernel/ids.ts", "../store.js", /outside kernel/],
    ["a domain in a kernel test", "packages/core/src/kernel/ids.test.ts", "../budgets/budget.js", /outside kernel/],
    ["another package in kernel", "packages/core/src/kernel/ids.ts", "jose", /few packages/],
    ["a test runner in kernel", "packages/core/src/kernel/ids.ts", "vitest", /few packages/],
    ["HTTP in a domain", "packages/core/src/budgets/a.ts", "../http/message.js", /what serves it/],
    ["HTTP in a test of a domain", "packages/core/src/budgets/a.test.ts", "../http/message.js", /what serves it/],
    ["test helpers in a domain", "packages/core/src/limits/a.ts", "../testing/manual-clock.js", /what serves it/],
    ["an entry in a domain", "packages/core/src/limits/a.ts", "../entries/store.js", /what serves it/],
    ["the testing package in core", "packages/core/src/limits/a.ts", "@budgetkit/testing", /itself included/],
    ["the route table in an adapter", "packages/adapter-hono/src/a.ts", "@budgetkit/core/routes", /public entries/],
    ["a part of core in the suites", "packages/testing/src/a.ts", "../../core/src/store.js", /by their name/],
    ["the composition root in a domain", "packages/core/src/usage/a.ts", "../create-service.js", /what serves it/],
    ["a deep path of core", "packages/store-sqlite/src/a.ts", "@budgetkit/core/src/store.js", /public entries/],
    ["another adapter", "packages/adapter-hono/src/a.ts", "@budgetkit/store-sqlite", /core alone/],
    ["a path into core", "packages/adapter-hono/src/a.ts", "../../core/src/index.js", /by their name/],
    ["a store in a limiter", "packages/limiter-redis/src/a.ts", "@budgetkit/store-sqlite", /core alone/],
    ["core in the client", "packages/client/src/a.ts", "@budgetkit/core", /what browsers have/],
    ["Node in the client", "packages/client/src/a.ts", "node:crypto", /what browsers have/],
    ["a package in the client", "packages/client/src/a.ts", "zod", /what browsers have/],
    ["the pricing entry in a store", "packages/store-sqlite/src/a.ts", "@budgetkit/core/pricing", /public entries/],
    ["the pricing entry in core", "packages/core/src/budgets/a.ts", "@budgetkit/core/pricing", /itself included/],
    ["a path from the client into core", "packages/client/src/a.ts", "../../core/src/index.js", /by their name/],
    ["an adapter in the reference page", "packages/reference/src/a.ts", "@budgetkit/adapter-hono", /core alone/],
    [
      "the command line in an adapter",
      "packages/adapter-hono/src/a.ts",
      "@budgetkit/cli",
      /stands on the command line/,
    ],
    ["a deep path in the command line", "packages/cli/src/a.ts", "@budgetkit/store-sqlite/src/a.js", /core alone/],
    ["the pricing entry in a dashboard's handler", "packages/dashboard/src/a.ts", "@budgetkit/core/pricing", /public/],
    ["the client in a dashboard's handler", "packages/dashboard/src/a.ts", "@budgetkit/client", /core alone/],
    ["core in a dashboard's screens", "packages/dashboard/app/a.tsx", "@budgetkit/core", /the client alone/],
    ["a dashboard's handler in its screens", "packages/dashboard/app/a.tsx", "../src/index.js", /by their name/],
    ["Node in a dashboard's screens", "packages/dashboard/app/a.ts", "node:fs", /what browsers have/],
    ["test helpers in a store", "packages/store-sqlite/src/a.ts", "@budgetkit/testing", /only tests/],
    ["shared test helpers in a store", "packages/store-sqlite/src/a.ts", "../../../tests/a.js", /by their name/],
  ])("the rules of imports refuse %s", (_, path, specifier, reason) => {
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
    ["kernel's packages", "packages/core/src/kernel/a.ts", ["zod", "@date-fns/tz", "node:crypto"]],
    ["kernel within kernel", "packages/core/src/kernel/a.ts", ["./clock.js"]],
    ["test tools in tests", "packages/core/src/kernel/a.test.ts", ["vitest", "fast-check", "@budgetkit/testing"]],
    ["the route table in the suites", "packages/testing/src/a.ts", ["@budgetkit/core/routes", "@budgetkit/core/store"]],
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
    [
      "the suites and the shared helpers in a store's tests",
      "packages/store-sqlite/src/a.test.ts",
      ["@budgetkit/testing", "./a.js", "../../../tests/a.js"],
    ],
    ["the pricing entry in the client", "packages/client/src/a.ts", ["@budgetkit/core/pricing"]],
    ["the pricing entry in the command line", "packages/cli/src/a.ts", ["@budgetkit/core/pricing"]],
    [
      "the client and the pricing entry in a dashboard's screens",
      "packages/dashboard/app/a.tsx",
      ["@budgetkit/client", "@budgetkit/core/pricing", "react"],
    ],
  ])("the rules of imports allow %s", (_, path, specifiers) => {
    const text = specifiers.map((specifier) => `import "${specifier}";`).join("\n");
    expect(findViolations([{ path, text }])).toEqual([]);
  });

  it("refuses a circle of files in core, and reports it once", () => {
    const files = [
      { path: "packages/core/src/budgets/c.ts", text: 'import type { A } from "./a.js";' },
      { path: "packages/core/src/budgets/a.ts", text: 'import { b } from "./b.js";' },
      { path: "packages/core/src/budgets/b.ts", text: 'import { c } from "./c.js";' },
    ];
    expect(findViolations(files)).toEqual([
      "imports in a circle: budgets/a.ts -> budgets/b.ts -> budgets/c.ts -> budgets/a.ts",
    ]);
  });

  it.each([
    [
      "two folders of a package",
      [
        { path: "packages/core/src/budgets/a.ts", text: 'import { b } from "../limits/b.js";' },
        { path: "packages/core/src/limits/c.ts", text: 'import { d } from "../budgets/d.js";' },
      ],
      "folders in a circle: packages/core/src: budgets -> limits -> budgets",
    ],
    [
      "a folder and a file beside it",
      [
        { path: "packages/store-sqlite/src/engine/a.ts", text: 'import { b } from "../b.js";' },
        { path: "packages/store-sqlite/src/b.ts", text: 'import { c } from "./engine/c.js";' },
      ],
      "folders in a circle: packages/store-sqlite/src: b.ts -> engine -> b.ts",
    ],
    [
      "two folders within a folder",
      [
        { path: "packages/core/src/webhooks/dispatch/a.ts", text: 'import type { B } from "../endpoints/b.js";' },
        { path: "packages/core/src/webhooks/endpoints/c.ts", text: 'import { d } from "../dispatch/d.js";' },
      ],
      "folders in a circle: packages/core/src/webhooks: dispatch -> endpoints -> dispatch",
    ],
  ])("refuses a circle of %s, though no files form a circle", (_, files, violation) => {
    expect(findViolations(files)).toEqual([violation]);
  });

  it("the simulation has no circle of files or folders", () => {
    const files = readSources("simulation");
    expect(files.length).toBeGreaterThan(0);
    expect(findCircles(files)).toEqual([]);
  });

  it("refuses a circle of files in the simulation", () => {
    const files = [
      { path: "simulation/world/world.ts", text: 'import type { Exchange } from "./client.js";' },
      { path: "simulation/world/client.ts", text: 'import type { World } from "./world.js";' },
    ];
    expect(findCircles(files)).toEqual(["imports in a circle: world/client.ts -> world/world.ts -> world/client.ts"]);
  });

  it("refuses a folder of core that the rules do not list", () => {
    expect(findViolations([{ path: "packages/core/src/helpers/a.ts", text: "" }])).toEqual([
      expect.stringMatching(/core\/src\/helpers: the dependency rules do not name this folder/),
    ]);
  });
});

function readSources(folder: string): SourceFile[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
