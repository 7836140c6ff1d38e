import { createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { memoryDatabase } from "../../packages/store-sqlite/src/testing/memory-database.js";

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

/** A service with so many businesses, each with a webhook for new customers. */
async function openWorld(open: () => Promise<Opened>, count: number) {
  const { store, run } = await open();
  await store.migrate();
  const errors: string[] = [];
  const start = () =>
    createBudgetService({
      store,
      clock: manualClock(),
      secret: "a secret for tests that is long enough",
      onError: (error) => errors.push(String(error)),
      webhooks: { sender: { send: async () => NO_CONTENT } },
    });
  const service = start();
  const writer = start(); // it fans nothing out, so it knows no subscribers, and its events wait for a fan-out
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const businessId = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap().id;
    const settings = { url: "https://example.com/hooks", events: ["customer.created" as const] };
    (await service.webhooks.create({ kind: "system", businessId }, settings))._unsafeUnwrap();
    ids.push(businessId);
  }
  const commit = async (businessId: string | undefined = "", customers = 1) => {
    for (let index = 0; index < customers; index += 1) {
      (await writer.customers.create({ kind: "system", businessId }, { name: "Ana" }))._unsafeUnwrap();
    }
  };
  return { service, start, run, errors, ids, commit };
}

const CANNOT_BE_READ = expect.stringContaining("cannot be read");

const STORES = [
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
] as const;

const DAMAGES = [
  ["is no JSON", "UPDATE @events SET document = '{' WHERE business_id = "],
  ["is no event", "UPDATE @events SET document = '{}' WHERE business_id = "],
  ["is gone", "DELETE FROM @events WHERE business_id = "],
] as const;

describe.each(STORES)("on %s, an event that cannot be read", (_store, open) => {
  it.each(DAMAGES)("an event that %s stops no others, and is reported once per process", async (_damage, sql) => {
    const { service, start, run, errors, ids, commit } = await openWorld(open, 2);
    const [damaged, intact] = ids;
    await commit(damaged);
    await run(`${sql}${damaged}`);
    for (let round = 0; round < 3; round += 1) {
      await commit(intact);
      expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 1, delivered: 1 });
      await service.webhooks.tick();
    }
    expect(errors).toEqual([CANNOT_BE_READ]);
    await start().webhooks.tick();
    expect(errors).toEqual([CANNOT_BE_READ, CANNOT_BE_READ]);
  });

  it.each(DAMAGES)("many events that are unreadable because each %s leave room for others", async (_damage, sql) => {
    const { service, run, errors, ids, commit } = await openWorld(open, 5);
    const intact = ids.pop();
    for (const id of ids) {
      await commit(id, 25);
      await run(`${sql}${id}`);
    }
    await commit(ids[0]);
    await commit(intact);
    expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 2, delivered: 2 });
    expect(errors).toEqual(Array.from({ length: 100 }, () => CANNOT_BE_READ));
    await commit(intact);
    expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 1, delivered: 1 });
    expect(errors).toHaveLength(100);
  });

  it("an unreadable event does not end the round of a backlog", async () => {
    const { service, run, ids, commit } = await openWorld(open, 1);
    await commit(ids[0]);
    await run(`${DAMAGES[0][1]}${ids[0]}`);
    await commit(ids[0], 30);
    expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 30 });
  });

  it("many unreadable events do not narrow the rounds of a backlog", async () => {
    const { service, run, ids, commit } = await openWorld(open, 5);
    const intact = ids.pop();
    for (const id of ids) {
      await commit(id, 25);
      await run(`${DAMAGES[0][1]}${id}`);
    }
    await commit(intact, 120);
    expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 100 });
    expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 20 });
  });

  it("delivers an unreadable event once it can be read again", async () => {
    const { service, run, ids, commit } = await openWorld(open, 1);
    await commit(ids[0]);
    await run("UPDATE @events SET document = '!' || document");
    expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 0 });
    await run("UPDATE @events SET document = substr(document, 2)");
    expect(await service.webhooks.tick()).toMatchObject({ fannedOut: 1, delivered: 1 });
  });
});
