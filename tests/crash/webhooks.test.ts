import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { drawInteger, rounds, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { quickServer } from "../programs/build-programs.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";
import { clockAhead } from "../programs/shifted-clock.js";
import { findViolations } from "./store-invariants.js";
import { prepareBusiness } from "./workload/business.js";
import { CrashClient } from "./workload/client.js";
import { countdown } from "./workload/countdown.js";
import { countIn, createEndpoint, unfinishedIn } from "./workload/deliveries.js";
import { startFlakyReceiver } from "./workload/flaky-receiver.js";
import { budgetEventsIn } from "./workload/ledger.js";

const KILLS = rounds({ small: 3, full: 50 });
const WRITERS = 4;
/** A server is killed moments after it has acknowledged so many writes, which is when it delivers them. */
const LEAST_WRITES = WRITERS + 1;
const MORE_WRITES = 5;
const LONGEST_MOMENT_MS = 30;
/**
 * A delivery that a kill cuts off is claimed again when its lease lapses, after a minute. The test does not wait for it:
 * each server's clock is ahead of the one before, and the last is ahead by more than a lease. All offsets together stay
 * within the tolerance of signatures.
 */
const APART_MS = 3_000;
const LEASES_LAPSE_MS = 75_000;
const WAIT = { timeout: 300_000, interval: 250 };
/** More attempts than the receiver refuses in a row. */
const DELAYS_SECONDS = [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe("a server that is killed while it delivers", () => {
  it("a killed server brings every event to every subscriber, signed, unaltered", { timeout: 900_000 }, async () => {
    const receiver = await startFlakyReceiver();
    const path = join(temporaryFolder(), "b.db");
    const business = await prepareBusiness(sqliteStore(path), secret, `${receiver.origin}/key`);
    const start = (aheadMs: number) =>
      startProgram(main, {
        ...clockAhead(aheadMs),
        PORT: "0",
        DATABASE_URL: `file:${path}`,
        BUDGETKIT_SECRET: secret,
        BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
      });

    let server = start(0);
    const endpoint = await createEndpoint(await server.url, business, `${receiver.origin}/endpoint`, DELAYS_SECONDS);
    const secrets = new Map([
      ["/key", business.webhookSecret],
      ["/endpoint", endpoint.secret],
    ]);
    receiver.verifyWith(secrets);
    const moments = seededRandom(51);
    let acknowledged = 0;
    for (let life = 1; life <= KILLS; life += 1) {
      const client = new CrashClient(await server.url, business.key, business.loginToken);
      const enough = countdown(LEAST_WRITES + drawInteger(moments, MORE_WRITES));
      const writing = Array.from({ length: WRITERS }, (_, writer) => write(client, `${life}-${writer}`, enough.count));
      await enough.reached;
      await pause(drawInteger(moments, LONGEST_MOMENT_MS));
      server.signal("SIGKILL");
      expect(await server.end).toBe("SIGKILL");
      for (const count of await Promise.all(writing)) acknowledged += count;
      server = start(life * APART_MS + (life === KILLS ? LEASES_LAPSE_MS : 0));
    }

    const url = await server.url;
    const client = new CrashClient(url, business.key, business.loginToken);
    const events = budgetEventsIn(await client.events("2000-01-01"));
    expect(acknowledged).toBeGreaterThan(KILLS * WRITERS);
    expect(events.length).toBeGreaterThanOrEqual(acknowledged);

    const lists = [`/api-keys/${business.keyId}/deliveries`, `/api/developer/webhooks/${endpoint.id}/deliveries`];
    await expect.poll(() => unfinishedIn(url, business, lists), WAIT).toBe(0);
    for (const list of lists) expect(await countIn(url, business, list, "delivered")).toBe(events.length);

    for (const subscriber of secrets.keys()) {
      const accepted = receiver.acceptedEvents(subscriber);
      expect(events.filter(({ id }) => !accepted.has(id))).toEqual([]);
    }
    expect(receiver.forged).toEqual([]);
    expect(receiver.altered).toEqual([]);
    expect(receiver.refusals()).toBeGreaterThan(0);
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
    const store = sqliteStore(path);
    const facts = { businessId: business.businessId, creations: [], endpointIds: [endpoint.id] };
    expect(await findViolations(store, facts)).toEqual([]);
    await store.close();
  });
});

/** Creates and approves budgets until the server is gone. @returns the number of acknowledged writes */
async function write(client: CrashClient, name: string, onAcknowledged: () => void): Promise<number> {
  for (let acknowledged = 0, count = 0; ; count += 1) {
    const items = [{ description: "Chair", quantity: 1, unitPrice: count }];
    const idempotencyKey = `${name}-${count}`;
    const body = JSON.stringify({ customerId: name, notes: idempotencyKey, items });
    const created = await client.create({ idempotencyKey, body, answer: null, budget: null });
    if (created === null) return acknowledged;
    expect(created.status).toBe(201);
    acknowledged += 1;
    onAcknowledged();
    const approved = await client.answer(JSON.parse(created.text).data.id, "APPROVED");
    if (approved === null) return acknowledged;
    expect(approved.status).toBe(200);
    acknowledged += 1;
    onAcknowledged();
    await pause(20);
  }
}
