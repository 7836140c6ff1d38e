import assert from "node:assert/strict";
import { DELIVERY_STATUSES, type DeliveryQuery, EVENT_TYPES, MINUTE_MS, type Store } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { aDelivery, aDeliveryQuery, anAttempt } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { aDueClaim, add, addFinished, aLease, aRetry, aSettlement, claimIds, endpoint } from "./webhook-samples.js";

const DEADLINE = NOW + 90 * MINUTE_MS;

export function webhookDeliveryCases(suite: Suite): void {
  listCases(suite);
  cancelCases(suite);
  restartCases(suite);
}

function listCases({ describe, it }: Suite): void {
  describe("listing deliveries", () => {
    const key = { kind: "key", id: "60" } as const;
    const fill = (store: Store) =>
      add(
        store,
        { id: "70", status: "failed", createdAt: NOW },
        { id: "71", subscriber: endpoint("61"), createdAt: NOW + 2, eventType: "budget.approved" },
        { id: "72", subscriber: key, status: "delivered", createdAt: NOW + 1 },
        { id: "73", status: "delivered", createdAt: NOW + 3, eventType: "budget.approved" },
      );
    const filters: readonly [name: string, query: Partial<DeliveryQuery>, ids: readonly string[]][] = [
      ["nothing, newest first", {}, ["73", "71", "72", "70"]],
      ["an endpoint", { subscriber: endpoint("60") }, ["73", "70"]],
      ["a key, which is no endpoint of the same id", { subscriber: key }, ["72"]],
      ["a subscriber that is unknown", { subscriber: endpoint("99") }, []],
      ["a subscriber whose id is none", { subscriber: endpoint("060") }, []],
      ["a status", { status: "delivered" }, ["73", "72"]],
      ["a status that none has", { status: "cancelled" }, []],
      ["a type of event", { eventType: "budget.approved" }, ["73", "71"]],
      ["a type that has not occurred", { eventType: "customer.created" }, []],
      ["a subscriber and a status", { subscriber: endpoint("60"), status: "failed" }, ["70"]],
      ["a status and a type", { status: "delivered", eventType: "budget.created" }, ["72"]],
      ["everything at once", { subscriber: endpoint("60"), status: "delivered", eventType: "budget.approved" }, ["73"]],
    ];
    it("filters deliveries by subscriber, status and type", async (store) => {
      await fill(store);
      for (const [name, query, ids] of filters) assert.deepEqual(await idsOf(store, query), ids, name);
    });

    for (const query of [{}, { subscriber: endpoint("60") }, { status: "pending" }] as const) {
      it(`pages of deliveries together hold each once, by ${Object.keys(query)[0] ?? "nothing"}`, async (store) => {
        await allAtOnce(7, (index) => add(store, { id: String(97 + index) }));
        await add(store, { id: "5", businessId: "2" });
        const ids = [];
        for (const offset of [0, 3, 6, 9]) {
          const page = await store.listDeliveries("1", aDeliveryQuery({ ...query, limit: 3, offset }));
          ids.push(...page.entries.map(({ id }) => id));
          assert.deepEqual([page.total, page.nextCursor], [7, null]);
        }
        assert.deepEqual(ids, ["103", "102", "101", "100", "99", "98", "97"]);
      });
    }

    it("pages hold waiting and finished deliveries in one order", async (store) => {
      for (const [index, id] of ["101", "100", "99", "98", "97"].entries()) {
        if (index % 2 === 0) await addFinished(store, "delivered", { id });
        else await add(store, { id });
      }
      const pages = [];
      for (const offset of [0, 2, 4]) {
        const page = await store.listDeliveries("1", aDeliveryQuery({ subscriber: endpoint("60"), limit: 2, offset }));
        pages.push([page.total, ...page.entries.map(({ id }) => id)]);
      }
      assert.deepEqual(pages, [
        [5, "101", "100"],
        [5, "99", "98"],
        [5, "97"],
      ]);
    });

    it("lists deliveries as they are found one by one", async (store) => {
      await fill(store);
      await store.claimDue(aDueClaim());
      for (const delivery of (await store.listDeliveries("1", aDeliveryQuery())).entries) {
        assert.deepEqual(await store.findDelivery("1", delivery.id), delivery);
      }
    });

    it("lists deliveries of their own business alone", async (store) => {
      await fill(store);
      await add(store, { id: "74", businessId: "2" });
      assert.deepEqual(await idsOf(store), ["73", "71", "72", "70"]);
      assert.equal((await store.listDeliveries("2", aDeliveryQuery({ subscriber: endpoint("60") }))).total, 1);
      assert.equal(await store.findDelivery("2", "70"), null);
    });

    for (const status of DELIVERY_STATUSES) {
      it(`lists deliveries that are ${status}`, async (store) => {
        await add(store, { status });
        assert.deepEqual(await idsOf(store, { status }), ["70"]);
      });
    }

    it("lists deliveries of every type of event", async (store) => {
      for (const [index, eventType] of EVENT_TYPES.entries()) await add(store, { id: String(70 + index), eventType });
      for (const [index, eventType] of EVENT_TYPES.entries()) {
        assert.deepEqual(await idsOf(store, { eventType }), [String(70 + index)]);
      }
    });
  });
}

