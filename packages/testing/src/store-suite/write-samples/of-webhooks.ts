import {
  insertEndpointCommit,
  removeEndpointCommit,
  replaceEndpointCommit,
  type Store,
  testDeliveryCommit,
  type WebhookEndpoint,
} from "@budgetkit/core/store";
import { DELIVERY_BYTES } from "@budgetkit/store-kit";
import { FIXTURE_TIME as NOW } from "../../fixtures.js";
import { aDelivery, aDeliveryQuery, anEndpoint } from "../../webhook-fixtures.js";
import { aWrite, listed, stores } from "./sample.js";

/** No subscriber: the cases plan deliveries for one endpoint alone. */
const inactive = (overrides: Partial<WebhookEndpoint> = {}) => anEndpoint({ status: "DISABLED", ...overrides });
const other = insertEndpointCommit(inactive({ id: "61" }));
const withEndpoint = stores(other, insertEndpointCommit(inactive({ version: 2 })));

const readEndpoint = async (store: Store) => [
  await store.findEndpoint("1", "60"),
  await listed(store.listEndpoints("1", 9, 0), "60"),
];
const shown = (overrides: Partial<WebhookEndpoint>) => [inactive(overrides), [inactive(overrides)]];

export const endpointSamples = [
  aWrite({
    name: "a new endpoint",
    beside: ["audit"],
    prepare: stores(other),
    commit: (mark) => insertEndpointCommit(inactive({ description: mark }), 100),
    read: readEndpoint,
    after: (mark) => shown({ description: mark }),
    again: "rejected",
    refusals: {
      "its id is taken": [insertEndpointCommit(inactive({ id: "61", description: "another" })), "rejected"],
      "the business has all endpoints that it may have": [insertEndpointCommit(inactive(), 1), "webhook-limit"],
    },
    elsewhere: "written",
  }),
  aWrite({
    name: "a changed endpoint",
    beside: ["audit"],
    prepare: withEndpoint,
    commit: (mark) => replaceEndpointCommit(inactive({ description: mark, version: 3 }), 2),
    read: readEndpoint,
    after: (mark) => shown({ description: mark, version: 3 }),
    again: "stale",
    refusals: {
      "its version is past": [replaceEndpointCommit(inactive({ description: "late", version: 2 }), 1), "stale"],
      "its version is yet to come": [replaceEndpointCommit(inactive({ version: 4 }), 3), "stale"],
    },
    elsewhere: "stale",
    ids: ["1", "60"],
  }),
];

export const endpointRemovalSamples = [
  aWrite({
    name: "a removed endpoint",
    beside: ["audit"],
    prepare: withEndpoint,
    commit: () => removeEndpointCommit("1", "60"),
    read: readEndpoint,
    after: () => [null, []],
    again: "missing",
    elsewhere: "missing",
    ids: ["1", "60"],
  }),
];

const test = (body: string) => aDelivery({ id: "79", eventId: null, body, nextAttemptAt: NOW + 1 });
const taken = aDelivery({ id: "78", eventId: null, nextAttemptAt: NOW + 1 });

export const deliverySamples = [
  aWrite({
    name: "a test delivery",
    prepare: stores(testDeliveryCommit(taken)),
    commit: (mark) => testDeliveryCommit(test(mark)),
    read: async (store) => [
      await store.findDelivery("1", "79"),
      await listed(store.listDeliveries("1", aDeliveryQuery()), "79"),
    ],
    after: (mark) => [test(mark), [test(mark)]],
    adds: (mark) => ({ deliveryBytes: Buffer.byteLength(mark) + DELIVERY_BYTES }),
    again: "rejected",
    mayRejectAll: true,
    refusals: { "its id is taken": [testDeliveryCommit({ ...taken, body: "another" }), "rejected"] },
    elsewhere: "written",
  }),
];
