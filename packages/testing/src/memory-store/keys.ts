import type { AccessStore, ApiKey } from "@budgetkit/core/store";
import { appendAuditEntry } from "./events.js";
import { completeClaim, receiptHolds } from "./idempotency.js";
import type { OpenTables, Tables } from "./tables.js";

type KeyMethods = "insertKey" | "findKey" | "findKeyByHash" | "listKeys" | "replaceKey" | "touchKey";

export function memoryKeys(open: OpenTables): Pick<AccessStore, KeyMethods> {
  return {
    insertKey: async (
      key,
      receipt,
      webhookLimit = Number.POSITIVE_INFINITY,
      limit = Number.POSITIVE_INFINITY,
      audit = null,
    ) => {
      const tables = open();
      if (tables.keys.of(key.businessId).filter(({ status }) => status !== "REVOKED").length >= limit)
        return "key-limit";
      if (hasCallbacks(key) && othersWithCallbacks(tables, key) >= webhookLimit) return "webhook-limit";
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      tables.keys.add(key.businessId, key.id, key);
      completeClaim(tables, receipt);
      appendAuditEntry(tables, audit);
      return "written";
    },

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

    replaceKey: async (key, expectedVersion, webhookLimit = Number.POSITIVE_INFINITY, audit = null) => {
      const tables = open();
      const { keys } = tables;
      const stored = keys.find(key.businessId, key.id);
      if (stored?.version !== expectedVersion) return "stale";
      const isNew = hasCallbacks(key) && !hasCallbacks(stored);
      if (isNew && othersWithCallbacks(tables, key) >= webhookLimit) return "webhook-limit";
      keys.save(key.businessId, key.id, { ...key, lastUsedAt: stored.lastUsedAt });
      appendAuditEntry(tables, audit);
      return "written";
    },

    touchKey: async (businessId, id, usedAt) => {
      const { keys } = open();
      const stored = keys.find(businessId, id);
      if (stored === null || (stored.lastUsedAt ?? Number.NEGATIVE_INFINITY) >= usedAt) return;
      keys.save(businessId, id, { ...stored, lastUsedAt: usedAt });
    },
  };
}

function hasCallbacks({ status, webhookUrl }: ApiKey): boolean {
  return status === "ACTIVE" && webhookUrl !== null;
}

function othersWithCallbacks({ keys }: Tables, { businessId, id }: ApiKey): number {
  return keys.of(businessId).filter((key) => hasCallbacks(key) && key.id !== id).length;
}

function newestFirst(a: ApiKey, b: ApiKey): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
