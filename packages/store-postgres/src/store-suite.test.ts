import { storeSuite } from "@budgetkit/core/testing";
import { describe, it } from "vitest";
import { testSchema } from "./testing/test-schema.js";

describe("the Postgres store", () => {
  const schema = testSchema();
  storeSuite(
    { describe, it },
    async () => {
      const store = await schema.freshStore();
      let latest = store;
      return {
        store,
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
});
