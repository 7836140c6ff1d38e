import { insertBudgetCommit, insertEndpointCommit, testDeliveryCommit } from "@budgetkit/core/store";
import {
  aBudget,
  aDelivery,
  aDeliveryQuery,
  anAttempt,
  anEndpoint,
  anEvent,
  anEventQuery,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundlePackage, type StartChild } from "../../../../tests/programs/child-process.js";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

const MINUTE = 60_000;

describe("processes that share a file", () => {
  let folder: TemporaryFolder;
  let path: string;
  let startChild: StartChild;

  beforeEach(async () => {
    folder = temporaryFolder();
    path = folder.file("budgets.db");
    startChild = await bundlePackage("store-sqlite", folder.path);
    const store = sqliteStore(path);
    await store.migrate();
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const subscriber = { kind: "endpoint", id: String(60 + (index % 9)) } as const;
        return store.commit(testDeliveryCommit(aDelivery({ id: String(1_000 + index), subscriber })));
      }),
    );
    await store.close();
  });

  afterEach(() => folder.remove());

  /** A dispatcher that claims and settles until nothing is due, or until it has settled so many and is killed. */
  function dispatcher(name: string, now: number, killedAfter: number | null) {
    return startChild(`
      import { writeSync } from "node:fs";
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      const now = ${now};
      const attempt = ${JSON.stringify(anAttempt())};
      let settled = 0;
      for (let turn = 0; ; turn += 1) {
        const lease = { token: ${JSON.stringify(name)} + "-" + turn, until: now + ${MINUTE} };
        const claimed = await store.claimDue({ lease, now, limit: 7, perBusiness: 7, perSubscriber: 2, inFlight: [] });
        if (claimed.length === 0) break;
        for (const { businessId, id: deliveryId, attempts: number } of claimed) {
          const end = { status: "delivered", refundedAttempts: 0, nextAttemptAt: null, now };
          const settlement = { businessId, deliveryId, fencingToken: lease.token, ...end };
          await store.settle({ ...settlement, attempt: { ...attempt, deliveryId, number } });
          writeSync(1, deliveryId + "\\n");
          settled += 1;
          if (settled === ${killedAfter}) process.kill(process.pid, "SIGKILL");
        }
      }
      await store.close();
      `);
  }

  it("processes on one file queue every event from the moment at which one of them adds a subscriber", async () => {
    const writer = startChild(`
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      const commit = ${JSON.stringify(insertBudgetCommit(aBudget(), { events: [anEvent()] }))};
      const [write] = commit.writes;
      const [event] = commit.events;
      for (let number = 1; number <= 300; number += 1) {
        const id = String(number);
        const writes = [{ ...write, budget: { ...write.budget, id } }];
        await store.commit({ ...commit, writes, events: [{ ...event, id: "e" + id, subjectId: id }] });
      }
      await store.close();
      `);
    const store = sqliteStore(path);
    await store.migrate();
    const committed = async () => (await store.listEvents("1", anEventQuery({ limit: 1 }))).total;
    while ((await committed()) < 20) await new Promise(setImmediate);
    await store.commit(insertEndpointCommit(anEndpoint()));
    const before = await committed();
    await writer.output;
    const sequences = (await store.findUndispatchedEvents(300)).map(({ sequence }) => sequence);
    const first = sequences[0] ?? 301;
    expect(first).toBeLessThanOrEqual(before + 1);
    expect(sequences).toEqual(Array.from({ length: 301 - first }, (_, index) => first + index));
    await store.close();
  }, 30_000);

  it("processes on one file never hold one delivery at once", async () => {
    const outputs = await Promise.all(["a", "b", "c", "d"].map((name) => dispatcher(name, NOW, null).output));
    const ids = outputs.flatMap((output) => output.split("\n").filter((id) => id !== ""));
    expect(ids).toHaveLength(200);
    expect(new Set(ids).size).toBe(200);
  }, 30_000);

  it("processes on one file take over what a killed one had claimed, and count its attempt", async () => {
    const acknowledged = (await dispatcher("killed", NOW, 10).output).trim().split("\n");
    expect(acknowledged).toHaveLength(10);
    const rest = (await dispatcher("next", NOW + MINUTE, null).output).trim().split("\n");
    expect(rest).toHaveLength(190);
    expect(rest.filter((id) => acknowledged.includes(id))).toEqual([]);

    const store = sqliteStore(path);
    await store.migrate();
    expect(await store.nextDueAt()).toBeNull();
    const query = aDeliveryQuery({ status: "delivered", limit: 200 });
    const { entries } = await store.listDeliveries("1", query);
    expect(entries).toHaveLength(200);
    expect(entries.filter(({ attempts }) => attempts === 2)).toHaveLength(4);
    await store.close();
  }, 30_000);
});
