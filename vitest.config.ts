import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The sources stand in for the built packages, so that tests need no build. tsconfig.base.json says the same for types. */
const sources: Record<string, string> = {
  "@budgetkit/core": "packages/core/src/index.ts",
  "@budgetkit/core/testing": "packages/core/src/testing.ts",
  "@budgetkit/core/store": "packages/core/src/store-kit.ts",
  "@budgetkit/core/http": "packages/core/src/http.ts",
  "@budgetkit/adapter-hono": "packages/adapter-hono/src/index.ts",
  "@budgetkit/adapter-express": "packages/adapter-express/src/index.ts",
  "@budgetkit/client": "packages/client/src/index.ts",
  "@budgetkit/client/webhooks": "packages/client/src/webhooks.ts",
  "@budgetkit/store-sqlite": "packages/store-sqlite/src/index.ts",
  "@budgetkit/store-postgres": "packages/store-postgres/src/index.ts",
  "@budgetkit/limiter-redis": "packages/limiter-redis/src/index.ts",
  "@budgetkit/reference": "packages/reference/src/index.ts",
  "@budgetkit/cli": "packages/cli/src/index.ts",
};

export default defineConfig({
  resolve: {
    alias: Object.entries(sources).map(([name, path]) => ({
      find: new RegExp(`^${name}$`),
      replacement: fileURLToPath(new URL(path, import.meta.url)),
    })),
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "examples/*/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 60_000, // for what hangs: a slow machine is no failure
    hookTimeout: 60_000,
    globalSetup: ["packages/store-postgres/src/testing/global-setup.ts"],
    maxWorkers: Math.max(2, availableParallelism() - 1), // on two cores vitest would use one
    pool: "forks", // a native module that crashes takes down one file, not the run
    coverage: {
      provider: "v8",
      include: ["packages/core/src/{kernel,budgets,limits,access}/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
