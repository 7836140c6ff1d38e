import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@budgetkit/core/testing";
import { postgresStore } from "@budgetkit/store-postgres";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { drawInteger } from "../packages/core/src/testing/seeded-random.js";
import { freshDatabase } from "../packages/store-postgres/src/testing/fresh-database.js";
import { startPostgres } from "../packages/store-postgres/src/testing/postgres-server.js";
import { builtServer } from "./build-programs.js";
import { countdown } from "./countdown.js";
import { prepareBusiness } from "./crash-business.js";
import { CrashClient, type Reply } from "./crash-client.js";
import { createEndpoint, unfinishedIn } from "./crash-deliveries.js";
import { type Creation, findBrokenPromises } from "./crash-ledger.js";
import { startFlakyReceiver } from "./flaky-receiver.js";
import { startProgram } from "./running-program.js";
import { startFleet } from "./server-fleet.js";

const SERVERS = 3;
const KILLS = 200;
/** Before which kill PostgreSQL ends, and how. */
const RESTARTS = new Map<number, "SIGKILL" | "SIGINT">([
  [70, "SIGKILL"],
  [140, "SIGINT"],
]);
const WRITERS = 8;
/** The next kill comes some moments after so many writes were acknowledged. */
const MOST_WRITES = 6;
const LONGEST_MOMENT_MS = 30;
const DELAYS_SECONDS = [0, 1, 1];
/** How long deliveries and idempotency keys that a dead process held are kept from others. */
const LEASE_MS = 60_000;
const SEED = Number(process.env.CRASH_SEED ?? 20_261_121);
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await builtServer();
}, 180_000);

