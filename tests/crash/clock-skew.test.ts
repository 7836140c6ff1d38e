import { postgresStore } from "@budgetkit/store-postgres";
import { rounds } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { migratedDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { startProgram } from "../programs/running-program.js";
import { clockAhead } from "../programs/shifted-clock.js";
import { findViolations } from "./store-invariants.js";
import { type CrashBusiness, prepareBusiness } from "./workload/business.js";
import { CrashClient } from "./workload/client.js";
import { countdown } from "./workload/countdown.js";
import { createEndpoint, unfinishedIn } from "./workload/deliveries.js";
import { startFlakyReceiver } from "./workload/flaky-receiver.js";
import { startWriters } from "./workload/insistent-writers.js";

const HOUR_MS = 3_600_000;
const SKEWS_MS = [0, HOUR_MS, -HOUR_MS];
const WRITERS = 6;
const WRITES = rounds({ small: 24, full: 3_000 });
const DELAYS_SECONDS = [0, 1, 1];
const RATE = 20;
const WAIT = { timeout: 300_000, interval: 100 };
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe("servers on one PostgreSQL whose clocks differ by an hour", () => {
  it("servers with skewed clocks use the database's clock for validity, leases, limits and signatures", {
    timeout: 3_600_000,
  }, async () => {
    const { url: database } = await migratedDatabase();
    const prepared = postgresStore(database);
    const business = await prepareBusiness(prepared, secret);
    const receiver = await startFlakyReceiver();
    const programs = SKEWS_MS.map((skewMs) =>
      startProgram(main, {
        ...clockAhead(skewMs),
        PORT: "0",
        DATABASE_URL: database,
        BUDGETKIT_SECRET: secret,
        BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
      }),
    );
    const urls = await Promise.all(programs.map((program) => program.url));
    const [exact = "", ahead = "", behind = ""] = urls;
    const ready = await Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`)).text()));
    expect(ready[1]).toContain("3600 s ahead of the database's");
    expect(ready[2]).toContain("3600 s behind the database's");

    const endpoint = await createEndpoint(exact, business, `${receiver.origin}/endpoint`, DELAYS_SECONDS);
    receiver.verifyWith(new Map([["/endpoint", endpoint.secret]]));
    const enough = countdown(WRITES);
    let turn = 0;
    const next = async () => new CrashClient(urls[turn++ % urls.length] ?? "", business.key, business.loginToken);
    const writers = startWriters(WRITERS, next, enough.count);
    await Promise.race([enough.reached, writers.ended]);
    writers.stop();
    await writers.ended;
    await expectOneValidity(business, urls);
    await expectOneWindow(business, urls);

    const list = `/api/developer/webhooks/${endpoint.id}/deliveries`;
    await expect.poll(() => unfinishedIn(behind, business, [list]), WAIT).toBe(0);
    await expect.poll(() => unfinishedIn(ahead, business, [list]), WAIT).toBe(0);
    expect([...receiver.forged, ...receiver.altered]).toEqual([]); // a signature an hour off would be refused
    for (const program of programs) program.signal("SIGTERM");
    for (const program of programs) expect(await program.end).toBe(0);
    const store = postgresStore(database);
    const facts = { businessId: business.businessId, creations: writers.creations, endpointIds: [endpoint.id] };
    expect(await findViolations(store, facts)).toEqual([]);
    await store.close();
  });
});

/** A budget that is valid for half an hour is valid for every server, and one of the past hour for none. */
async function expectOneValidity({ key }: CrashBusiness, urls: readonly string[]): Promise<void> {
  const valid = new Date(Date.now() + HOUR_MS / 2).toISOString();
  const over = new Date(Date.now() - HOUR_MS / 2).toISOString();
  const items = [{ description: "Chair", quantity: 1, unitPrice: 1 }];
  for (const url of urls) {
    const create = (validUntil: string) =>
      ask(url, key, "POST", "/api/public/budgets", { customerId: "ana", validUntil, items });
    expect((await create(over)).status).toBe(422);
    const made = await create(valid);
    expect(made.status).toBe(201);
    expect(Math.abs(Date.parse(made.body.data.createdAt) - Date.now())).toBeLessThan(HOUR_MS / 4);
    for (const other of urls) {
      const { body } = await ask(other, key, "GET", `/api/public/budgets/${made.body.data.id}`);
      expect(body.data.status).toBe("PENDING");
    }
  }
}

/** A key is admitted as often as its rate says, by all servers together. */
async function expectOneWindow({ loginToken }: CrashBusiness, urls: readonly string[]): Promise<void> {
  const settings = { name: "limited", scopes: ["READ_BUDGETS"], rateLimitPerHour: RATE };
  const { key } = (await ask(urls[0] ?? "", loginToken, "POST", "/api-keys", settings)).body;
  const asked = Array.from({ length: 2 * RATE }, (_, index) =>
    ask(urls[index % urls.length] ?? "", key, "GET", "/api/public/budgets?limit=1"),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(RATE);
}
