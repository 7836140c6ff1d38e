import assert from "node:assert/strict";
import type { ApiKey, Store, WebhookEndpoint } from "@budgetkit/core/store";
import { aBudget, anApiKey, anEvent } from "../fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

/** The commit of an event decides whether it waits for a fan-out. */
export function webhookSubscriberCases({ describe, it, itWithHost }: Suite): void {
  describe("an event waits for its fan-out", () => {
    for (const [name, act, waits] of subscribers) {
      it(`an event waits ${waits ? "for" : "not for"} ${name}`, async (store) => {
        await act(store);
        await commit(store, "1");
        assert.deepEqual(await waiting(store), waits ? [1] : []);
      });
    }

    it("an event does not wait for subscribers of another business", async (store) => {
      await subscribe(store, "2");
      await commit(store, "1");
      assert.deepEqual(await waiting(store), []);
    });

    it("an event waits until it is fanned out, also when its subscriber is gone", async (store) => {
      await subscribe(store, "1");
      await commit(store, "1");
      await store.deleteEndpoint("1", "6000");
      await commit(store, "2");
      assert.deepEqual(await waiting(store), [1]);
    });

    it("events wait from one commit on when a subscriber comes amid concurrent commits", async (store) => {
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

    itWithHost("an event waits when a host's transaction commits it", async (store, host) => {
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
  store.insertEndpoint(anEndpoint(overrides));
const addKey = (overrides: Partial<ApiKey>) => (store: Store) => store.insertKey(anApiKey(overrides), null);

const subscribers: readonly (readonly [name: string, act: (store: Store) => Promise<unknown>, waits: boolean])[] = [
  ["no subscriber", async () => {}, false],
  ["an endpoint", addEndpoint({}), true],
  ["a disabled endpoint", addEndpoint({ status: "DISABLED" }), false],
  [
    "an endpoint that was enabled",
    async (store) => {
      await addEndpoint({ status: "DISABLED" })(store);
      await store.replaceEndpoint(anEndpoint({ version: 2 }), 1);
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
      await store.replaceKey(anApiKey({ ...withUrl, version: 2 }), 1);
    },
    true,
  ],
];

async function commit(store: Pick<Store, "insertBudget">, id: string, businessId = "1"): Promise<void> {
  const event = anEvent({ businessId, id: `9${id}`, subjectId: id });
  assert.equal(await store.insertBudget(aBudget({ businessId, id }), [event], null), "written");
}

/** The sequences of the waiting events of business 1, ascending. */
async function waiting(store: Store): Promise<number[]> {
  const events = (await store.findUndispatchedEvents(1_000)).filter(({ businessId }) => businessId === "1");
  return events.map(({ sequence }) => sequence).sort((a, b) => a - b);
}
