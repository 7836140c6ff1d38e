import { httpSuite } from "@budgetkit/testing";
import { describe, it } from "vitest";
import { testSchema } from "../packages/store-postgres/src/testing/test-schema.js";
import { hosts } from "./http-hosts.js";

describe("HTTP behind Hono, over Postgres", () => {
  const schema = testSchema();
  httpSuite({ describe, it }, hosts.Hono, { makeStore: schema.freshStore });
});
