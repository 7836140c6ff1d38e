import assert from "node:assert/strict";
import {
  type Attempt,
  type Delivery,
  EVENT_TYPES,
  insertEndpointCommit,
  insertKeyCommit,
  replaceEndpointCommit,
  testDeliveryCommit,
  type WebhookEndpoint,
} from "@budgetkit/core/store";
import { anApiKey, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { aDelivery, aDeliveryQuery, anAttempt, anEndpoint } from "../webhook-fixtures.js";
import { type Cases, END_OF_2199, MAX, NESTED, ODD_TEXT } from "./extremes.js";
import { removeEntries } from "./ledger-retention.js";
import type { Suite } from "./suite.js";
import {
  aDueClaim,
  add,
  aLease,
  aRetry,
  aSettlement,
  claimIds,
  commitEvents,
  endpoint,
  LAPSED,
} from "./webhook-samples.js";

const ENDPOINTS: Cases<WebhookEndpoint> = {
  "of plain values": {},
  "with everything set": {
    url: "https://example.com/hook?a=b&c=%20#ñ",
    description: ODD_TEXT,
    events: [...EVENT_TYPES, "budget.*", "*.deleted"],
    filter: {
      status: ["APPROVED", "REJECTED"],
      currency: ["USD", "JPY"],
      customerId: ["ana"],
      minimumTotal: { amount: 70_368_744_177.66, currency: "USD" },
    },
    status: "DISABLED",
    disabledReason: ODD_TEXT,
    allowedIps: ["192.0.2.1", "2001:db8::1"],
    retryDelaysSeconds: [0, 60, 300, 1_800, 7_200, 43_200],
    sealedSecret: "v1.".padEnd(500, "x"),
    previousSealedSecret: "v1.former",
    previousSecretUntil: NOW + 1,
    failingSince: NOW + 2,
    failedOn: [NOW + 2, NOW + 3],
    healthRound: 3,
    updatedAt: END_OF_2199,
  },
  "that is sent no event, which is not the same as every": { events: [] },
  "that no address may stand for, which is not the same as any": { allowedIps: [] },
  "with empty texts, which are not the same as none": { description: "", disabledReason: "" },
  "of the largest id and version": { id: String(MAX), version: MAX },
};

const DELIVERIES: Cases<Delivery> = {
  "of plain values": {},
  "with everything set": {
    subscriber: { kind: "key", id: String(MAX) },
    eventId: "an event's id",
    eventType: "product.deleted",
    status: "retrying",
    attempts: 12,
    attemptsSinceRestart: 5,
    nextAttemptAt: NOW + 1,
    deadlineAt: END_OF_2199,
    lease: { token: ODD_TEXT, until: NOW + 2 },
    responseCode: 599,
    updatedAt: NOW + 3,
    origin: {
      requestId: "order-4711",
      trace: { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "a=!\"\\'~" },
    },
  },
  "of a request that is part of no trace": { origin: { requestId: "r-1", trace: null } },
  "that is a test": { eventId: null, nextAttemptAt: null, lease: aLease(), attempts: 1, attemptsSinceRestart: 1 },
  "that was answered nothing": { status: "failed", nextAttemptAt: null, responseCode: null },
  "of the largest id": { id: String(MAX) },
  "with an empty body": { body: "" },
  "with odd text as its body": { body: `${ODD_TEXT} \u2028\u2029\u0001\u001f\u007f\ufeff\uffff` },
  "with nested JSON as its body": { body: JSON.stringify(NESTED) },
  "with a body of 64 KiB": { body: unicode(64 * 1_024) },
};

const ATTEMPTS: Cases<Attempt> = {
  "of plain values": {},
  "that was not answered": { responseCode: null, responseBody: null, error: ODD_TEXT },
  "that was answered with nothing, which is not the same as not at all": { responseBody: "" },
  "that was answered with 4 KiB of odd text": { responseBody: unicode(4 * 1_024), durationMs: 0 },
  "that lasted long": { durationMs: 30_000, startedAt: END_OF_2199, responseCode: 504 },
};

export function webhookRoundTripCases(suite: Suite): void {
  roundTripCases(suite);
  frozenCases(suite);
  durabilityCases(suite);
}

function roundTripCases({ describe, it }: Suite): void {
  describe("a webhook endpoint comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(ENDPOINTS)) {
      it(name, async (store) => {
        const stored = anEndpoint(overrides);
        await store.commit(insertEndpointCommit(stored));
        assert.deepEqual(await store.findEndpoint("1", stored.id), stored);
        assert.deepEqual((await store.listEndpoints("1", 10, 0)).entries, [stored]);
      });

      it(`${name}, when it replaces another`, async (store) => {
        const next = { ...anEndpoint(overrides), id: "60", version: 2 };
        await store.commit(insertEndpointCommit(anEndpoint()));
        await store.commit(replaceEndpointCommit(next, 1));
        assert.deepEqual(await store.findEndpoint("1", "60"), next);
      });
    }
  });

  describe("a delivery comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(DELIVERIES)) {
      it(name, async (store) => {
        const delivery = aDelivery(overrides);
        await store.commit(testDeliveryCommit(delivery));
        assert.deepEqual(await store.findDelivery("1", delivery.id), delivery);
        assert.deepEqual((await store.listDeliveries("1", aDeliveryQuery())).entries, [delivery]);
      });

      it(`${name}, through fan-out and claim`, async (store) => {
        const waiting = { ...aDelivery(overrides), status: "pending", nextAttemptAt: NOW, lease: null } as const;
        const [event] = await commitEvents(store, ["90"]);
        assert.ok(event !== undefined);
        await store.fanOut(event, [waiting]);
        const counted = { attempts: waiting.attempts + 1, attemptsSinceRestart: waiting.attemptsSinceRestart + 1 };
        const leased = { ...waiting, ...counted, lease: aLease(), updatedAt: NOW };
        assert.deepEqual(await store.claimDue(aDueClaim()), [leased]);
      });
    }
  });

  describe("an attempt comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(ATTEMPTS)) {
      it(name, async (store) => {
        await add(store, { lease: aLease() });
        await store.settle(aSettlement({ attempt: anAttempt(overrides) }));
        assert.deepEqual(await store.listAttempts("1", "70"), [anAttempt(overrides)]);
      });
    }
  });
}

