import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { drawInteger, rounds, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { quickServer } from "../programs/build-programs.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";
import { findViolations } from "./store-invariants.js";
import { prepareBusiness } from "./workload/business.js";
import { CrashClient } from "./workload/client.js";
import { countdown } from "./workload/countdown.js";
import { type Creation, findBrokenPromises, type RecordedEvent, type StoredBudget } from "./workload/ledger.js";

const KILLS = rounds({ small: 2, full: 100 });
const WRITERS = 8;
/** A server is killed moments after it has acknowledged so many writes. */
const LEAST_WRITES = WRITERS + 1;
const MORE_WRITES = 30;
const LONGEST_MOMENT_MS = 30;
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe("a server that is killed in the middle of writes", () => {
  it("a killed server loses no acknowledged write and leaves none half done, however often", async () => {
    const path = join(temporaryFolder(), "b.db");
    const access = await prepareBusiness(sqliteStore(path), secret);
    const start = () => startProgram(main, { PORT: "0", DATABASE_URL: `file:${path}`, BUDGETKIT_SECRET: secret });
    const everything: Creation[] = [];
    const moments = seededRandom(52);

    let server = start();
    for (let life = 1; life <= KILLS; life += 1) {
      const since = new Date().toISOString();
      const creations: Creation[] = [];
      const client = new CrashClient(await server.url, access.key, access.loginToken);
      const enough = countdown(LEAST_WRITES + drawInteger(moments, MORE_WRITES));
      const writing = Array.from({ length: WRITERS }, (_, writer) =>
        write(client, creations, `${life}-${writer}`, enough.count),
      );
      await enough.reached;
      await pause(drawInteger(moments, LONGEST_MOMENT_MS));
      server.signal("SIGKILL");
      expect(await server.end).toBe("SIGKILL");
      await Promise.all(writing);

      server = start();
      const revived = new CrashClient(await server.url, access.key, access.loginToken);
      await expectKept(revived, creations, since);
      await expectReplays(revived, creations, since);
      await expectKept(revived, creations, since);
      everything.push(...creations);
    }
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);

    expect(everything.filter(({ budget }) => budget !== null).length).toBeGreaterThan(KILLS * (LEAST_WRITES / 2));
    const store = sqliteStore(path);
    expect(await findViolations(store, { businessId: access.businessId, creations: everything })).toEqual([]);
    await store.close();
  }, 1_800_000);
});

describe("the ledger of a killed server", () => {
  const acknowledged = { id: "1", version: 2, status: "APPROVED", attempted: null };
  const creation: Creation = { idempotencyKey: "a", body: "", answer: "", budget: acknowledged };
  const budget: StoredBudget = { id: "1", version: 2, status: "APPROVED", notes: "a" };
  const events: RecordedEvent[] = ["budget.approved", "budget.created"].map((event) => ({ event, subjectId: "1" }));
  const pending = { ...budget, version: 1, status: "PENDING" };
  const unanswered: Creation = { ...creation, budget: { ...acknowledged, version: 1, status: "PENDING" } };
  const attempted: Creation = { ...unanswered, budget: { ...pending, attempted: "APPROVED" } };

  const changed = { ...budget, version: 4 };
  const changes = ["budget.approved", "budget.updated", "budget.updated", "budget.created"].map((event) => ({
    event,
    subjectId: "1",
  }));
  const changedCreation: Creation = { ...creation, budget: { ...acknowledged, version: 4 } };

  it.each([
    ["acknowledged writes", [creation], [budget], events],
    ["changes before the answer", [changedCreation], [changed], changes],
    ["an update that took effect without an answer", [attempted], [budget], events],
    ["an update that did not", [attempted], [pending], events.slice(1)],
    ["a creation that did not", [{ ...creation, budget: null }], [], []],
  ])("findBrokenPromises accepts %s", (_, creations, budgets, recorded) => {
    expect(findBrokenPromises(creations, budgets, recorded)).toEqual([]);
  });

  it.each([
    ["a lost budget", [creation], [], []],
    ["a lost update", [creation], [pending], events.slice(1)],
    ["an update that no client sent", [unanswered], [budget], events],
    ["a second effect", [creation], [budget, { ...budget, id: "2" }], events],
    ["a budget without its event", [creation], [budget], events.slice(0, 1)],
    ["an event without its budget", [], [], events],
    ["an event too many", [creation], [budget], [...events, ...events]],
    [
      "a gap between numbers",
      [creation],
      [
        { ...budget, number: "K-3" },
        { ...budget, id: "2", notes: "b", number: "K-1" },
      ],
      [...events, ...events.map((event) => ({ ...event, subjectId: "2" }))],
    ],
    ["events out of order", [creation], [budget], [...events].reverse()],
    ["a change without its event", [changedCreation], [changed], changes.slice(1)],
    ["a change with two events", [creation], [budget], [...events.slice(0, 1), ...events]],
  ])("findBrokenPromises reports %s", (_, creations, budgets, recorded) => {
    expect(findBrokenPromises(creations, budgets, recorded)).not.toEqual([]);
  });
});

/** Creates budgets and approves or rejects two of three, until the server is gone. */
async function write(
  client: CrashClient,
  creations: Creation[],
  name: string,
  onAcknowledged: () => void,
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const idempotencyKey = `${name}-${count}`;
    const items = [{ description: "Chair", quantity: 1, unitPrice: count }];
    const body = JSON.stringify({ customerId: name, notes: idempotencyKey, items });
    const creation: Creation = { idempotencyKey, body, answer: null, budget: null };
    creations.push(creation);
    const created = await client.create(creation);
    if (created === null) return;
    acknowledge(creation, created.status, created.text);
    onAcknowledged();
    if (count % 3 === 0 || creation.budget === null) continue;
    creation.budget.attempted = count % 3 === 1 ? "APPROVED" : "REJECTED";
    const answered = await client.answer(creation.budget.id, creation.budget.attempted);
    if (answered === null) return;
    expect(answered.status).toBe(200);
    const { version, status } = JSON.parse(answered.text).data;
    creation.budget = { id: creation.budget.id, version, status, attempted: null };
    onAcknowledged();
  }
}

function acknowledge(creation: Creation, httpStatus: number, text: string): void {
  expect(httpStatus).toBe(201);
  const { id, version, status } = JSON.parse(text).data;
  creation.answer = text;
  creation.budget = { id, version, status, attempted: null };
}

async function expectKept(client: CrashClient, creations: readonly Creation[], since: string): Promise<void> {
  const [budgets, events] = await Promise.all([client.budgets(since), client.events(since)]);
  expect(findBrokenPromises(creations, budgets, events)).toEqual([]);
}

/**
 * Repeats the creations without an answer, and some with one. A creation that took effect returns its first answer; any
 * other takes effect now, or is refused until the claim of the dead server lapses.
 */
async function expectReplays(client: CrashClient, creations: readonly Creation[], since: string): Promise<void> {
  const effective = new Set((await client.budgets(since)).map(({ notes }) => notes));
  const answered = creations.filter(({ answer }) => answer !== null).slice(-WRITERS);
  for (const creation of answered) {
    expect(await client.create(creation)).toEqual({ status: 201, text: creation.answer, isReplay: true });
  }
  for (const creation of creations.filter(({ answer }) => answer === null)) {
    const reply = await client.create(creation);
    const isEffective = effective.has(creation.idempotencyKey);
    if (reply?.status === 409 && !isEffective) continue;
    expect(reply?.isReplay).toBe(isEffective);
    acknowledge(creation, reply?.status ?? 0, reply?.text ?? "");
  }
}
