import { join } from "node:path";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { SCALE, startReceiver } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { migratedDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { type Environment, type RunningProgram, startProgram, temporaryFolder } from "../programs/running-program.js";
import { clockAhead } from "../programs/shifted-clock.js";
import { findViolations } from "./store-invariants.js";
import { type CrashBusiness, prepareBusiness } from "./workload/business.js";
import { createEndpoint, unfinishedIn } from "./workload/deliveries.js";

const EVENTS = 3;
const LEASE_MS = 60_000;
const WAIT = { timeout: 120_000, interval: 25 };
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe("a server that is paused in the midst of its calls, and wakes after its leases", () => {
  it.skipIf(SCALE === "small")("a paused server settles no delivery that another has made, on SQLite", async () => {
    const database = `file:${join(temporaryFolder(), "b.db")}`;
    const path = database.slice("file:".length);
    const business = await prepareBusiness(sqliteStore(path), secret);
    const endpointIds = [await expectTakenOver(database, business, async () => clockAhead(LEASE_MS))];
    const store = sqliteStore(path);
    const { businessId } = business;
    expect(await findViolations(store, { businessId, creations: [], endpointIds })).toEqual([]);
    await store.close();
  });

  it("a server that wakes after its leases settles no delivery that another made meanwhile, on PostgreSQL", async () => {
    const { url, query } = await migratedDatabase();
    const prepared = postgresStore(url);
    const business = await prepareBusiness(prepared, secret);
    const endLeases = async () => {
      await query(`UPDATE @delivery_queue SET lease_until = lease_until - ${LEASE_MS}`);
      return {};
    };
    const endpointIds = [await expectTakenOver(url, business, endLeases)];
    const store = postgresStore(url);
    const { businessId } = business;
    expect(await findViolations(store, { businessId, creations: [], endpointIds })).toEqual([]);
    await store.close();
  });
});

/** @returns the id of the webhook */
async function expectTakenOver(
  database: string,
  business: CrashBusiness,
  endLeases: () => Promise<Environment>,
): Promise<string> {
  const held: (() => void)[] = []; // calls of the first server, which are answered once it is awake again
  let holds = true;
  const receiver = await startReceiver((_call, response) => {
    const respond = () => response.writeHead(204).end();
    if (holds) held.push(respond);
    else respond();
  });
  onTestFinished(() => receiver.close());
  const start = (environment: Environment = {}) =>
    startProgram(main, {
      PORT: "0",
      DATABASE_URL: database,
      BUDGETKIT_SECRET: secret,
      BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
      ...environment,
    });

  const paused = start();
  const endpoint = await createEndpoint(await paused.url, business, `${receiver.origin}/endpoint`, [0, 1, 1]);
  for (let number = 0; number < EVENTS; number += 1) await createBudget(paused, business, number);
  await expect.poll(() => held.length, WAIT).toBe(EVENTS);
  paused.signal("SIGSTOP");
  holds = false;

  const awake = start(await endLeases());
  const list = `/api/developer/webhooks/${endpoint.id}/deliveries`;
  const url = await awake.url;
  await expect.poll(() => unfinishedIn(url, business, [list]), WAIT).toBe(0);
  expect(receiver.calls).toHaveLength(2 * EVENTS);
  const settled = await deliveriesOf(url, business, list);
  expect(settled).toEqual(Array.from({ length: EVENTS }, () => ({ status: "delivered", attemptCount: 2 })));

  paused.signal("SIGCONT");
  for (const respond of held) respond();
  await createBudget(paused, business, EVENTS); // its own deliveries come after those that it cannot settle
  await expect.poll(() => receiver.calls.length, WAIT).toBe(2 * EVENTS + 1);
  await stopped(paused);
  await expect.poll(() => unfinishedIn(url, business, [list]), WAIT).toBe(0);
  expect((await deliveriesOf(url, business, list)).slice(1)).toEqual(settled);
  await stopped(awake);
  expect(receiver.calls).toHaveLength(2 * EVENTS + 1);
  return endpoint.id;
}

async function createBudget(server: RunningProgram, { key }: CrashBusiness, unitPrice: number): Promise<void> {
  const input = { customerId: "ana", items: [{ description: "Chair", quantity: 1, unitPrice }] };
  expect((await ask(await server.url, key, "POST", "/api/public/budgets", input)).status).toBe(201);
}

/** The newest first. */
async function deliveriesOf(url: string, { loginToken }: CrashBusiness, list: string) {
  const { body } = await ask(url, loginToken, "GET", `${list}?limit=100`);
  return body.data.map(({ status, attemptCount }: { status: string; attemptCount: number }) => ({
    status,
    attemptCount,
  }));
}

async function stopped(program: RunningProgram): Promise<void> {
  program.signal("SIGTERM");
  expect(await program.end).toBe(0);
}
