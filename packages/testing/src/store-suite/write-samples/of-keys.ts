import {
  type ApiKey,
  insertBusinessCommit,
  insertIntegrationCommit,
  insertKeyCommit,
  NO_KEY_LIMITS,
  removeIntegrationCommit,
  replaceIntegrationCommit,
  replaceKeyCommit,
  type Store,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { aBusiness, anApiKey, FIXTURE_TIME as NOW } from "../../fixtures.js";
import { anIntegration } from "../../integration-fixtures.js";
import { aWrite, listed, stores } from "./sample.js";

const called = { webhookUrl: "https://shop.example/hooks" };
const business = insertBusinessCommit(aBusiness());
const others = [
  insertKeyCommit(anApiKey({ id: "21" })),
  insertKeyCommit(anApiKey({ id: "22", ...called, version: 3 })),
];
const withKey = stores(business, ...others, insertKeyCommit(anApiKey({ version: 2 })));

const readKey = async (store: Store) => [
  await store.findKey("1", "20"),
  await store.findKeyByHash(anApiKey().keyHash),
  await listed(store.listKeys("1", 9, 0), "20"),
];
const shown = (key: ApiKey) => [key, { ...key, tier: "STANDARD" }, [key]];
const next = (overrides: Partial<ApiKey> = {}) => anApiKey({ version: 3, ...overrides });

export const keySamples = [
  aWrite({
    name: "a new key",
    beside: ["audit", "completes"],
    prepare: stores(business, ...others),
    commit: (mark) => insertKeyCommit(anApiKey({ name: mark }), { keys: 100, withWebhook: 1 }),
    read: readKey,
    after: (mark) => shown(anApiKey({ name: mark })),
    again: "rejected",
    refusals: {
      "its id is taken": [insertKeyCommit(anApiKey({ id: "21", keyHash: "other" })), "rejected"],
      "the business has all keys that it may have": [
        insertKeyCommit(anApiKey(), { ...NO_KEY_LIMITS, keys: 2 }),
        "key-limit",
      ],
      "the business has all keys with a URL that it may have": [
        insertKeyCommit(anApiKey(called), { ...NO_KEY_LIMITS, withWebhook: 1 }),
        "webhook-limit",
      ],
    },
    elsewhere: "written",
  }),
  aWrite({
    name: "a changed key",
    beside: ["audit"],
    prepare: withKey,
    commit: (mark) => replaceKeyCommit(next({ name: mark }), 2, 1),
    read: readKey,
    after: (mark) => shown(next({ name: mark })),
    again: "stale",
    refusals: {
      "its version is past": [replaceKeyCommit(anApiKey({ version: 2, name: "late" }), 1), "stale"],
      "its version is yet to come": [replaceKeyCommit(anApiKey({ version: 4, ...called }), 3, 1), "stale"],
      "the business has all keys with a URL that it may have": [replaceKeyCommit(next(called), 2, 1), "webhook-limit"],
    },
    elsewhere: "stale",
    ids: ["1", "20"],
  }),
];

export const keyUseSamples = [
  aWrite({
    name: "a use of a key",
    prepare: withKey,
    commit: () => touchKeyCommit("1", "20", NOW),
    read: readKey,
    after: () => shown(anApiKey({ version: 2, lastUsedAt: NOW })),
    again: "written",
    elsewhere: "written",
    ids: ["1", "20"],
  }),
];

const readIntegration = async (store: Store) => [
  await store.findIntegration("1", "50"),
  await listed(store.listIntegrations("1", 9, 0), "50"),
];
const other = insertIntegrationCommit(anIntegration({ id: "51", status: "INACTIVE" }));
const withIntegration = stores(other, insertIntegrationCommit(anIntegration({ version: 2 })));

export const integrationSamples = [
  aWrite({
    name: "a new integration",
    beside: ["audit"],
    prepare: stores(other),
    commit: (mark) => insertIntegrationCommit(anIntegration({ name: mark }), 100),
    read: readIntegration,
    after: (mark) => [anIntegration({ name: mark }), [anIntegration({ name: mark })]],
    again: "rejected",
    refusals: {
      "its id is taken": [insertIntegrationCommit(anIntegration({ id: "51" })), "rejected"],
      "the business has all integrations that it may have": [
        insertIntegrationCommit(anIntegration(), 1),
        "integration-limit",
      ],
    },
    elsewhere: "written",
  }),
  aWrite({
    name: "a changed integration",
    beside: ["audit"],
    prepare: withIntegration,
    commit: (mark) => replaceIntegrationCommit(anIntegration({ name: mark, version: 3 }), 2),
    read: readIntegration,
    after: (mark) => [anIntegration({ name: mark, version: 3 }), [anIntegration({ name: mark, version: 3 })]],
    again: "stale",
    refusals: {
      "its version is past": [replaceIntegrationCommit(anIntegration({ version: 2, name: "late" }), 1), "stale"],
      "its version is yet to come": [replaceIntegrationCommit(anIntegration({ version: 4 }), 3), "stale"],
    },
    elsewhere: "stale",
    ids: ["1", "50"],
  }),
];

export const integrationRemovalSamples = [
  aWrite({
    name: "a removed integration",
    beside: ["audit"],
    prepare: withIntegration,
    commit: () => removeIntegrationCommit("1", "50"),
    read: readIntegration,
    after: () => [null, []],
    again: "missing",
    elsewhere: "missing",
    ids: ["1", "50"],
  }),
];
