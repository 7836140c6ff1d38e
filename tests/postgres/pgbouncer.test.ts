import { tmpdir } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import {
  noPgBouncer,
  noPreparedStatements,
  startPgBouncer,
} from "../../packages/store-postgres/src/testing/pgbouncer.js";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { runCommand } from "../programs/command-line.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";

const LOGIN = { email: "ana@example.org", password: "correct horse" };
const ADMIN = { BUDGETKIT_ADMIN_EMAIL: LOGIN.email, BUDGETKIT_ADMIN_PASSWORD: LOGIN.password };
const SECRET = { BUDGETKIT_SECRET: "a secret of at least thirty-two characters" };
const TRANSACTIONS = { pool_mode: "transaction" };

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

async function expectToServe(databaseUrl: string): Promise<void> {
  const environment = { PORT: "0", DATABASE_URL: databaseUrl, WEB_CONCURRENCY: "2", ...ADMIN, ...SECRET };
  const program = startProgram(main, environment, temporaryFolder());
  const url = await program.url;
  for (let login = 0; login < 4; login += 1) {
    expect((await ask(url, "", "POST", "/auth/login", LOGIN)).status).toBe(201);
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  program.signal("SIGTERM");
  expect(await program.end).toBe(0);
}

describe.skipIf(noPgBouncer !== null)("a standalone server behind PgBouncer", () => {
  it("a server behind PgBouncer serves in session mode with the default settings", async () => {
    await expectToServe(await startPgBouncer((await freshDatabase()).url, {}));
  });

  it.skipIf(noPreparedStatements !== null)("serves behind PgBouncer if it keeps prepared statements", async () => {
    const settings = { ...TRANSACTIONS, max_prepared_statements: "100" };
    await expectToServe(await startPgBouncer((await freshDatabase()).url, settings));
  });

  it("a server behind PgBouncer refuses transaction mode without prepared statements in one line", async () => {
    const settings = noPreparedStatements === null ? { max_prepared_statements: "0" } : {};
    const url = await startPgBouncer((await freshDatabase()).url, { ...TRANSACTIONS, ...settings });
    const { code, complaints } = await runCommand(["migrate", "--database-url", url], { folder: tmpdir() });
    expect(code).toBe(1);
    expect(complaints).toMatch(
      /^DATABASE_URL cannot be used: PgBouncer runs in transaction mode without prepared statements: .*\n$/,
    );
  });
});
