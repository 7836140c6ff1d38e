import { httpSuite, rounds } from "@budgetkit/testing";
import { describe, it } from "vitest";
import { testSchema } from "../packages/store-postgres/src/testing/test-schema.js";
import { hosts } from "./http-hosts.js";

/**
 * A run has one case of this many in each group. http-suite.test.ts has them all, and the store suite and tenant-isolation.test.ts show
 * what Postgres does.
 */
const STEP = rounds({ small: 6, full: 1 });

describe("HTTP behind Hono, over Postgres", () => {
  const schema = testSchema();
  let cases = 0;
  const runner: Parameters<typeof httpSuite>[0] = {
    describe: (title, body) =>
      describe(title, () => {
        cases = 0;
        body();
      }),
    it: (title, body) => {
      if (cases % STEP === 0) it(title, body);
      cases += 1;
    },
  };
  httpSuite(runner, hosts.Hono, { makeStore: schema.freshStore });
});
