import { httpSuite, rounds } from "@budgetkit/testing";
import { describe, it } from "vitest";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { hosts } from "../hosts/http-hosts.js";
import { shareOfCases } from "./share-of-cases.js";

/**
 * A run has one case of this many. suite.test.ts has them all, and the store suite and tenants/isolation.test.ts
 * show what Postgres does.
 */
const STEP = rounds({ small: 24, full: 1 });

describe("HTTP behind Hono, over Postgres", () => {
  httpSuite(shareOfCases({ it }, STEP), hosts.Hono, { makeStore: testSchema().freshStore });
});
