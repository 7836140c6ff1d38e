import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@budgetkit/core/testing";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { drawInteger } from "../packages/core/src/testing/seeded-random.js";
import { builtServer } from "./build-programs.js";
import { countdown } from "./countdown.js";
import { prepareBusiness } from "./crash-business.js";
import { CrashClient } from "./crash-client.js";
import { countIn, createEndpoint, unfinishedIn } from "./crash-deliveries.js";
import { startFlakyReceiver } from "./flaky-receiver.js";
import { type Environment, startProgram, temporaryFolder } from "./running-program.js";

const KILLS = 50;
const WRITERS = 4;
/** A life ends some moments after it has acknowledged so many writes, which is when it delivers them. */
const LEAST_WRITES = WRITERS + 1;
const MORE_WRITES = 5;
const LONGEST_MOMENT_MS = 30;
/**
 * A delivery that a kill cut off is taken over when its lease has lapsed, after a minute. Nobody waits for it: the clock
 * of each life is ahead of the one before, and that of the last by so much that every lease has lapsed. All together stay
 * within the tolerance of signatures.
 */
const APART_MS = 3_000;
const LEASES_LAPSE_MS = 75_000;
const LONGEST_WAIT_MS = 60_000;
const DELAYS_SECONDS = [0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5];
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await builtServer();
}, 180_000);

describe("a server that is killed while it delivers", () => {
  it("brings every committed event to every subscriber, signed and never altered", { timeout: 300_000 }, async () => {
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
    const events = await client.events("2000-01-01");
    expect(acknowledged).toBeGreaterThan(KILLS * WRITERS);
    expect(events.length).toBeGreaterThanOrEqual(acknowledged);

    const lists = [`/api-keys/${business.keyId}/deliveries`, `/api/developer/webhooks/${endpoint.id}/deliveries`];
    await expect.poll(() => unfinishedIn(url, business, lists), { timeout: LONGEST_WAIT_MS, interval: 250 }).toBe(0);
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
  });
});

/** Lets a program believe that it is later. */
function clockAhead(aheadMs: number): Environment {
  const code = `const now = Date.now; Date.now = () => now() + ${aheadMs};`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}

/** Creates budgets and approves them until the server is gone. @returns how many writes were acknowledged */
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
