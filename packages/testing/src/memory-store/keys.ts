import { type AccessStore, type ApiKey, type Change, type Refusal, uncounted } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import type { ConditionOf, WriteOf } from "./write-of.js";

type KeyMethods = "findKey" | "findKeyByHash" | "listKeys";

export function memoryKeys(open: OpenTables): Pick<AccessStore, KeyMethods> {
  return {
    findKey: async (businessId, id) => open().keys.find(businessId, id),

    findKeyByHash: async (hash) => {
      const { keys, businesses } = open();
      const key = keys.all().find(({ keyHash, previousKeyHash }) => keyHash === hash || previousKeyHash === hash);
      const business = key === undefined ? null : (businesses.get(key.businessId) ?? null);
      return key === undefined || business === null ? null : { ...key, tier: business.tier };
    },

    listKeys: async (businessId, limit, offset) => {
      const keys = open().keys.of(businessId).sort(newestFirst);
      return { entries: keys.slice(offset, offset + limit), total: keys.length, nextCursor: null };
    },
  };
}

function hasCallbacks({ status, webhookUrl }: ApiKey): boolean {
  return status === "ACTIVE" && webhookUrl !== null;
}

export function keyChange({ keys }: Tables, { key, expected }: WriteOf<"key">): Change | Refusal {
  const { businessId, id } = key;
  if (expected === "absent") {
    keys.assertFree(businessId, id);
    return uncounted(() => keys.add(businessId, id, key));
  }
  const stored = keys.find(businessId, id);
  if (stored?.version !== expected) return "stale";
  return uncounted(() => keys.save(businessId, id, { ...key, lastUsedAt: stored.lastUsedAt }));
}

export function keyUse({ keys }: Tables, businessId: string, { keyId, at }: WriteOf<"key-use">): Change {
  return uncounted(() => {
    const stored = keys.find(businessId, keyId);
    if (stored === null || (stored.lastUsedAt ?? Number.NEGATIVE_INFINITY) >= at) return;
    keys.save(businessId, keyId, { ...stored, lastUsedAt: at });
  });
}

export function hasKeysBelow({ keys }: Tables, businessId: string, { limit }: ConditionOf<"keys-below">): boolean {
  return keys.of(businessId).filter(({ status }) => status !== "REVOKED").length < limit;
}

export function hasWebhookKeysBelow(
  { keys }: Tables,
  businessId: string,
  { limit, unless }: ConditionOf<"webhook-keys-below">,
): boolean {
  const withCallbacks = keys.of(businessId).filter(hasCallbacks);
  return withCallbacks.some(({ id }) => id === unless) || withCallbacks.length < limit;
}

function newestFirst(a: ApiKey, b: ApiKey): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
