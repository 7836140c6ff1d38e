import { tmpdir } from "node:os";
import { postgresStore } from "@budgetkit/store-postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { migratedDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { leadingProxy, socketOf } from "../../packages/store-postgres/src/testing/leading-proxy.js";
import {
  noPgBouncer,
  noPreparedStatements,
  startPgBouncer,
} from "../../packages/store-postgres/src/testing/pgbouncer.js";
import { type ReplicatedServer, startReplicated } from "../../packages/store-postgres/src/testing/replicated-server.js";
import { runOn } from "../../packages/store-postgres/src/testing/run-on.js";
import { runCommand } from "../programs/command-line.js";

const environment = {
  BUDGETKIT_SECRET: "a secret of at least thirty-two characters",
  BUDGETKIT_PUBLIC_URL: "https://quotes.example.com",
};

/** What doctor prints about the database. Its lines, the last one and the exit code agree, or the test fails. */
async function diagnose(url: string): Promise<string[]> {
  const run = await runCommand(["doctor", "--database-url", url], { folder: tmpdir(), environment });
  const lines = run.out.trim().split("\n");
  const wrong = lines.filter((line) => line.startsWith("wrong"));
  const found = `${wrong.length} of ${lines.length} checks found something wrong.\n`;
  expect(run).toMatchObject(wrong.length === 0 ? { code: 0, complaints: "" } : { code: 1, complaints: found });
  const ofDatabase = lines.filter((line) => /^\w+ +(?:DATABASE_URL|database|schema|quotas): /.test(line));
  const names = ofDatabase.map((line) => /\w+(?=: )/.exec(line)?.[0]);
  expect(new Set(names).size).toBe(names.length); // one line for each check
  return ofDatabase.map((line) => line.replace(/ +/, " "));
}

const VALID = "ok DATABASE_URL: has a valid form";
const SERVES = [VALID, expect.stringMatching(/^ok database: PostgreSQL \S+ answers$/)];
const FINE = [...SERVES, "ok schema: is up to date", "ok quotas: every business has room"];
const fails = (why: RegExp, ...before: string[]) => [VALID, ...before, expect.stringMatching(why)];

/** Longer than doctor waits for a commit. */
const HAS_WAITED = `SELECT EXISTS (
  SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND clock_timestamp() - query_start > interval '2 s'
) AS done`;

describe("budgetkit doctor on a primary and its standby", () => {
  let server: ReplicatedServer;

  beforeAll(async () => {
    server = await startReplicated();
    const store = postgresStore(server.url);
    await store.migrate();
    await store.close();
    await server.catchUp();
  });
  afterAll(() => server.stop());

  async function behind(leadTo: Parameters<typeof leadingProxy>[0]): Promise<string> {
    const proxy = await leadingProxy(leadTo);
    onTestFinished(proxy.close);
    return proxy.url;
  }

  it("doctor accepts the primary, and refuses its standby", async () => {
    expect(await diagnose(server.url)).toEqual(FINE);
    expect(await diagnose(server.standby.url)).toEqual(fails(/^wrong database: PostgreSQL \S+ is a standby /));
  });

  it("doctor refuses an address that leads to the standby as well", async () => {
    const url = await behind((connection) => socketOf(connection === 0 ? server.primary : server.standby));
    expect(await diagnose(url)).toEqual(
      fails(/^wrong database: PostgreSQL cannot serve: .*read-only transaction$/, "ok schema: is up to date"),
    );
  });

  it("doctor calls a primary wrong that is lost after the first check", async () => {
    const url = await behind((connection) => (connection === 0 ? socketOf(server.primary) : null));
    expect(await diagnose(url)).toEqual(fails(/^wrong database: PostgreSQL cannot serve: /));
  });

  it("doctor calls a primary wrong whose commits wait for a standby that is away", async () => {
    const set = async (sql: string) => {
      await runOn(server.primary.url, sql);
      await runOn(server.primary.url, "SELECT pg_reload_conf()");
    };
    await set("ALTER SYSTEM SET synchronous_standby_names = 'away'");
    const diagnosed = diagnose(server.url);
    await expect.poll(() => runOn(server.primary.url, HAS_WAITED)).toEqual([{ done: true }]);
    await set("ALTER SYSTEM RESET synchronous_standby_names"); // the commit ends, and with it the command
    expect(await diagnosed).toEqual(
      fails(/^wrong database: PostgreSQL cannot serve: a commit has waited /, "ok schema: is up to date"),
    );
  });

  it("doctor reports that the primary is gone, and accepts the promoted standby", async () => {
    await server.catchUp();
    expect(await diagnose("postgres://postgres@127.0.0.1:1/postgres")).toEqual(
      fails(/^wrong database: cannot be used: no PostgreSQL listens there /),
    );
    await server.failOver();
    await expect.poll(() => runOn(server.url, "SELECT pg_is_in_recovery() AS recovers")).toEqual([{ recovers: false }]);
    expect(await diagnose(server.url)).toEqual(FINE);
  });
});

describe.skipIf(noPgBouncer !== null)("budgetkit doctor behind PgBouncer", () => {
  it("doctor accepts PgBouncer in session mode, and refuses it without prepared statements", async () => {
    const { url } = await migratedDatabase();
    expect(await diagnose(await startPgBouncer(url, {}))).toEqual(FINE);
    const settings = noPreparedStatements === null ? { max_prepared_statements: "0" } : {};
    const pooled = await startPgBouncer(url, { pool_mode: "transaction", ...settings });
    expect(await diagnose(pooled)).toEqual(fails(/^wrong database: PgBouncer runs in transaction mode without /));
  });
});

describe("budgetkit doctor on a URL that the driver misreads", () => {
  it.each([
    ["several hosts", "postgres://u:p@a:5432,b:5433/db?target_session_attrs=read-write", /it names several hosts: /],
    ["a standby", "postgres://u:p@a/db?target_session_attrs=standby", /"standby", and the store needs the primary: /],
    ["no URL", "postgres://u:p#q@a/db", /it is no URL; /],
  ])("doctor refuses %s as a DATABASE_URL before it connects", async (_, url, why) => {
    expect(await diagnose(url)).toEqual([expect.stringMatching(why)]);
  });
});
