import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests import the sources of the packages, so they need no build. tsconfig.base.json maps the types alike. */
const sources: Record<string, string> = {
  "@budgetkit/core": "packages/core/src/entries/index.ts",
  "@budgetkit/testing": "packages/testing/src/index.ts",
  "@budgetkit/core/store": "packages/core/src/entries/store.ts",
  "@budgetkit/core/http": "packages/core/src/entries/http.ts",
  "@budgetkit/core/routes": "packages/core/src/entries/routes.ts",
  "@budgetkit/core/pricing": "packages/core/src/entries/pricing.ts",
  "@budgetkit/adapter-hono": "packages/adapter-hono/src/index.ts",
  "@budgetkit/adapter-express": "packages/adapter-express/src/index.ts",
  "@budgetkit/client": "packages/client/src/index.ts",
  "@budgetkit/client/evidence": "packages/client/src/evidence.ts",
  "@budgetkit/client/webhooks": "packages/client/src/webhooks.ts",
  "@budgetkit/store-sqlite": "packages/store-sqlite/src/index.ts",
  "@budgetkit/store-postgres": "packages/store-postgres/src/index.ts",
  "@budgetkit/limiter-redis": "packages/limiter-redis/src/index.ts",
  "@budgetkit/store-kit": "packages/store-kit/src/index.ts",
  "@budgetkit/pdf": "packages/pdf/src/index.ts",
  "@budgetkit/dashboard": "packages/dashboard/src/index.ts",
  "@budgetkit/reference": "packages/reference/src/index.ts",
  "@budgetkit/cli": "packages/cli/src/index.ts",
};

/** A run on node:sqlite has better-sqlite3 neither in the tests nor in the processes that they start. */
if (process.env.TEST_SQLITE_DRIVER === "node:sqlite") {
  sources["better-sqlite3"] = "packages/store-sqlite/src/testing/node-sqlite-stand-in.ts";
  const hide = fileURLToPath(new URL("scripts/hide-better-sqlite3.cjs", import.meta.url));
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(hide)}`;
}

const resolve = {
  alias: Object.entries(sources).map(([name, path]) => ({
    find: new RegExp(`^${name}$`),
    replacement: fileURLToPath(new URL(path, import.meta.url)),
  })),
};

const QUIET = "quiet";

const include = [
  "packages/*/src/**/*.test.ts",
  "packages/dashboard/app/**/*.test.ts",
  "examples/*/**/*.test.ts",
  "tests/**/*.test.ts",
];
const exclude = ["**/node_modules/**", "**/dist/**"];

/**
 * Files that subscribe to channels or signals of the whole process, or count its timers: they share a process with each
 * other alone, and each ends what it starts. The files of a worker share one process, so it imports core once.
 */
const quiet = [
  "packages/cli/src/server/worker*.test.ts",
  "packages/client/src/transport.test.ts",
  "packages/core/src/**/observe*.test.ts",
  "packages/cli/src/server/shared-readiness.test.ts",
  "packages/core/src/service-event-log.test.ts",
  "packages/core/src/usage/recorder.test.ts",
];

/** The longest files, the longest first. They start first, so that the workers end at about the same time. */
const longest = [
  "tests/postgres/standalone",
  "packages/store-postgres/src/store-suite",
  "tests/http/suite",
  "tests/tenants/isolation",
  "tests/browser/reference-page",
  "tests/http/suite-postgres",
  "tests/cli/cli",
  "tests/copy/command",
  "packages/store-sqlite/src/store-suite",
  "packages/store-sqlite/src/store-suite-on-node-sqlite",
  "tests/browser/public-page",
  "tests/crash/postgres",
  "tests/crash/full-disk",
  "tests/docs/pages/cli",
  "tests/docs/pages/embedding",
  "tests/standalone/readiness",
  "tests/simulation/simulation",
  "tests/docs/code/code-blocks",
  "packages/store-postgres/src/search/search-query-plans",
  "tests/docs/code/documented-types",
  "packages/pdf/src/pdf-documents",
  "tests/client/operations",
  "tests/examples/event-consumer",
  "tests/standalone/metrics",
  "tests/openapi/openapi",
  "packages/store-sqlite/src/host-transactions",
  "tests/http/fuzz",
  "tests/service/user-limits",
  "packages/store-postgres/src/catalog/catalog-query-plans",
  "tests/browser/public-page-steps",
  "tests/copy/suite",
  "tests/http/attachments-sockets",
  "tests/standalone/server",
  "tests/copy/service",
  "tests/cli/ledger",
  "packages/limiter-redis/src/faults",
].map((path) => `/${path}.test.ts`);

/** Quiet files first, because a worker takes on only one kind and then ends; within each kind, the longest first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  const place = longest.findIndex((path) => moduleId.endsWith(path));
  return (project.name === QUIET ? 0 : 1_000) + (place < 0 ? longest.length : place);
}

const shared = {
  testTimeout: 300_000, // ends a test that hangs; a slow machine is no failure
  hookTimeout: 600_000, // a hook may build the server
  expect: { poll: { timeout: 120_000, interval: 20 } }, // generous: a busy machine is no failure
  isolate: false,
  pool: "forks" as const, // a crash in a native module must end one worker, not the run
};

export default defineConfig({
  resolve,
  test: {
    globalSetup: ["packages/store-postgres/src/testing/global-setup.ts"],
    maxWorkers: Math.max(2, availableParallelism() - 1), // on two cores vitest would use one, and a third gains nothing
    sequence: { sequencer: LongestFirst },
    projects: [
      { resolve, test: { ...shared, name: QUIET, include: quiet, exclude } },
      { resolve, test: { ...shared, name: "others", include, exclude: [...exclude, ...quiet] } },
    ],
    // Collected by `npm run test:coverage`, for the pure rules alone. The tests of core cover them.
    coverage: {
      provider: "v8",
      include: ["packages/core/src/{kernel,pricing,budgets,limits,access}/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
