import { SCALE, storeSuite } from "@budgetkit/testing";
import { beforeAll, describe, it } from "vitest";
import { makeFormerSchema } from "./testing/former-release.js";
import { type TestSchema, testSchema } from "./testing/test-schema.js";

function suiteOn(schema: TestSchema): void {
  storeSuite(
    { describe, it },
    async () => {
      const store = await schema.freshStore();
      let latest = store;
      return {
        store,
        isMigrated: true,
        host: schema.host,
        reopen: async () => {
          latest = schema.open();
          return latest;
        },
        close: () => latest.close(),
      };
    },
    { persists: true, hostTransactions: true },
  );
}

describe("the Postgres store, in a schema of the first release that it upgraded", () => {
  const schema = testSchema({ isMissing: true });
  beforeAll(async () => {
    await makeFormerSchema(schema.pool, schema.schema);
    await schema.query("DELETE FROM @key_caches"); // a migration waits for servers that are there, seconds long
  });
  suiteOn(schema);
});

// An upgraded schema is the same as a new one: migrations/upgrade.test.ts compares them.
if (SCALE === "full") describe("the Postgres store", () => suiteOn(testSchema()));
