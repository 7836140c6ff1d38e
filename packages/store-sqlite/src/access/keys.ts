import {
  type AccessStore,
  type ApiKey,
  asInteger,
  asKey,
  asPresentedKey,
  idToFind,
  idToWrite,
  KEY_COLUMNS,
  orNull,
  PRESENTED_KEY_COLUMNS,
  type PresentedKey,
} from "@budgetkit/core/store";
import { BoundedValues } from "../engine/bounded-values.js";
import type { Connection, SqlValue } from "../engine/connection.js";
import type { Kept } from "../engine/kept-values.js";
import { auditWriter, WITH_WEBHOOK } from "../events/events.js";
import { claimCompleter } from "../events/idempotency.js";

type KeyMethods = "insertKey" | "findKey" | "findKeyByHash" | "listKeys" | "replaceKey" | "touchKey";

/** The index of keys that are not revoked is built on exactly these words. */
const ALIVE = "document ->> 'status' <> 'REVOKED'";

const PRESENTED = `SELECT ${PRESENTED_KEY_COLUMNS} FROM budgetkit_keys AS keys
  JOIN budgetkit_businesses AS businesses ON businesses.id = keys.business_id`;

/** The keys that requests present, by the digest; kept, so that most requests do not read theirs. */
export type PresentedKeys = Kept<BoundedValues<PresentedKey>>;

export function keptKeys(connection: Connection): PresentedKeys {
  return connection.keep(() => new BoundedValues(MAX_KEPT_KEYS));
}

/** About 2 kB each. */
const MAX_KEPT_KEYS = 2_000;

/** The last use has its own column: recording it changes neither the document nor its version. */
export function sqliteKeys(connection: Connection, presented: PresentedKeys): Pick<AccessStore, KeyMethods> {
  const insert = connection.command(
    `INSERT INTO budgetkit_keys
       (version, key_hash, previous_key_hash, created_at, document, business_id, id, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const replace = connection.command(
    `UPDATE budgetkit_keys SET version = ?, key_hash = ?, previous_key_hash = ?, created_at = ?, document = ?
     WHERE business_id = ? AND id = ? AND version = ?`,
  );
  const find = connection.row(`SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE business_id = ? AND id = ?`);
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
  const writeAudit = auditWriter(connection);

  return {
    insertKey: async (
      key,
      record,
      webhookLimit = Number.POSITIVE_INFINITY,
      limit = Number.POSITIVE_INFINITY,
      audit = null,
    ) => {
      const business = idToWrite(key.businessId);
      const values = [...columnValuesOf(key), business, idToWrite(key.id), key.lastUsedAt];
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (Number.isFinite(limit) && asInteger(countAlive(business)) >= limit) return "key-limit";
        if (passesLimit(key, webhookLimit)) return "webhook-limit";
        if (!completeClaim(record)) return "claim-lost";
        insert(...values);
        presented.forget();
        appendAudit();
        return "written";
      });
    },

    findKey: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), idToFind(id)), asKey)),

    findKeyByHash: presentedKeyFinder(connection, presented),

    listKeys: (businessId, limit, offset) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const entries = list(business, limit, offset).map(asKey);
        return { entries, total: asInteger(count(business)), nextCursor: null };
      }),

    replaceKey: async (key, expectedVersion, webhookLimit = Number.POSITIVE_INFINITY, audit = null) => {
      const row = [idToFind(key.businessId), idToFind(key.id), expectedVersion] as const;
      const values = [...columnValuesOf(key), ...row];
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (passesLimit(key, webhookLimit) && isAtVersion(...row) !== undefined) return "webhook-limit";
        if (replace(...values) === 0) return "stale";
        presented.forget();
        appendAudit();
        return "written";
      });
    },

    touchKey: useRecorder(connection, presented),
  };
}

function useRecorder(connection: Connection, presented: PresentedKeys): AccessStore["touchKey"] {
  const touch = connection.command(
    `UPDATE budgetkit_keys SET last_used_at = ?
     WHERE business_id = ? AND id = ? AND coalesce(last_used_at, 0) < ?`,
  );
  return (businessId, id, usedAt) =>
    connection.write(() => {
      touch(usedAt, idToFind(businessId), idToFind(id), usedAt);
      presented.forget();
    });
}

function presentedKeyFinder(connection: Connection, presented: PresentedKeys): AccessStore["findKeyByHash"] {
  const findByHash = connection.row(`${PRESENTED} WHERE keys.key_hash = ?`);
  const findByPreviousHash = connection.row(`${PRESENTED} WHERE keys.previous_key_hash = ?`);
  const find = (hash: string) => orNull(findByHash(hash) ?? findByPreviousHash(hash), asPresentedKey);
  return (hash) => connection.read(() => presented.current().getOrFind(hash, () => find(hash)));
}

/** True when the write of the key would exceed the limit of keys with a webhook. Runs in the transaction of the write. */
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
