import { createBudgetService, type WebhookSender } from "@budgetkit/core";
import {
  insertBudgetCommit,
  insertBusinessCommit,
  insertEndpointCommit,
  insertKeyCommit,
  replaceKeyCommit,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import {
  aBudget,
  aBusiness,
  aDelivery,
  anApiKey,
  anEndpoint,
  anEvent,
  manualClock,
  FIXTURE_TIME as NOW,
  outcomeOf,
} from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { postgresStore } from "../index.js";
import { type ListeningStore, listeningStore } from "../testing/listening-stores.js";
import { testPool } from "../testing/test-pool.js";
import { testSchema } from "../testing/test-schema.js";
import { channelOf } from "./listener.js";

const secret = "a secret of at least thirty-two characters";

describe("processes on one schema", () => {
  const schema = testSchema();

  async function stores(...names: string[]): Promise<ListeningStore[]> {
    await (await schema.freshStore()).close();
    return names.map((name) => {
      const opened = listeningStore(schema, name);
      onTestFinished(() => opened.close().catch(() => {})); // a test may have closed it
      return opened;
    });
  }

  /** A listener of `onWork`, from the time when the store listens. */
  async function listening({ store }: ListeningStore) {
    const notified = vi.fn();
    const end = store.onWork?.(notified);
    await eventually(() => expect(notified).toHaveBeenCalledTimes(1)); // it listens: earlier notifications may be lost
    notified.mockClear();
    return { notified, end };
  }

  it("processes on one schema receive events and deliveries that others commit, and not their own", async () => {
    const [one, other] = await stores("one", "other");
    if (one === undefined || other === undefined) throw new Error("no stores");
    await other.store.commit(insertEndpointCommit(anEndpoint()));
    const hearing = await listening(one);
    const speaking = await listening(other);
    const failed = aDelivery({ id: "91", status: "failed", nextAttemptAt: null });
    const works: readonly (() => Promise<unknown>)[] = [
      () => other.store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] })),
      () => other.store.commit(testDeliveryCommit(failed)),
      () => other.store.redeliver("1", "91", NOW, NOW + 1_000),
    ];
    for (const [index, work] of works.entries()) {
      await work();
      await eventually(() => expect(hearing.notified).toHaveBeenCalledTimes(index + 1));
    }
    await other.store.commit(insertBudgetCommit(aBudget({ id: "12", publicTokenHash: "12" })));
    await other.store.commit(insertBusinessCommit(aBusiness()));
    hearing.end?.();
    await other.store.commit(
      insertBudgetCommit(aBudget({ id: "13", publicTokenHash: "13" }), { events: [anEvent({ id: "13" })] }),
    );
    await one.store.commit(
      insertBudgetCommit(aBudget({ id: "14", publicTokenHash: "14" }), { events: [anEvent({ id: "14" })] }),
    );
    await eventually(() => expect(speaking.notified).toHaveBeenCalledTimes(1));
    expect(hearing.notified).toHaveBeenCalledTimes(works.length);
  });

  it("processes are notified less often than once a commit, and of the last one too", async () => {
    const [one, other] = await stores("one", "other");
    if (one === undefined || other === undefined) throw new Error("no stores");
    const { notified } = await listening(one);
    const ids = Array.from({ length: 200 }, (_, index) => String(100 + index));
    await other.store.commit(insertEndpointCommit(anEndpoint()));
    let found: readonly unknown[] = [];
    notified.mockImplementation(async () => {
      found = await one.store.findUndispatchedEvents(1_000);
    });
    for (const id of ids) {
      await other.store.commit(insertBudgetCommit(aBudget({ id, publicTokenHash: id }), { events: [anEvent({ id })] }));
    }
    await eventually(() => expect(found).toHaveLength(ids.length));
    expect(notified.mock.calls.length).toBeLessThan(ids.length);
  });

  it("processes wake once when their listening connection is back", async () => {
    const [one, other] = await stores("one", "other");
    if (one === undefined || other === undefined) throw new Error("no stores");
    await other.store.commit(insertEndpointCommit(anEndpoint()));
    const { notified } = await listening(one);
    for (let turn = 1; turn <= 3; turn += 1) {
      await schema.query("SELECT pg_terminate_backend($1)", [await one.listeningPid()]);
      await eventually(() => expect(notified).toHaveBeenCalledTimes(turn));
    }
    await other.store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
    await eventually(() => expect(notified).toHaveBeenCalledTimes(4));
  });

  it("processes deliver at once what another commits, and take over at once what one that stops returns", async () => {
    const [one, other] = await stores("one", "other");
    if (one === undefined || other === undefined) throw new Error("no stores");
    const clock = manualClock(NOW);
    const sender: WebhookSender = {
      send: async () => ({ kind: "failed", error: "away", durationMs: 1 }),
    };
    const serviceOf = ({ store }: ListeningStore) =>
      createBudgetService({ store, secret, clock, webhooks: { sender } });
    const stopping = serviceOf(one);
    const staying = serviceOf(other);
    await one.store.commit(insertBusinessCommit(aBusiness()));
    await one.store.commit(insertEndpointCommit(anEndpoint({ id: "60", sealedSecret: "" })));

    // What one claims is not called before its subscriber was found, which takes until it is stopped.
    const { findEndpoint } = one.store;
    const looking: (() => void)[] = [];
    vi.spyOn(one.store, "findEndpoint").mockImplementation(async (...of) => {
      await new Promise<void>((resolve) => looking.push(resolve));
      return findEndpoint(...of);
    });
    await stopping.start();
    await one.store.commit(
      testDeliveryCommit(aDelivery({ id: "90", subscriber: { kind: "endpoint", id: "60" }, nextAttemptAt: NOW })),
    );
    await eventually(() => expect(looking).toHaveLength(1));
    await staying.start();
    const { notified } = await listening(other);
    const stopped = stopping.stop();
    for (const found of looking) found();
    await stopped;
    await eventually(() => expect(notified).toHaveBeenCalled());
    // The clock stands still: no lease lapses.
    await eventually(async () => expect((await other.store.findDelivery("1", "90"))?.attempts).toBe(1));
    await staying.stop();
  });

  it("processes do not listen without the option or with a single connection", async () => {
    await (await schema.freshStore()).close();
    const single = testPool({ connectionString: schema.url, max: 1 });
    const stores = [
      postgresStore(schema.url, { schema: schema.schema, listen: false }),
      postgresStore(single, { schema: schema.schema }),
    ];
    for (const [index, store] of stores.entries()) {
      expect(store.onWork).toBeUndefined();
      const id = String(20 + index);
      await store.commit(insertBusinessCommit(aBusiness({ id })));
      await store.commit(insertKeyCommit(anApiKey({ businessId: id, id, keyHash: id })));
      expect(await store.findKeyByHash(id)).toMatchObject({ version: 1 });
      expect(
        await outcomeOf(store, replaceKeyCommit(anApiKey({ businessId: id, id, keyHash: id, version: 2 }), 1)),
      ).toBe("written");
      expect(await store.findKeyByHash(id)).toMatchObject({ version: 2 });
      await store.close();
    }
    await single.end();
  });

  it("a closed store leaves no listening connection behind", async () => {
    const [one] = await stores("one");
    if (one === undefined) throw new Error("no store");
    await listening(one);
    const pid = await one.listeningPid();
    await one.close();
    await eventually(async () =>
      expect(await schema.query("SELECT pid FROM pg_stat_activity WHERE pid = $1", [pid])).toEqual([]),
    );
  });

  it("the channel name fits for every schema", () => {
    expect(channelOf("s".repeat(63))).toMatch(/^[a-z_0-9]{1,63}$/);
    expect(channelOf("one")).not.toBe(channelOf("other"));
  });
});

function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}
