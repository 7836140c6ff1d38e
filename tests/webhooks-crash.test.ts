import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient, type DeliveryStatus } from "@budgetkit/client";
import { verifyWebhook } from "@budgetkit/core";
import { seededRandom } from "@budgetkit/core/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ReceivedCall, startReceiver } from "../packages/core/src/testing/receiver.js";
import { drawInteger } from "../packages/core/src/testing/seeded-random.js";
import { builtServer } from "./build-programs.js";
import { type CrashBusiness, prepareBusiness } from "./crash-business.js";
import { CrashClient } from "./crash-client.js";
import { type Environment, startProgram, temporaryFolder } from "./running-program.js";

const KILLS = 50;
const WRITERS = 4;
const FAILING_PERCENT = 30;
const LONGEST_ANSWER_MS = 20;
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
    const business = await prepareBusiness(path, secret, `${receiver.origin}/key`);
    const start = (aheadMs: number) =>
      startProgram(main, {
        ...clockAhead(aheadMs),
        PORT: "0",
        DATABASE_URL: `file:${path}`,
        BUDGETKIT_SECRET: secret,
        BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
      });

    let server = start(0);
    const endpoint = await createEndpoint(await server.url, business, `${receiver.origin}/endpoint`);
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

    const { keys, webhooks } = createClient({ baseUrl: `${url}/v1`, accessToken: business.loginToken });
    const lists: readonly CountDeliveries[] = [
      async (status) => (await keys.listDeliveries(business.keyId, { status, limit: 1 })).pagination.total,
      async (status) => (await webhooks.listDeliveries(endpoint.id, { status, limit: 1 })).pagination.total,
    ];
    await expect.poll(() => unfinishedIn(lists), { timeout: LONGEST_WAIT_MS, interval: 250 }).toBe(0);
    for (const count of lists) expect(await count("delivered")).toBe(events.length);

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

/**
 * A receiver that takes its time. It refuses many calls to `/endpoint`, whose schedule is short, and none to `/key`,
 * whose schedule begins again after a minute.
 */
async function startFlakyReceiver() {
  const random = seededRandom(50);
  const bodies = new Map<string, string>();
  const accepted = new Map<string, Set<string>>();
  const forged: ReceivedCall[] = [];
  const altered: ReceivedCall[] = [];
  let refusals = 0;
  let secrets: ReadonlyMap<string, string> = new Map();

  function take(call: ReceivedCall): number {
    const verdict = verifyWebhook(call.headers, call.body, secrets.get(call.path) ?? "");
    if (!verdict.ok) {
      forged.push(call);
      return 400;
    }
    const { delivery_id, event_id } = verdict.event.metadata;
    if ((bodies.get(delivery_id) ?? call.body) !== call.body) altered.push(call);
    bodies.set(delivery_id, call.body);
    if (call.path === "/endpoint" && drawInteger(random, 100) < FAILING_PERCENT) {
      refusals += 1;
      return 503;
    }
    accepted.set(call.path, (accepted.get(call.path) ?? new Set()).add(event_id ?? ""));
    return 204;
  }

  const receiver = await startReceiver((call, response) => {
    const status = take(call);
    setTimeout(() => response.writeHead(status).end(), drawInteger(random, LONGEST_ANSWER_MS));
  });
  onTestFinished(() => receiver.close());
  return {
    origin: receiver.origin,
    forged,
    altered,
    refusals: () => refusals,
    /** Events that a path has answered with 2xx, were the answer heard or not. */
    acceptedEvents: (path: string): ReadonlySet<string> => accepted.get(path) ?? new Set(),
    verifyWith: (given: ReadonlyMap<string, string>) => {
      secrets = given;
    },
  };
}

async function createEndpoint(
  url: string,
  { loginToken }: CrashBusiness,
  destination: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { webhooks } = createClient({ baseUrl: `${url}/v1`, accessToken: loginToken });
  return webhooks.create({ url: destination, retryPolicy: { delaysSeconds: DELAYS_SECONDS } });
}

/** Something that is reached when it was counted so many times. */
function countdown(from: number): { readonly reached: Promise<void>; count(): void } {
  let left = from;
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    count: () => {
      left -= 1;
      if (left === 0) reach();
    },
  };
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

type CountDeliveries = (status: DeliveryStatus) => Promise<number>;

async function unfinishedIn(lists: readonly CountDeliveries[]): Promise<number> {
  const asked = lists.flatMap((count) => [count("pending"), count("retrying")]);
  return (await Promise.all(asked)).reduce((sum, count) => sum + count, 0);
}
