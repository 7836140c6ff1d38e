import { join } from "node:path";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { rounds, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { startPostgres } from "../../packages/store-postgres/src/testing/postgres-server.js";
import { quickServer } from "../programs/build-programs.js";
import { type Environment, startProgram, temporaryFolder } from "../programs/running-program.js";
import { clockAhead } from "../programs/shifted-clock.js";
import { type Disk, emptyDisk, noFullDisk } from "./full-disk.js";
import { type ServerFleet, startFleet } from "./server-fleet.js";
import { findViolations } from "./store-invariants.js";
import { type CrashBusiness, prepareBusiness } from "./workload/business.js";
import { CrashClient } from "./workload/client.js";
import { countdown } from "./workload/countdown.js";
import { createEndpoint, unfinishedIn } from "./workload/deliveries.js";
import { startFlakyReceiver } from "./workload/flaky-receiver.js";
import { startWriters } from "./workload/insistent-writers.js";
import type { Creation } from "./workload/ledger.js";

const FILLS = rounds({ small: 1, full: 50 });
const WRITERS = 4;
const WRITES_BETWEEN = 6;
/** More than a page of the database, so that it needs more room. */
const LARGE = "x".repeat(9_000);
const DELAYS_SECONDS = [0, 1, 1];
/** A dead process holds its deliveries for this long. */
const LEASE_MS = 60_000;
const WAIT = { timeout: 300_000, interval: 50 };
const timeout = 3_600_000;
const UNEXPECTED = /Uncaught|Unhandled|Error: /;
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

/** What follows a fill besides writes. */
interface Faults {
  /** Called while the disk is full, in every second round. */
  duringFull(fleet: ServerFleet): void;
  /** Called when there is room again. */
  afterFull(): Promise<void>;
  /** Ends the leases of deliveries that dead processes hold. @returns what the next server needs for it */
  endLeases(): Promise<Environment>;
}

describe.skipIf(noFullDisk !== null)("servers whose disk is full repeatedly", () => {
  it("servers on a full disk refuse writes, serve reads and go on, on SQLite", { timeout }, async () => {
    const disk = emptyDisk();
    const path = join(temporaryFolder(), "b.db");
    const business = await prepareBusiness(sqliteStore(path), secret);
    const environment = { DATABASE_URL: `file:${path}`, ...disk.environment };
    const faults = {
      duringFull: (fleet: ServerFleet) => fleet.kill(),
      afterFull: async () => {},
      endLeases: async () => clockAhead(LEASE_MS),
    };
    const facts = await fillRepeatedly(disk, business, environment, faults);
    const store = sqliteStore(path);
    expect(await findViolations(store, { businessId: business.businessId, ...facts })).toEqual([]);
    await store.close();
  });

  it("servers on a full disk refuse writes, serve reads and go on, on PostgreSQL", { timeout }, async () => {
    const disk = emptyDisk();
    const postgres = await startPostgres({ isDurable: true, environment: disk.environment });
    onTestFinished(() => postgres.stop());
    const { url, query } = await freshDatabase(postgres.url);
    const prepared = postgresStore(url);
    await prepared.migrate();
    const business = await prepareBusiness(prepared, secret);
    const faults = {
      duringFull: () => void postgres.process.kill("SIGKILL"),
      afterFull: async () => {
        const { exitCode, signalCode, killed } = postgres.process;
        if (killed || exitCode !== null || signalCode !== null) await postgres.restart();
      },
      endLeases: async () => {
        await query(`UPDATE @delivery_queue SET lease_until = lease_until - ${LEASE_MS}`);
        return {};
      },
    };
    const facts = await fillRepeatedly(disk, business, { DATABASE_URL: url }, faults);
    const store = postgresStore(url);
    expect(await findViolations(store, { businessId: business.businessId, ...facts })).toEqual([]);
    await store.close();
  });
});

/** @returns what the clients of the servers know, once every delivery has ended and the servers have stopped */
async function fillRepeatedly(disk: Disk, business: CrashBusiness, environment: Environment, faults: Faults) {
  const receiver = await startFlakyReceiver();
  const serving = { PORT: "0", BUDGETKIT_SECRET: secret, BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true", ...environment };
  const fleet = startFleet(1, () => startProgram(main, serving), seededRandom(60));
  const next = async () => new CrashClient(await fleet.next(), business.key, business.loginToken);
  const endpoint = await createEndpoint(await fleet.next(), business, `${receiver.origin}/endpoint`, DELAYS_SECONDS);
  receiver.verifyWith(new Map([["/endpoint", endpoint.secret]]));
  let onAcknowledged = (): void => {};
  const writers = startWriters(WRITERS, next, () => onAcknowledged());
  const probes: Creation[] = [];

  async function enoughWrites(): Promise<void> {
    const enough = countdown(WRITES_BETWEEN);
    onAcknowledged = enough.count;
    await Promise.race([enough.reached, writers.ended]);
  }

  for (let fill = 1; fill <= FILLS; fill += 1) {
    await enoughWrites();
    disk.fill();
    await expect.poll(async () => statusOf(await probe(await next(), probes)), WAIT).toBe(503);
    await expectReads(await fleet.next(), business);
    if (fill % 2 === 1) faults.duringFull(fleet);
    disk.free();
    await faults.afterFull();
    await expect.poll(async () => statusOf(await probe(await next(), probes)), WAIT).toBe(201);
  }
  await enoughWrites();
  writers.stop();
  await writers.ended;
  await expect.poll(async () => (await fetch(`${await fleet.next()}/readyz`)).status, WAIT).toBe(200);
  await fleet.stop();
  expect(fleet.printed()).not.toMatch(UNEXPECTED);

  const last = startProgram(main, { ...serving, ...(await faults.endLeases()) });
  const url = await last.url;
  const list = `/api/developer/webhooks/${endpoint.id}/deliveries`;
  await expect.poll(() => unfinishedIn(url, business, [list]), WAIT).toBe(0);
  expect([...receiver.forged, ...receiver.altered]).toEqual([]);
  last.signal("SIGTERM");
  expect(await last.end).toBe(0);
  return { creations: [...writers.creations, ...probes], endpointIds: [endpoint.id] };
}

/** A creation that is tried once. */
async function probe(client: CrashClient, probes: Creation[]) {
  const idempotencyKey = `probe-${probes.length}`;
  const items = [{ description: "Chair", quantity: 1, unitPrice: 1 }];
  const body = JSON.stringify({ customerId: "probe", notes: idempotencyKey, items, metadata: { large: LARGE } });
  const creation: Creation = { idempotencyKey, body, answer: null, budget: null };
  probes.push(creation);
  const reply = await client.create(creation);
  if (reply?.status !== 201) return reply;
  const { id, version, status } = JSON.parse(reply.text).data;
  creation.budget = { id, version, status, attempted: null };
  return reply;
}

const statusOf = (reply: { readonly status: number } | null): number => reply?.status ?? 0;

async function expectReads(url: string, { key }: CrashBusiness): Promise<void> {
  const answer = await fetch(`${url}/v1/api/public/budgets?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 200 });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
}
