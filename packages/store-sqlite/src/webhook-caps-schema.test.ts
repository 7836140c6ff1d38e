import { aDelivery, anApiKey, anEndpoint } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { MIGRATIONS } from "./schema.js";

describe("a database from before webhooks had caps", () => {
  let database: BetterSqlite3.Database;

  beforeEach(() => {
    database = new BetterSqlite3(":memory:");
    migrate(
      database,
      MIGRATIONS.filter(({ version }) => version < 9),
    );
  });

  afterEach(() => {
    database.close();
  });

  it("keeps its endpoints as they were, in their first round of health", async () => {
    const endpoint = anEndpoint({ description: 'ñ "quoted" 🪑 \\', failingSince: 7 });
    const { healthRound: _, ...former } = endpoint;
    database
      .prepare(
        `INSERT INTO budgetkit_endpoints (business_id, id, version, status, created_at, document)
         VALUES (1, 60, 1, 'ACTIVE', ?, ?)`,
      )
      .run(endpoint.createdAt, JSON.stringify(former));
    const store = sqliteStore(database);
    await store.migrate();
    expect(await store.findEndpoint("1", "60")).toEqual(endpoint);
    expect(await store.replaceEndpoint({ ...endpoint, version: 2 }, 1)).toBe("written");
  });

  it("finds what it kept already: deliveries to begin anew, secrets to clear", async () => {
    const { id, subscriber, eventId, eventType, deadlineAt, createdAt, body } = aDelivery();
    database
      .prepare(
        `INSERT INTO budgetkit_deliveries (business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status,
           attempts, attempts_in_round, deadline_at, created_at, updated_at)
         VALUES (1, ?, ?, ?, ?, ?, 'cancelled', 0, 0, ?, ?, ?)`,
      )
      .run(id, subscriber.kind, subscriber.id, eventId, eventType, deadlineAt, createdAt, createdAt);
    database
      .prepare("INSERT INTO budgetkit_delivery_bodies (business_id, delivery_id, body) VALUES (1, ?, ?)")
      .run(id, body);
    const before = sqliteStore(database);
    const until = { previousSealedWebhookSecret: "v1.old", previousWebhookSecretUntil: 5 };
    await before.insertKey(anApiKey(until), null);
    const store = sqliteStore(database);
    await store.migrate();
    const restart = { subscriber: aDelivery().subscriber, after: { createdAt: 0, id: "0" }, limit: 5 };
    expect(await store.restartUndelivered("1", { ...restart, now: 1, deadlineAt: 2 })).toHaveLength(1);
    expect(await store.clearReplacedSecrets(5, 10)).toBe(1);
    expect(await store.findKey("1", "20")).toEqual(anApiKey());
  });
});
