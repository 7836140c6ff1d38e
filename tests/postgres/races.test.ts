import { type BudgetService, createBudgetService, type Random } from "@budgetkit/core";
import { insertBudgetCommit } from "@budgetkit/core/store";
import { aBudget, drawInteger, manualClock, outcomeOf, rounds, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { type RunningProgram, startProgram } from "../programs/running-program.js";

vi.setConfig({ testTimeout: 600_000 });

const secret = "a secret of at least thirty-two characters";
const SEED = 20_261_122;
const ADMIN = { BUDGETKIT_ADMIN_EMAIL: "ana@example.org", BUDGETKIT_ADMIN_PASSWORD: "correct horse" };
const WAIT = { timeout: 60_000, interval: 50 };
const ROUNDS = rounds({ small: 1, full: 10 });
const CALLS = rounds({ small: 30, full: 60 }); // to each server
const RATE = 20;
const CALLED = 4; // servers
const STARTERS = rounds({ small: 4, full: 16 });
const STARTS = rounds({ small: 1, full: 3 });

describe("two services on one PostgreSQL", () => {
  const schema = testSchema();

  const BUDGETS = rounds({ small: 250, full: 10_000 });
  const AT_ONCE = rounds({ small: 250, full: 500 });
  const DEADLINE = Date.parse("2026-02-01T00:00:00Z");

  it(`two services leave each of ${BUDGETS} budgets or more either approved or expired (seed ${SEED})`, async () => {
    const store = await schema.freshStore();
    const approving = createBudgetService({ store, secret, clock: manualClock(DEADLINE - 1) });
    const expiring = createBudgetService({ store: schema.open(), secret, clock: manualClock(DEADLINE) });
    const random = seededRandom(SEED);
    const business = (await approving.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const outcomes = { approved: 0, expired: 0 };

    let made = 0;
    for (; made < BUDGETS || Math.min(outcomes.approved, outcomes.expired) === 0; made += AT_ONCE) {
      const ids = Array.from({ length: AT_ONCE }, (_, index) => String(1_000_000 + made + index));
      const overdue = { businessId: business.id, validUntil: DEADLINE };
      await Promise.all(ids.map((id) => outcomeOf(store, insertBudgetCommit(aBudget({ ...overdue, id })))));
      const [answers] = await Promise.all([
        Promise.all(shuffled(ids, random).map(async (id) => [id, await approve(approving, business.id, id)] as const)),
        expiring.tick(),
      ]);

      for (const [id, hasApproved] of answers) {
        const found = await store.findBudget(business.id, id);
        expect(found).toMatchObject({ status: hasApproved ? "APPROVED" : "EXPIRED", version: 2 });
        outcomes[hasApproved ? "approved" : "expired"] += 1;
      }
    }

    expect(outcomes.approved + outcomes.expired).toBe(made);
    const events = await schema.query(
      `SELECT e.type, b.status, count(*) FROM @budgets b LEFT JOIN @events e
       ON e.business_id = b.business_id AND e.subject_id = b.id::text GROUP BY 1, 2 ORDER BY 1`,
    );
    expect(events).toEqual([
      { type: "budget.approved", status: "APPROVED", count: String(outcomes.approved) },
      { type: "budget.expired", status: "EXPIRED", count: String(outcomes.expired) },
    ]);
    await approving.stop();
    await expiring.stop();
  });
});

describe("standalone servers on one PostgreSQL", () => {
  let main = "";
  beforeAll(async () => {
    main = await quickServer();
  });

  const serve = (url: string) =>
    startProgram(main, { PORT: "0", DATABASE_URL: url, BUDGETKIT_SECRET: secret, ...ADMIN });

  it(`${STARTERS} servers that start at once on an empty database create one business and owner, and admit exactly a key's rate`, async () => {
    for (let round = 0; round < STARTS; round += 1) {
      const database = await freshDatabase();
      const programs = Array.from({ length: STARTERS }, () => serve(database.url));
      const urls = await Promise.all(programs.map((program) => program.url));
      for (const url of urls) await expect.poll(async () => (await fetch(`${url}/readyz`)).status, WAIT).toBe(200);
      expect(programs.filter((program) => program.printed().includes("First start"))).toHaveLength(1);
      for (const table of ["@businesses", "@users"]) {
        expect(await database.query(`SELECT count(*) FROM ${table}`)).toEqual([{ count: "1" }]);
      }
      if (round === 0) await expectExactRate(urls.slice(0, CALLED));
      await Promise.all(programs.map(stopped));
    }
  });
});

/** Calls all servers at once with a key, a new one in each round. */
async function expectExactRate(servers: readonly string[]): Promise<void> {
  const [one = ""] = servers;
  const login = { email: ADMIN.BUDGETKIT_ADMIN_EMAIL, password: ADMIN.BUDGETKIT_ADMIN_PASSWORD };
  const owner = (await ask(one, "", "POST", "/auth/login", login)).body.access_token;
  for (let round = 0; round < ROUNDS; round += 1) {
    const settings = { name: `round ${round}`, scopes: ["READ_BUDGETS"], rateLimitPerHour: RATE };
    const { key } = (await ask(one, owner, "POST", "/api-keys", settings)).body;
    const asked = servers.flatMap((server) =>
      Array.from({ length: CALLS }, () => ask(server, key, "GET", "/api/public/budgets?limit=1")),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(RATE);
    expect(statuses.filter((status) => status === 429)).toHaveLength(servers.length * CALLS - RATE);
  }
}

/** True when the budget was approved; false when it had expired before. */
async function approve(service: BudgetService, businessId: string, id: string): Promise<boolean> {
  const approved = await service.budgets.update({ kind: "system", businessId }, id, { status: "APPROVED" });
  if (approved.isErr()) expect(approved.error).toMatchObject({ kind: "rule" });
  return approved.isOk();
}

async function stopped(program: RunningProgram): Promise<void> {
  program.signal("SIGTERM");
  expect(await program.end).toBe(0);
}

function shuffled<T>(entries: readonly T[], random: Random): T[] {
  const drawn = entries.map((entry) => ({ entry, place: drawInteger(random, 2 ** 32) }));
  return drawn.sort((one, other) => one.place - other.place).map(({ entry }) => entry);
}
