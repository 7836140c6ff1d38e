import { aBudget, anApiKey, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { MIGRATIONS } from "./schema.js";

describe("a database from before webhooks", () => {
  let database: BetterSqlite3.Database;

  beforeEach(() => {
    database = new BetterSqlite3(":memory:");
    migrate(database, MIGRATIONS.slice(0, 1));
  });

  afterEach(() => {
    database.close();
  });

  function addEvent(id: string): void {
    const event = anEvent({ id });
    database
      .prepare(
        `INSERT INTO budgetkit_events (business_id, id, type, occurred_at, subject_id, document)
         VALUES (1, ?, ?, ?, ?, ?)`,
      )
      .run(id, event.type, event.occurredAt, event.subjectId, JSON.stringify(event));
  }

  it("counts its events as fanned out, and those that follow as not", async () => {
    addEvent("90");
    const store = sqliteStore(database);
    await store.migrate();
    expect(await store.findUndispatchedEvents(10)).toEqual([]);
    await store.insertBudget(aBudget(), [anEvent({ id: "91" })], null);
    expect((await store.findUndispatchedEvents(10)).map(({ id }) => id)).toEqual(["91"]);
    expect((await store.listEvents("1", anEventQuery())).total).toBe(2);
    expect(await store.pruneDeliveries(NOW + 1, 10)).toBe(1);
  });

  it("keeps its keys as they were, with no former webhook secret", async () => {
    const key = anApiKey({ name: 'ñ "quoted" 🪑 \\', webhookUrl: "https://shop.example/?a=1&b=ñ", lastUsedAt: NOW });
    const { previousSealedWebhookSecret: _secret, previousWebhookSecretUntil: _until, ...former } = key;
    database
      .prepare(
        `INSERT INTO budgetkit_keys (business_id, id, version, key_hash, created_at, last_used_at, document)
         VALUES (1, 20, 1, ?, ?, ?, ?)`,
      )
      .run(key.keyHash, key.createdAt, key.lastUsedAt, JSON.stringify(former));
    const store = sqliteStore(database);
    await store.migrate();
    expect(await store.findKey("1", "20")).toEqual(key);
    expect(await store.findSubscribers("1")).toEqual({ endpoints: [], keys: [key] });
  });
});
