import { httpSuite } from "@budgetkit/testing";
import { describe, it } from "vitest";
import { CITUS_URL, citusSchema, WITHOUT_CITUS } from "../../packages/store-postgres/src/testing/citus-database.js";
import { hosts } from "../hosts/http-hosts.js";

describe.skipIf(CITUS_URL === undefined)(`HTTP behind Hono, over Postgres on Citus${WITHOUT_CITUS}`, () => {
  httpSuite({ describe, it }, hosts.Hono, { makeStore: citusSchema().freshStore });
});
