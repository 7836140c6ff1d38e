import type { AccessStore, ApiKey } from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { claimCompleter } from "./idempotency.js";
import { idToFind, idToWrite } from "./ids.js";
import { asDocument, asInteger, orNull, type Row } from "./rows.js";

type KeyMethods = "insertKey" | "findKey" | "findKeyByHash" | "listKeys" | "replaceKey" | "touchKey";

/** What {@link asKey} makes a key of. */
export const KEY_COLUMNS = "document, last_used_at";

/** The index of keys that callbacks go to is built on these very words. */
export const WITH_WEBHOOK = "document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL";

/** The index of keys that are not revoked is built on these very words. */
const ALIVE = "document ->> 'status' <> 'REVOKED'";

/** The last use is a column of its own: recording it must neither rewrite the document nor disturb its version. */
export function sqliteKeys(connection: Connection): Pick<AccessStore, KeyMethods> {
  const insert = connection.command(
    `INSERT INTO budgetkit_keys
       (version, key_hash, previous_key_hash, created_at, document, business_id, id, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const replace = connection.command(
    `UPDATE budgetkit_keys SET version = ?, key_hash = ?, previous_key_hash = ?, created_at = ?, document = ?
     WHERE business_id = ? AND id = ? AND version = ?`,
  );
  const touch = connection.command(
    `UPDATE budgetkit_keys SET last_used_at = ?
     WHERE business_id = ? AND id = ? AND coalesce(last_used_at, 0) < ?`,
  );
  const find = connection.row(`SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE business_id = ? AND id = ?`);
  const findByHash = connection.row(`SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE key_hash = ?`);
  const findByPreviousHash = connection.row(`SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE previous_key_hash = ?`);
  const count = connection.value("SELECT count(*) FROM budgetkit_keys WHERE business_id = ?");
  const list = connection.rows(
    `SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE business_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const isAtVersion = connection.value("SELECT 1 FROM budgetkit_keys WHERE business_id = ? AND id = ? AND version = ?");
  const countAlive = connection.value(
    `SELECT count(*) FROM budgetkit_keys INDEXED BY budgetkit_keys_alive WHERE business_id = ? AND ${ALIVE}`,
  );
  const passesLimit = webhookLimiter(connection);
  const completeClaim = claimCompleter(connection);

  return {
    insertKey: async (key, receipt, webhookLimit = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY) => {
      const business = idToWrite(key.businessId);
      const values = [...columnValuesOf(key), business, idToWrite(key.id), key.lastUsedAt];
      return connection.write(() => {
        if (Number.isFinite(limit) && asInteger(countAlive(business)) >= limit) return "too-many";
        if (passesLimit(key, webhookLimit)) return "full";
        if (!completeClaim(receipt)) return "receipt-lost";
        insert(...values);
        return "written";
      });
    },

    findKey: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), idToFind(id)), asKey)),

    findKeyByHash: (hash) => connection.read(() => orNull(findByHash(hash) ?? findByPreviousHash(hash), asKey)),

    listKeys: (businessId, limit, offset) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const entries = list(business, limit, offset).map(asKey);
        return { entries, total: asInteger(count(business)), nextCursor: null };
      }),

    replaceKey: async (key, expectedVersion, webhookLimit = Number.POSITIVE_INFINITY) => {
      const row = [idToFind(key.businessId), idToFind(key.id), expectedVersion] as const;
      const values = [...columnValuesOf(key), ...row];
      return connection.write(() => {
        if (passesLimit(key, webhookLimit) && isAtVersion(...row) !== undefined) return "full";
        return replace(...values) === 1 ? "written" : "stale";
      });
    },

    touchKey: (businessId, id, usedAt) =>
      connection.write(() => {
        touch(usedAt, idToFind(businessId), idToFind(id), usedAt);
      }),
  };
}

/** Whether the key, once written, would be one too many of those that callbacks go to; a part of its transaction. */
function webhookLimiter(connection: Connection): (key: ApiKey, limit: number) => boolean {
  const findThis = connection.value(
    `SELECT 1 FROM budgetkit_keys WHERE business_id = ? AND id = ? AND ${WITH_WEBHOOK}`,
  );
  const countAll = connection.value(
    `SELECT count(*) FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook WHERE business_id = ? AND ${WITH_WEBHOOK}`,
  );
  return (key, limit) => {
    if (key.status !== "ACTIVE" || key.webhookUrl === null) return false;
    const business = idToFind(key.businessId);
    return findThis(business, idToFind(key.id)) === undefined && asInteger(countAll(business)) >= limit;
  };
}

function columnValuesOf(key: ApiKey): SqlValue[] {
  return [key.version, key.keyHash, key.previousKeyHash, key.createdAt, JSON.stringify(key)];
}

export function asKey([document, lastUsedAt]: Row): ApiKey {
  return Object.assign(asDocument<ApiKey>(document), { lastUsedAt: orNull(lastUsedAt, asInteger) }); // V8 copies slowly
}
