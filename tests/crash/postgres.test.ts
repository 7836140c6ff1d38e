import { setTimeout as pause } from "node:timers/promises";
import { postgresStore } from "@budgetkit/store-postgres";
import { drawInteger, rounds, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { startPostgres } from "../../packages/store-postgres/src/testing/postgres-server.js";
import { quickServer } from "../programs/build-programs.js";
import { startProgram } from "../programs/running-program.js";
import { startFleet } from "./server-fleet.js";
import { findViolations } from "./store-invariants.js";
import { prepareBusiness } from "./workload/business.js";
import { CrashClient } from "./workload/client.js";
import { countdown } from "./workload/countdown.js";
import { createEndpoint, unfinishedIn } from "./workload/deliveries.js";
import { startFlakyReceiver } from "./workload/flaky-receiver.js";
import { startWriters } from "./workload/insistent-writers.js";
import { budgetEventsIn } from "./workload/ledger.js";

const SERVERS = rounds({ small: 2, full: 3 });
const KILLS = rounds({ small: 4, full: 1_000 });
/** After so many kills PostgreSQL ends too: killed and stopped in turn. */
const RESTART_EVERY = rounds({ small: 2, full: 50 });
const WRITERS = 8;
/** The servers acknowledge at most so many writes between two kills. */
const MOST_WRITES = 6;
const LONGEST_MOMENT_MS = 30;
const DELAYS_SECONDS = [0, 1, 1];
/** A dead process holds its deliveries and idempotency keys for this long. */
const LEASE_MS = 60_000;
const WAIT = { timeout: 300_000, interval: 250 };
/** A failure that a server logs, unless PostgreSQL is away: then a round of maintenance fails in several steps. */
const UNEXPECTED = /^(?:\S+Z error (?!The store cannot serve|AggregateError)|.*Uncaught|.*Unhandled).*$/m;
const SEED = Number(process.env.CRASH_SEED ?? 20_261_121);
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe(`${SERVERS} servers on one PostgreSQL, each of which is killed repeatedly`, () => {
  it(`killed servers lose no acknowledged write, nor half of one (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
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

    let onAcknowledged = (): void => {};
    const next = async () => new CrashClient(await fleet.next(), business.key, business.loginToken);
    const writers = startWriters(WRITERS, next, () => onAcknowledged());
    const storm = (async () => {
      for (let kills = 1; kills <= KILLS; kills += 1) {
        if (kills % RESTART_EVERY === 0) {
          postgres.process.kill((kills / RESTART_EVERY) % 2 === 1 ? "SIGKILL" : "SIGINT");
          await postgres.restart();
        }
        const enough = countdown(1 + drawInteger(random, MOST_WRITES));
        onAcknowledged = enough.count;
        if (drawInteger(random, 4) > 0) await enough.reached; // else it follows at once
        await pause(drawInteger(random, LONGEST_MOMENT_MS));
        fleet.kill();
      }
    })();
    await Promise.race([writers.ended, storm]).catch((error: unknown) => {
      throw new Error(`a writer got an unexpected answer:\n${fleet.printed().match(UNEXPECTED)}`, {
        cause: error,
      });
    });
    writers.stop();
    await writers.ended;
    for (const { printed, hadServed } of fleet.ended) {
      expect(hadServed, printed).toBe(false);
      // It may have reported the outage before it gave up.
      expect(printed).toMatch(/^(\S+ error The store cannot serve.*\n)*DATABASE_URL cannot be used: .*\n$/);
    }
    for (const how of await fleet.stop()) expect(how).toBeOneOf([0, "SIGTERM"]);
    expect(fleet.printed()).not.toMatch(UNEXPECTED);

    await database.query(`UPDATE @delivery_queue SET lease_until = lease_until - ${LEASE_MS}`);
    await database.query(`UPDATE @claims SET lease_until = lease_until - ${LEASE_MS}`);
    fleet = startFleet(SERVERS, start, random);
    await writers.sendAllAgain();

    const url = await fleet.next();
    const client = new CrashClient(url, business.key, business.loginToken);
    const events = budgetEventsIn(await client.events("2000-01-01"));
    const list = `/api/developer/webhooks/${endpoint.id}/deliveries`;
    await expect.poll(() => unfinishedIn(url, business, [list]), WAIT).toBe(0);
    const { businessId } = business;
    const facts = { businessId, creations: writers.creations, endpointIds: [endpoint.id] };
    const checked = postgresStore(database.url);
    expect(await findViolations(checked, facts)).toEqual([]);
    await checked.close();
    const deliveries = await client.deliveries(endpoint.id);
    expect(deliveries).toHaveLength(events.length);
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
    expect(await fleet.stop()).toEqual(Array.from({ length: SERVERS }, () => 0));
    expect(fleet.printed()).not.toMatch(UNEXPECTED);
  });
});