describe(`${SERVERS} servers on one PostgreSQL, all of which are killed again and again`, () => {
  it(`keep what each has acknowledged and do nothing by half (seed ${SEED})`, { timeout: 600_000 }, async () => {
    const random = seededRandom(SEED);
    const postgres = await startPostgres({ isDurable: true });
    onTestFinished(() => postgres.stop());
    const database = await freshDatabase(postgres.url);
    const store = postgresStore(database.url);
    await store.migrate();
    const business = await prepareBusiness(store, secret);
    const receiver = await startFlakyReceiver();
    const start = () =>
      startProgram(main, {
        PORT: "0",
        DATABASE_URL: database.url,
        BUDGETKIT_SECRET: secret,
        BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
      });
    let fleet = startFleet(SERVERS, start, random);
    const endpoint = await createEndpoint(await fleet.next(), business, `${receiver.origin}/endpoint`, DELAYS_SECONDS);
    receiver.verifyWith(new Map([["/endpoint", endpoint.secret]]));

    /** Sends a request to one server after the other until one answers it. */
    async function insist(send: (client: CrashClient) => Promise<Reply | null>) {
      for (let isFirst = true; ; isFirst = false) {
        const client = new CrashClient(await fleet.next(), business.key, business.loginToken);
        const reply = await send(client);
        if (reply !== null && reply.status !== 503) return { ...reply, isFirst };
        await pause(10);
      }
    }

    const creations: Creation[] = [];
    let isOver = false;
    let onAcknowledged = (): void => {};

    /** Sends a creation. One whose key is held by a process that was killed is left for later. */
    async function create(creation: Creation): Promise<void> {
      const { status, text, isReplay, isFirst } = await insist((client) => client.create(creation));
      if (status === 409 && !isFirst) return;
      expect({ status, text }).toMatchObject({ status: 201 });
      if (isFirst) expect(isReplay).toBe(false);
      acknowledge(creation, text);
      onAcknowledged();
    }

    /** Changes a budget that nobody else changes, once: 412 says that it was done without an answer. */
    async function change(
      creation: Creation,
      input: { readonly status?: string; readonly items?: unknown },
    ): Promise<void> {
      const { budget } = creation;
      if (budget === null) return;
      const { status, text, isFirst } = await insist((client) => client.change(budget.id, budget.version, input));
      expect({ status, text }).toMatchObject({ status: isFirst ? 200 : expect.toBeOneOf([200, 412]) });
      budget.version += 1;
      budget.status = input.status ?? budget.status;
      onAcknowledged();
    }

    async function write(writer: number): Promise<void> {
      for (let count = 0; !isOver; count += 1) {
        const idempotencyKey = `${writer}-${count}`;
        const itemsAt = (unitPrice: number) => [{ description: "Chair", quantity: 1, unitPrice }];
        const body = JSON.stringify({ customerId: "ana", notes: idempotencyKey, items: itemsAt(1) });
        const creation: Creation = { idempotencyKey, body, answer: null, budget: null };
        creations.push(creation);
        await create(creation);
        for (let changes = count % 3; changes > 0; changes -= 1)
          await change(creation, { items: itemsAt(changes + 1) });
        if (count % 4 > 0) await change(creation, { status: count % 4 === 1 ? "REJECTED" : "APPROVED" });
      }
    }

    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    const storm = (async () => {
      for (let kills = 1; kills <= KILLS; kills += 1) {
        const signal = RESTARTS.get(kills);
        if (signal !== undefined) {
          postgres.process.kill(signal);
          await postgres.restart();
        }
        const enough = countdown(1 + drawInteger(random, MOST_WRITES));
        onAcknowledged = enough.count;
        if (drawInteger(random, 4) > 0) await enough.reached; // else it follows upon the one before
        await pause(drawInteger(random, LONGEST_MOMENT_MS));
        fleet.kill();
      }
    })();
    await Promise.race([writing, storm]); // a writer ends first when it has met what must not be
    isOver = true;
    await writing;
    for (const { printed, hadServed } of fleet.ended) {
      expect(hadServed, printed).toBe(false);
      expect(printed).toMatch(/^DATABASE_URL cannot be used: .*\n$/);
    }
    for (const how of await fleet.stop()) expect(how).toBeOneOf([0, "SIGTERM"]);

    await database.query(`UPDATE @deliveries SET lease_until = lease_until - ${LEASE_MS}`);
    await database.query(`UPDATE @delivery_queues SET due_at = due_at - ${LEASE_MS}`);
    await database.query(`UPDATE @claims SET lease_until = lease_until - ${LEASE_MS}`);
    fleet = startFleet(SERVERS, start, random);
    for (const creation of creations) {
      const { status, text, isReplay } = await insist((client) => client.create(creation));
      expect({ status, text }).toMatchObject({ status: 201 });
      if (creation.answer === null) acknowledge(creation, text);
      else expect({ text, isReplay }).toEqual({ text: creation.answer, isReplay: true });
    }

    const url = await fleet.next();
    const client = new CrashClient(url, business.key, business.loginToken);
    const [budgets, events] = [await client.budgets("2000-01-01"), await client.events("2000-01-01")];
    expect(findBrokenPromises(creations, budgets, events)).toEqual([]);
    expect(budgets).toHaveLength(creations.length);
    expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(events.length);

    const list = `/api/developer/webhooks/${endpoint.id}/deliveries`;
    await expect.poll(() => unfinishedIn(url, business, [list]), { timeout: LEASE_MS / 2, interval: 250 }).toBe(0);
    const deliveries = await client.deliveries(endpoint.id);
    expect(deliveries.map(({ eventId }) => eventId).sort()).toEqual(events.map(({ id }) => id).sort());
    const accepted = receiver.acceptedEvents("/endpoint");
    for (const { id, eventId, status, attemptCount } of deliveries) {
      expect(status).toBeOneOf(["delivered", "failed"]);
      if (status === "delivered") expect(accepted).toContain(eventId);
      else expect(attemptCount).toBe(DELAYS_SECONDS.length);
      expect(attemptCount).toBeLessThanOrEqual(DELAYS_SECONDS.length);
      expect(receiver.callsOf(id)).toBeLessThanOrEqual(attemptCount);
    }
    expect(receiver.forged).toEqual([]);
    expect(receiver.altered).toEqual([]);
    expect(receiver.refusals()).toBeGreaterThan(0);
    expect(await fleet.stop()).toEqual([0, 0, 0]);
    await store.close();
  });
});

function acknowledge(creation: Creation, text: string): void {
  const { id, version, status } = JSON.parse(text).data;
  creation.answer = text;
  creation.budget = { id, version, status, attempted: null };
}
