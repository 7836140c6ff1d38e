import { type AccessStore, type ApiKey, type PresentedKey, uncounted } from "@budgetkit/core/store";
import {
  asInteger,
  asKey,
  asPresentedKey,
  idToFind,
  KEY_COLUMNS,
  orNull,
  PRESENTED_KEY_COLUMNS,
} from "@budgetkit/store-kit";
import { andThen, type ConditionHandlers, type WriteHandlers } from "../commit/handlers.js";
import { documentTable } from "../commit/versioned-documents.js";
import type { Connection } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";
import { WITH_WEBHOOK } from "../webhooks/subscribers.js";

/** The index of keys that are not revoked is built on exactly these words. */
const ALIVE = "document ->> 'status' <> 'REVOKED'";

const PRESENTED = `SELECT ${PRESENTED_KEY_COLUMNS} FROM budgetkit_keys AS keys
  JOIN budgetkit_businesses AS businesses ON businesses.id = keys.business_id`;

/** Finds a key, as part of a read, by its digest or by that of the key it replaced. */
export function presentedKeyFinder(connection: Connection): (hash: string) => PresentedKey | null {
  const findByHash = connection.row(`${PRESENTED} WHERE keys.key_hash = ?`);
  const findByPreviousHash = connection.row(`${PRESENTED} WHERE keys.previous_key_hash = ?`);
  return (hash) => orNull(findByHash(hash) ?? findByPreviousHash(hash), asPresentedKey);
}

export function sqliteKeys(connection: Connection): Pick<AccessStore, "findKey" | "listKeys"> {
  const find = connection.row(`SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE business_id = ? AND id = ?`);
  const list = pageReader(connection, { columns: KEY_COLUMNS, from: "budgetkit_keys WHERE business_id = ?" }, asKey);
  return {
    findKey: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), idToFind(id)), asKey)),
    listKeys: (businessId, limit, offset) => list([idToFind(businessId)], limit, offset),
  };
}

/** The last use has its own column: recording it changes neither the document nor its version. */
export function keyWrites(connection: Connection): Pick<WriteHandlers, "key" | "key-use"> {
  const keys = documentTable<ApiKey>(connection, "budgetkit_keys", {
    key_hash: ({ keyHash }) => keyHash,
    previous_key_hash: ({ previousKeyHash }) => previousKeyHash,
  });
  const recordUse = connection.command(
    `UPDATE budgetkit_keys SET last_used_at = ?
     WHERE business_id = ? AND id = ? AND coalesce(last_used_at, 0) < ?`,
  );
  const use = (businessId: string, id: string, at: number): void => {
    recordUse(at, idToFind(businessId), idToFind(id), at);
  };

  return {
    key: ({ key, expected }) => {
      const { businessId, id, lastUsedAt } = key;
      const inspect = keys.prepare(key, expected);
      if (expected !== "absent" || lastUsedAt === null) return inspect;
      return andThen(inspect, (insertion) =>
        uncounted(() => {
          insertion.apply();
          use(businessId, id, lastUsedAt);
        }),
      );
    },

    "key-use":
      ({ keyId, at }, businessId) =>
      () =>
        uncounted(() => use(businessId, keyId, at)),
  };
}

export function keyConditions(connection: Connection): Pick<ConditionHandlers, "keys-below" | "webhook-keys-below"> {
  const countAlive = connection.value(
    `SELECT count(*) FROM budgetkit_keys INDEXED BY budgetkit_keys_alive WHERE business_id = ? AND ${ALIVE}`,
  );
  const hasWebhook = connection.exists(
    `SELECT 1 FROM budgetkit_keys WHERE business_id = ? AND id = ? AND ${WITH_WEBHOOK}`,
  );
  const countWithWebhook = connection.value(
    `SELECT count(*) FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook WHERE business_id = ? AND ${WITH_WEBHOOK}`,
  );

  return {
    "keys-below": ({ limit }, businessId) => (asInteger(countAlive(idToFind(businessId))) < limit ? null : "key-limit"),

    "webhook-keys-below": ({ limit, unless }, businessId) => {
      const business = idToFind(businessId);
      const isOneOfThem = hasWebhook(business, idToFind(unless));
      return isOneOfThem || asInteger(countWithWebhook(business)) < limit ? null : "webhook-limit";
    },
  };
}