function cancelCases({ describe, it }: Suite): void {
  describe("cancelling a subscriber's deliveries", () => {
    it("cancelling ends waiting deliveries and those under way, and returns how many", async (store) => {
      await add(store, { id: "70" }, { id: "71", status: "retrying" }, { id: "72", nextAttemptAt: NOW + 9 });
      await add(store, { id: "73", nextAttemptAt: null, lease: aLease("tester") });
      await store.claimDue(aDueClaim({ limit: 1 }));
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW + 4, 100), 4);
      for (const delivery of (await store.listDeliveries("1", aDeliveryQuery())).entries) {
        const { status, lease, nextAttemptAt, updatedAt } = delivery;
        assert.deepEqual([status, lease, nextAttemptAt, updatedAt], ["cancelled", null, null, NOW + 4]);
      }
      assert.equal((await store.findDelivery("1", "70"))?.attempts, 1);
      assert.deepEqual(await claimIds(store, { now: DEADLINE }), []);
    });

    it("cancelling keeps the attempts and the last response code", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.settle(aRetry(NOW + 9, { attempt: anAttempt({ responseCode: 503 }) }));
      await store.cancelDeliveries("1", endpoint("60"), NOW + 4, 100);
      const cancelled = await store.findDelivery("1", "70");
      assert.deepEqual([cancelled?.status, cancelled?.attempts, cancelled?.responseCode], ["cancelled", 1, 503]);
      assert.deepEqual(await store.listAttempts("1", "70"), [anAttempt({ responseCode: 503 })]);
    });

    it("cancelling leaves finished deliveries unchanged", async (store) => {
      await addFinished(store, "delivered", { id: "70" });
      await addFinished(store, "failed", { id: "71" });
      const before = await store.listDeliveries("1", aDeliveryQuery());
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW + 4, 100), 0);
      assert.deepEqual(await store.listDeliveries("1", aDeliveryQuery()), before);
    });

    it("cancels deliveries of the subscriber and the business alone", async (store) => {
      await add(store, { id: "70", subscriber: { kind: "key", id: "60" } }, { id: "71", subscriber: endpoint("61") });
      await add(store, { id: "72", businessId: "2" });
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 100), 0);
      assert.deepEqual((await claimIds(store)).sort(), ["70", "71", "72"]);
    });

    it("cancels at most as many deliveries at a time as the limit", async (store) => {
      await allAtOnce(5, (index) => add(store, { id: String(70 + index) }));
      const counts = [];
      for (let step = 0; step < 4; step += 1) {
        counts.push(await store.cancelDeliveries("1", endpoint("60"), NOW, 2));
        assert.equal((await store.nextDueAt()) === null, step > 1);
      }
      assert.deepEqual(counts, [2, 2, 1, 0]);
    });

    it("counts each cancelled delivery once among concurrent callers", async (store) => {
      await allAtOnce(9, (index) => add(store, { id: String(70 + index) }));
      const counts = await allAtOnce(5, () => store.cancelDeliveries("1", endpoint("60"), NOW, 100));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        9,
      );
    });
  });
}

function restartCases({ describe, it }: Suite): void {
  describe("redelivering", () => {
    for (const status of ["delivered", "failed", "cancelled"] as const) {
      it(`redelivers a delivery that is ${status}, and keeps its attempts`, async (store) => {
        await addFinished(store, status);
        const attempts = await store.listAttempts("1", "70");
        assert.equal(await store.redeliver("1", "70", NOW + 8, DEADLINE), true);
        const times = { nextAttemptAt: NOW + 8, deadlineAt: DEADLINE, updatedAt: NOW + 8 };
        const expected = aDelivery({ ...times, attempts: 1, attemptsSinceRestart: 0, responseCode: 200 });
        assert.deepEqual(await store.findDelivery("1", "70"), expected);
        assert.deepEqual(await store.listAttempts("1", "70"), attempts);
        const [claimed] = await store.claimDue(aDueClaim({ now: NOW + 8 }));
        assert.deepEqual([claimed?.attempts, claimed?.attemptsSinceRestart, claimed?.status], [2, 1, "pending"]);
      });
    }

    for (const status of ["pending", "retrying"] as const) {
      it(`redelivers none that is ${status}`, async (store) => {
        await add(store, { status, nextAttemptAt: NOW + 99 });
        assert.equal(await store.redeliver("1", "70", NOW, DEADLINE), false);
        assert.deepEqual(await store.findDelivery("1", "70"), aDelivery({ status, nextAttemptAt: NOW + 99 }));
      });
    }

    it("redelivering ends a lease that a delivery still has", async (store) => {
      await add(store, { status: "failed", lease: aLease("former") });
      await store.redeliver("1", "70", NOW, DEADLINE);
      assert.equal(await store.settle(aSettlement({ fencingToken: "former" })), "lease-lost");
      assert.deepEqual(await claimIds(store), ["70"]);
    });

    it("redelivers none while an attempt is under way", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      assert.equal(await store.redeliver("1", "70", NOW, DEADLINE), false);
      assert.equal(await store.settle(aSettlement()), "written");
    });

    it("redelivers no unknown delivery, and none of another business", async (store) => {
      await addFinished(store, "failed");
      assert.equal(await store.redeliver("1", "71", NOW, DEADLINE), false);
      assert.equal(await store.redeliver("2", "70", NOW, DEADLINE), false);
      assert.equal((await store.findDelivery("1", "70"))?.status, "failed");
    });

    it("redelivers for one of 20 concurrent callers", async (store) => {
      await addFinished(store, "failed");
      const answers = await allAtOnce(20, () => store.redeliver("1", "70", NOW, DEADLINE));
      assert.equal(countOf(answers, true), 1);
    });
  });
}

async function idsOf(store: Store, query: Partial<DeliveryQuery> = {}): Promise<string[]> {
  const page = await store.listDeliveries("1", aDeliveryQuery(query));
  assert.equal(page.total, page.entries.length);
  return page.entries.map(({ id }) => id);
}
