import type { AccessStore, ApiKey } from "@budgetkit/core/store";
import { pageAndTotal } from "./conditions.js";
import type { Connection } from "./connection.js";
import { receiptArgument } from "./idempotency.js";
import { idToFind, idToWrite, textToFind } from "./ids.js";
import type { KeyCache } from "./key-cache.js";
import type { KeyChanges } from "./key-changes.js";
import { limitArgument } from "./limits.js";
import { asBoolean, asDocument, asInteger, asOneOf, orNull, type Row } from "./rows.js";

type KeyMethods = "insertKey" | "findKey" | "findKeyByHash" | "listKeys" | "replaceKey" | "touchKey";

/** What {@link asKey} makes a key of. */
const KEY_COLUMNS = "document, last_used_at";

const IS_CHANGING = `EXISTS (
  SELECT FROM @key_changes AS changes WHERE changes.business_id = keys.business_id AND changes.key_id = keys.id
)`;

/** Keys that were looked up before, and how they come to be changed all the same. */
export interface KnownKeys {
  readonly cache: KeyCache;
  readonly changes: KeyChanges;
  /** Keys are being looked up. */
  use(): void;
}

export function postgresKeys(
  connection: Connection,
  { cache, changes, use }: KnownKeys,
): Pick<AccessStore, KeyMethods> {
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint" },
    row: `SELECT ${KEY_COLUMNS} FROM @keys WHERE business_id = key.business AND id = key.id`,
  });
  const findByHash = connection.lookUp({
    key: { hash: "text" },
    row: `SELECT ${KEY_COLUMNS} FROM @keys WHERE key_hash = key.hash
      UNION ALL SELECT ${KEY_COLUMNS} FROM @keys WHERE previous_key_hash = key.hash`,
  });

  const findToKeep = connection.row(
    `SELECT ${KEY_COLUMNS}, ${IS_CHANGING} FROM @keys AS keys WHERE key_hash = $1
     UNION ALL SELECT ${KEY_COLUMNS}, ${IS_CHANGING} FROM @keys AS keys WHERE previous_key_hash = $1 LIMIT 1`,
  );

  async function findAndKeep(hash: string): Promise<ApiKey | null> {
    const keep = cache.reading();
    const row = await findToKeep(textToFind(hash));
    if (row === null) return null;
    const key = asKey(row);
    if (!asBoolean(row[2])) keep(hash, key);
    return key;
  }

  return {
    insertKey: async (key, receipt, webhookLimit, limit) => {
      const answer = await connection.commit("insert_key", idToWrite(key.businessId), {
        key: { ...keyRow(key), id: idToWrite(key.id), last_used_at: key.lastUsedAt },
        webhook_limit: limitArgument(webhookLimit),
        limit: limitArgument(limit),
        receipt: receiptArgument(receipt),
      });
      return asOneOf(["written", "receipt-lost", "full", "too-many"], answer);
    },

    findKey: async (businessId, id) => orNull((await find([[idToFind(businessId), idToFind(id)]]))[0], asKey),

    findKeyByHash: async (hash) => {
      use();
      if (cache.isLeased()) return cache.find(hash) ?? findAndKeep(hash);
      return orNull((await findByHash([[textToFind(hash)]]))[0], asKey);
    },

    listKeys: async (businessId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: "SELECT count(*) AS n FROM @keys WHERE business_id = $1",
        page: `SELECT ${KEY_COLUMNS}, created_at, id FROM @keys WHERE business_id = $1 ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: ["document", "last_used_at"],
        values: [idToFind(businessId)],
        limit,
        offset,
      });
      return { entries: rows.map(asKey), total, nextCursor: null };
    },

    replaceKey: (key, expectedVersion, webhookLimit) =>
      changes.make(key, async (change) => {
        const answer = await connection.commit("replace_key", idToFind(key.businessId), {
          key: keyRow(key),
          expected_version: expectedVersion,
          webhook_limit: limitArgument(webhookLimit),
          change,
        });
        return asOneOf(["written", "stale", "full", "unfenced"], answer);
      }),

    touchKey: async (businessId, id, usedAt) => {
      const business = idToFind(businessId);
      await connection.commit("touch_key", business, { business_id: business, id: idToFind(id), last_used_at: usedAt });
      cache.touched({ businessId, id }, usedAt);
    },
  };
}

/** All but the last use, which goes its own way. */
function keyRow(key: ApiKey) {
  return {
    business_id: idToFind(key.businessId),
    id: idToFind(key.id),
    version: key.version,
    status: key.status,
    expires_at: key.expiresAt,
    webhook_url: key.webhookUrl,
    key_hash: key.keyHash,
    previous_key_hash: key.previousKeyHash,
    created_at: key.createdAt,
    previous_webhook_secret_until: key.previousWebhookSecretUntil,
    document: JSON.stringify(key),
  };
}

export function asKey([document, lastUsedAt]: Row): ApiKey {
  return Object.assign(asDocument<ApiKey>(document), { lastUsedAt: orNull(lastUsedAt, asInteger) }); // V8 copies slowly
}
