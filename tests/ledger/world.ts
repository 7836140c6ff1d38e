import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BudgetService, createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock } from "@budgetkit/testing";
import { expect } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { openDatabase } from "../../packages/store-sqlite/src/engine/database.js";
import { runCommand } from "../programs/command-line.js";
import { temporaryFolder } from "../programs/running-program.js";

const SECRET = "a secret for tests that is long enough";

/** A database for commands, and a way to run statements on its tables by hand; `@` is the prefix of their names. */
export interface LedgerDatabase {
  readonly url: string;
  store(): Store;
  run(sql: string): Promise<unknown>;
}

/** In a file. */
export async function sqliteLedger(folder: string): Promise<LedgerDatabase> {
  const path = join(folder, "b.db");
  const run = async (sql: string) => {
    const database = openDatabase(path);
    database.exec(sql.replaceAll("@", "budgetkit_"));
    database.close();
  };
  return { url: `file:${path}`, store: () => sqliteStore(path, { limiter: "memory" }), run };
}

/** In a database of its own. */
export async function postgresLedger(): Promise<LedgerDatabase> {
  const { url, query } = await freshDatabase();
  return { url, store: () => postgresStore(url, { clock: "caller" }), run: query };
}

/** A database with the ledger of one business: its creation and six customers. */
export async function ledgerOn(open: (folder: string) => Promise<LedgerDatabase>) {
  const folder = temporaryFolder();
  const opened = await open(folder);
  const environment = {
    DATABASE_URL: opened.url,
    BUDGETKIT_SECRET: SECRET,
    BUDGETKIT_PUBLIC_URL: "https://quotes.example",
  };
  const command = (args: string, changed: Readonly<Record<string, string>> = {}) =>
    runCommand(args.split(" "), { folder, environment: { ...environment, ...changed } });
  expect((await command("migrate")).code).toBe(0);
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const inService = async <T>(work: (service: BudgetService) => Promise<T>): Promise<T> => {
    const store = opened.store();
    const service = createBudgetService({ store, clock, secret: SECRET, publicBaseUrl: "https://quotes.example" });
    try {
      return await work(service);
    } finally {
      await service.stop();
      await store.close();
    }
  };
  const id = await inService(async (service) => {
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    for (const name of ["Ana 1", "Ana 2", "Ana 3", "Ana 4", "Ana 5", "Ana 6"]) {
      (await service.customers.create(actor, { name }))._unsafeUnwrap();
    }
    (await service.ledger.checkpoint(actor))._unsafeUnwrap(); // makes the key
    const jwks = await service.fetch(new Request("https://quotes.example/.well-known/jwks.json"));
    writeFileSync(join(folder, "jwks.json"), await jwks.text());
    return business.id;
  });
  return { folder, command, clock, inService, id, url: opened.url, run: opened.run };
}
