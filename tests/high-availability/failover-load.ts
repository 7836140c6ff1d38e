import { setTimeout as pause } from "node:timers/promises";
import { postgresStore } from "@budgetkit/store-postgres";
import { expect, onTestFinished } from "vitest";
import { runOn } from "../../packages/store-postgres/src/testing/run-on.js";
import { findViolations } from "../crash/store-invariants.js";
import { type CrashBusiness, prepareBusiness } from "../crash/workload/business.js";
import { CrashClient, type Reply } from "../crash/workload/client.js";
import { createEndpoint, unfinishedIn } from "../crash/workload/deliveries.js";
import { startFlakyReceiver } from "../crash/workload/flaky-receiver.js";
import { startWriters } from "../crash/workload/insistent-writers.js";
import { quickServer } from "../programs/build-programs.js";
import { startProgram } from "../programs/running-program.js";

const SERVERS = 2;
const WRITERS = 4;
const PACE_MS = 20;
const WRITES_BEFORE = 100;
const WRITES_AFTER = 100;
const DELAYS_SECONDS = [0, 1, 1];
const WAIT = { timeout: 240_000, interval: 250 };
const secret = "a secret of at least thirty-two characters";
/** A failure that a server logs, unless PostgreSQL is away: then a round of maintenance fails in several steps. */
const UNEXPECTED = /^(?:\S+Z error (?!The store cannot serve|AggregateError)|.*Uncaught|.*Unhandled).*$/m;

/** What the clients saw of a fault. */
export interface Outage {
  readonly requests: number;
  readonly failed: number; // 503 or no response; each was repeated
  readonly acknowledged: number; // writes
  readonly longestPauseMs: number; // between two acknowledged writes
  readonly deliveredAfterMs: number; // from the last write until no delivery is left
}

/**
 * Two servers serve creations, changes, reads and webhooks, while the fault happens. Then everything that a client was
 * told is compared with the database, and a line of figures is printed.
 */
export async function outageOf(databaseUrl: string, cause: () => Promise<unknown>): Promise<Outage> {
  const store = postgresStore(databaseUrl);
  await store.migrate();
  const business = await prepareBusiness(store, secret);
  const receiver = await startFlakyReceiver();
  const main = await quickServer();
  const servers = Array.from({ length: SERVERS }, () =>
    startProgram(main, {
      PORT: "0",
      DATABASE_URL: databaseUrl,
      BUDGETKIT_SECRET: secret,
      BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
    }),
  );
  const urls = await Promise.all(servers.map(({ url }) => url));
  const [url = ""] = urls;
  const endpoint = await createEndpoint(url, business, `${receiver.origin}/endpoint`, DELAYS_SECONDS);
  receiver.verifyWith(new Map([["/endpoint", endpoint.secret]]));

  const counts = { requests: 0, failed: 0, acknowledged: 0, longestPauseMs: 0 };
  const note = (isServed: boolean): void => {
    counts.requests += 1;
    if (!isServed) counts.failed += 1;
  };
  const clients = urls.map((each) => new CountingClient(each, business, note));
  let turn = 0;
  const next = async (): Promise<CrashClient> => {
    await pause(PACE_MS);
    turn += 1;
    const client = clients[turn % clients.length];
    if (client === undefined) throw new Error("no server");
    return client;
  };
  let lastMs = performance.now();
  const writers = startWriters(WRITERS, next, () => {
    counts.acknowledged += 1;
    counts.longestPauseMs = Math.max(counts.longestPauseMs, performance.now() - lastMs);
    lastMs = performance.now();
  });
  let isOver = false;
  const reading = Promise.all(urls.map((each) => readUntil(() => isOver, each, business, note)));
  onTestFinished(() => {
    isOver = true;
    writers.stop();
  });
  const written = (more: number) => {
    const enough = counts.acknowledged + more;
    return Promise.race([writers.ended, expect.poll(() => counts.acknowledged, WAIT).toBeGreaterThan(enough)]);
  };

  await written(WRITES_BEFORE);
  await Promise.race([writers.ended, reading, cause()]);
  await written(WRITES_AFTER);
  isOver = true;
  writers.stop();
  await writers.ended;
  await reading;
  const { requests, failed, acknowledged, longestPauseMs } = counts;

  const endedMs = performance.now();
  const list = `/api/developer/webhooks/${endpoint.id}/deliveries`;
  await expect.poll(() => unfinishedIn(url, business, [list]), WAIT).toBe(0);
  const deliveredAfterMs = performance.now() - endedMs;
  await expect.poll(() => heldClaims(databaseUrl), WAIT).toBe(0);
  await writers.sendAllAgain();
  await expect.poll(() => unfinishedIn(url, business, [list]), WAIT).toBe(0);
  const facts = { businessId: business.businessId, creations: writers.creations, endpointIds: [endpoint.id] };
  const checked = postgresStore(databaseUrl);
  expect(await findViolations(checked, facts)).toEqual([]);
  await checked.close();
  expect([receiver.forged, receiver.altered]).toEqual([[], []]);
  for (const server of servers) {
    server.signal("SIGTERM");
    expect(await server.end, server.printed()).toBe(0);
    expect(server.printed()).not.toMatch(UNEXPECTED);
  }
  return { requests, failed, acknowledged, longestPauseMs, deliveredAfterMs };
}

/** Idempotency keys of requests that were cut off, which answer 409 until their lease has lapsed. */
async function heldClaims(url: string): Promise<number> {
  const [row] = await runOn(
    url,
    `SELECT count(*)::integer AS held FROM budgetkit.claims
     WHERE response IS NULL AND lease_until > extract(epoch FROM clock_timestamp()) * 1000`,
  );
  return Number(row?.held);
}

/** Counts the requests of writers. */
class CountingClient extends CrashClient {
  constructor(
    url: string,
    { key, loginToken }: CrashBusiness,
    private readonly note: (isServed: boolean) => void,
  ) {
    super(url, key, loginToken);
  }

  override async create(...given: Parameters<CrashClient["create"]>): Promise<Reply | null> {
    return this.noted(await super.create(...given));
  }

  override async change(...given: Parameters<CrashClient["change"]>): Promise<Reply | null> {
    return this.noted(await super.change(...given));
  }

  private noted(reply: Reply | null): Reply | null {
    this.note(reply !== null && reply.status !== 503);
    return reply;
  }
}

/** Reads lists. Every answer is 200 or 503. */
async function readUntil(
  isOver: () => boolean,
  url: string,
  { key }: CrashBusiness,
  note: (isServed: boolean) => void,
): Promise<void> {
  for (; !isOver(); await pause(5 * PACE_MS)) {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/v1/api/public/budgets?limit=5&status=PENDING`, { headers });
    await answer.arrayBuffer();
    expect(answer.status).toBeOneOf([200, 503]);
    note(answer.status === 200);
  }
}
