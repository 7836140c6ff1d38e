import { insertBudgetCommit, insertBusinessCommit } from "@budgetkit/core/store";
import { postgresStore } from "@budgetkit/store-postgres";
import { aBudget, aBusiness } from "@budgetkit/testing";
import { afterAll, describe, expect, it } from "vitest";
import {
  CITUS_URL,
  createCitusDatabase,
  dropCitusDatabase,
  WITHOUT_CITUS,
} from "../../packages/store-postgres/src/testing/citus-database.js";
import { runCommand } from "../programs/command-line.js";
import { temporaryFolder } from "../programs/running-program.js";

const NAME = `test_citus_cli_${process.pid}`;

describe.skipIf(CITUS_URL === undefined)(`budgetkit migrate on Citus${WITHOUT_CITUS}`, () => {
  afterAll(() => dropCitusDatabase(NAME));

  it("migrate --distribute distributes the rows that are there, and later commands find them", async () => {
    const url = await createCitusDatabase(NAME);
    const store = postgresStore(url, { listen: false });
    await store.migrate();
    for (const id of ["1", "2", "3"]) {
      await store.commit(insertBusinessCommit(aBusiness({ id })));
      await store.commit(insertBudgetCommit(aBudget({ businessId: id, publicTokenHash: `link of ${id}` })));
    }
    await store.close();

    const environment = { DATABASE_URL: url, BUDGETKIT_SECRET: "a secret for tests that is long enough" };
    const run = (args: string) => runCommand(args.split(" "), { folder: temporaryFolder(), environment });
    expect(await run("migrate --distribute")).toMatchObject({ code: 0 });
    expect(await run("migrate")).toMatchObject({ code: 0 });

    const distributed = postgresStore(url, { listen: false, distributed: true });
    for (const id of ["1", "2", "3"]) {
      expect(await distributed.findBudgetByPublicToken(`link of ${id}`)).toMatchObject({ businessId: id });
    }
    await distributed.close();
    const unaware = postgresStore(url, { listen: false });
    await expect(unaware.migrate()).rejects.toThrow("pass the option distributed: true");
    await unaware.close();
  });

  it("migrate --distribute needs PostgreSQL", async () => {
    const environment = { DATABASE_URL: "file:./budgets.db" };
    const { code, complaints } = await runCommand(["migrate", "--distribute"], {
      folder: temporaryFolder(),
      environment,
    });
    expect(code).not.toBe(0);
    expect(complaints).toContain("--distribute needs a PostgreSQL with Citus");
  });
});
