import { createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { testSchema } from "../packages/store-postgres/src/testing/test-schema.js";
import { memoryDatabase } from "../packages/store-sqlite/src/testing/memory-database.js";

const postgres = testSchema();

const NO_CONTENT = {
  kind: "answered",
  responseCode: 204,
  responseBody: "",
  retryAfterSeconds: null,
  durationMs: 1,
} as const;

/** A store, and a way to run statements on its tables by hand; `@` is the prefix of their names. */
interface Opened {
  readonly store: Store;
  run(sql: string): Promise<unknown>;
}

async function openSqlite(): Promise<Opened> {
  const database = memoryDatabase();
  return { store: sqliteStore(database), run: async (sql) => database.exec(sql.replaceAll("@", "budgetkit_")) };
}

async function openPostgres(): Promise<Opened> {
  return { store: await postgres.freshStore(), run: (sql) => postgres.query(sql) };
}

it.each([
  ["SQLite", "is no JSON", openSqlite, "UPDATE @events SET document = '{' WHERE business_id = "],
  ["PostgreSQL", "is no JSON", openPostgres, "UPDATE @events SET document = '{' WHERE business_id = "],
  ["PostgreSQL", "is gone", openPostgres, "DELETE FROM @events WHERE business_id = "],
])("on %s, an event that %s does not stop the webhooks of other businesses", async (_store, _damage, open, sql) => {
  const { store, run } = await open();
  await store.migrate();
  const errors: string[] = [];
  const service = createBudgetService({
    store,
    clock: manualClock(),
    secret: "a secret for tests that is long enough",
    onError: (error) => errors.push(String(error)),
    webhooks: { sender: { send: async () => NO_CONTENT } },
  });
  const businesses = await Promise.all(["Norte", "Sur"].map((name) => service.businesses.create({ name })));
  const ids = businesses.map((business) => business._unsafeUnwrap().id);
  for (const businessId of ids) {
    const actor = { kind: "system", businessId } as const;
    const webhook = await service.webhooks.create(actor, {
      url: "https://example.com/hooks",
      events: ["customer.created"],
    });
    expect(webhook.isOk()).toBe(true);
    (await service.customers.create(actor, { name: "Ana" }))._unsafeUnwrap();
  }
  await run(`${sql}${ids[0]}`);
  expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 1 });
  expect(errors).toEqual([expect.stringContaining("cannot be read")]);
});
