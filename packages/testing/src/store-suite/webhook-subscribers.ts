import assert from "node:assert/strict";
import type { ApiKey, Store, WebhookEndpoint } from "@budgetkit/core/store";
import {
  insertBudgetCommit,
  insertEndpointCommit,
  insertKeyCommit,
  removeEndpointCommit,
  replaceEndpointCommit,
  replaceKeyCommit,
} from "@budgetkit/core/store";
import { aBudget, anApiKey, anEvent } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { anEndpoint } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

/** The commit of an event decides whether it waits for a fan-out. */
export function webhookSubscriberCases({ describe, it, itWithHost }: Suite): void {
  describe("an event waits for its fan-out", () => {
    for (const [name, act, waits] of subscribers) {
      it(`${waits ? "for" : "not for"} ${name}`, async (store) => {
        await act(store);
        await commit(store, "1");
        assert.deepEqual(await waiting(store), waits ? [1] : []);
      });
    }

    it("not for subscribers of another business", async (store) => {
      await subscribe(store, "2");
      await commit(store, "1");
      assert.deepEqual(await waiting(store), []);
    });

    it("until it is fanned out, also when its subscriber is gone", async (store) => {
      await subscribe(store, "1");
      await commit(store, "1");
      await store.commit(removeEndpointCommit("1", "6000"));
      await commit(store, "2");
      assert.deepEqual(await waiting(store), [1]);
    });

    it("from one commit on, when its subscriber comes amid commits that go on at once", async (store) => {
      const before = Array.from({ length: 20 }, (_, index) => commit(store, String(index + 1)));
      const subscribed = subscribe(store, "1");
      const after = Array.from({ length: 20 }, (_, index) => commit(store, String(index + 101)));
      await subscribed;
      await Promise.all([...before, ...after, commit(store, "200")]);
      const sequences = await waiting(store);
      const first = sequences[0] ?? 0;
      assert.deepEqual(
        sequences,
        Array.from({ length: 42 - first }, (_, index) => first + index),
      );
    });

    itWithHost("when a host's transaction commits it", async (store, host) => {
      for (const [id, end] of [
        ["1", "commit"],
        ["2", "rollback"],
      ] as const) {
        await subscribe(store, id);
        const transaction = await host.begin();
        await commit(store.withConnection(transaction.connection), id, id);
        await transaction[end]();
        assert.deepEqual(await waiting(store), [1]);
      }
    });
  });
}

const withUrl = { webhookUrl: "https://receiver.example/hooks" };

const addEndpoint = (overrides: Partial<WebhookEndpoint>) => (store: Store) =>
  outcomeOf(store, insertEndpointCommit(anEndpoint(overrides)));
const addKey = (overrides: Partial<ApiKey>) => (store: Store) => outcomeOf(store, insertKeyCommit(anApiKey(overrides)));

const subscribers: readonly (readonly [name: string, act: (store: Store) => Promise<unknown>, waits: boolean])[] = [
  ["no subscriber", async () => {}, false],
  ["an endpoint", addEndpoint({}), true],
  ["a disabled endpoint", addEndpoint({ status: "DISABLED" }), false],
  [
    "an endpoint that was enabled",
    async (store) => {
      await addEndpoint({ status: "DISABLED" })(store);
      await store.commit(replaceEndpointCommit(anEndpoint({ version: 2 }), 1));
    },
    true,
  ],
  ["a key with a URL", addKey(withUrl), true],
  ["a key without a URL", addKey({ webhookUrl: null }), false],
  ["a suspended key", addKey({ ...withUrl, status: "SUSPENDED" }), false],
  [
    "a key that was given a URL",
    async (store) => {
      await addKey({ webhookUrl: null })(store);
      await store.commit(replaceKeyCommit(anApiKey({ ...withUrl, version: 2 }), 1));
    },
    true,
  ],
];

async function commit(store: Pick<Store, "commit">, id: string, businessId = "1"): Promise<void> {
  const event = anEvent({ businessId, id: `9${id}`, subjectId: id });
  assert.equal(await outcomeOf(store, insertBudgetCommit(aBudget({ businessId, id }), { events: [event] })), "written");
}

/** The sequences of the waiting events of business 1, ascending. */
async function waiting(store: Store): Promise<number[]> {
  const events = (await store.findUndispatchedEvents(1_000)).filter(({ businessId }) => businessId === "1");
  return events.map(({ sequence }) => sequence).sort((a, b) => a - b);
}