function frozenCases({ describe, it }: Suite): void {
  describe("what was handed in and what is given out", () => {
    it("is apart from what is stored", async (store) => {
      const delays = [0, 60];
      const lease = { token: "lease-1", until: LAPSED };
      await store.commit(insertEndpointCommit(anEndpoint({ retryDelaysSeconds: delays })));
      await store.commit(testDeliveryCommit(aDelivery({ lease })));
      delays.push(99);
      lease.token = "stolen";
      assert.deepEqual((await store.findEndpoint("1", "60"))?.retryDelaysSeconds, [0, 60]);
      assert.equal((await store.findDelivery("1", "70"))?.lease?.token, "lease-1");
      assert.equal(await store.settle(aSettlement()), "written");
    });
  });
}

function durabilityCases({ describe, itDurably, persists }: Suite): void {
  if (!persists) return;
  describe("webhooks are there after the store was reopened", () => {
    itDurably("endpoints and subscribed keys", async (store, reopen) => {
      const key = anApiKey({ webhookUrl: "https://shop.example/" });
      await store.commit(insertKeyCommit(key));
      await store.commit(insertEndpointCommit(anEndpoint()));
      await store.commit(replaceEndpointCommit(anEndpoint({ version: 2, failingSince: NOW }), 1));
      const again = await reopen();
      const endpoints = [anEndpoint({ version: 2, failingSince: NOW })];
      assert.deepEqual(await again.findSubscribers("1"), { endpoints, keys: [key] });
    });

    itDurably("events that wait for their fan-out, and those that do not", async (store, reopen) => {
      const [first] = await commitEvents(store, ["90", "91"]);
      assert.ok(first !== undefined);
      await store.fanOut(first, [aDelivery()]);
      const again = await reopen();
      const [waiting, ...others] = await again.findUndispatchedEvents(10);
      assert.deepEqual([waiting?.id, others], ["91", []]);
      assert.equal(await again.fanOut(first, [aDelivery({ id: "71" })]), "taken");
      assert.deepEqual(await claimIds(again), ["70"]);
    });

    itDurably("leases and the attempts that they count", async (store, reopen) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      const again = await reopen();
      assert.equal(await again.nextDueAt(), LAPSED);
      assert.deepEqual(await claimIds(again), []);
      const [taken] = await again.claimDue(aDueClaim({ now: LAPSED, lease: aLease("lease-2", LAPSED) }));
      assert.deepEqual([taken?.attempts, taken?.body], [2, aDelivery().body]);
    });

    itDurably("attempts, cancellations and when the next is due", async (store, reopen) => {
      await add(store, { id: "70" }, { id: "71", subscriber: endpoint("61") });
      await store.claimDue(aDueClaim());
      await store.settle(aRetry(NOW + 7));
      await store.cancelDeliveries("1", endpoint("61"), NOW, 100);
      const again = await reopen();
      assert.deepEqual(await again.listAttempts("1", "70"), [anAttempt()]);
      assert.equal((await again.findDelivery("1", "71"))?.status, "cancelled");
      assert.equal(await again.nextDueAt(), NOW + 7);
    });

    itDurably("what was pruned stays away, and sequences go on", async (store, reopen) => {
      const [event] = await commitEvents(store, ["90"], { occurredAt: NOW - 1 });
      assert.ok(event !== undefined);
      await store.fanOut(event, []);
      await removeEntries(store, NOW);
      const again = await reopen();
      assert.equal((await again.listEvents("1", anEventQuery())).total, 0);
      const [next] = await commitEvents(again, ["91"]);
      assert.ok((next?.sequence ?? 0) > event.sequence);
    });
  });
}

/** Text of so many bytes in UTF-8, most of them in characters of several. */
function unicode(bytes: number): string {
  return "ñ日🪑e\u0301".repeat(Math.floor(bytes / 12)).concat("x".repeat(bytes % 12));
}
