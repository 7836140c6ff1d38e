import { storeSuite } from "@budgetkit/testing";
import { describe, it } from "vitest";
import { CITUS_URL, citusSchema, WITHOUT_CITUS } from "../testing/citus-database.js";

describe.skipIf(CITUS_URL === undefined)(`the Postgres store on Citus${WITHOUT_CITUS}`, () => {
  const schema = citusSchema();
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
});
