import {
  type AccessStore,
  type ApiKey,
  asKey,
  asPresentedKey,
  idToFind,
  idToWrite,
  orNull,
  PRESENTED_KEY_COLUMNS,
} from "@budgetkit/core/store";
import { limitArgument, textToFind } from "../engine/arguments.js";
import { pageAndTotal } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { auditArgument } from "../events/events.js";
import { receiptArgument } from "../events/idempotency.js";
import { ACCESS_COMMITS } from "./access-functions.js";

type KeyMethods = "insertKey" | "findKey" | "findKeyByHash" | "listKeys" | "replaceKey" | "touchKey";

/** The columns that {@link asKey} reads. */
const KEY_COLUMNS = "document, last_used_at";

const PRESENTED = `SELECT ${PRESENTED_KEY_COLUMNS} FROM @keys AS keys
  JOIN @businesses AS businesses ON businesses.id = keys.business_id`;

export function postgresKeys(connection: Connection): Pick<AccessStore, KeyMethods> {
  const commit = connection.commits(ACCESS_COMMITS);
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint" },
    row: `SELECT ${KEY_COLUMNS} FROM @keys WHERE business_id = key.business AND id = key.id`,
  });
  const findByHash = connection.lookUp({
    key: { hash: "text" },
    row: `${PRESENTED} WHERE keys.key_hash = key.hash UNION ALL ${PRESENTED} WHERE keys.previous_key_hash = key.hash`,
  });

  return {
    insertKey: async (key, receipt, webhookLimit, limit, audit = null) =>
      commit("insert_key", idToWrite(key.businessId), {
        key: { ...keyRow(key), id: idToWrite(key.id), last_used_at: key.lastUsedAt },
        webhook_limit: limitArgument(webhookLimit),
        limit: limitArgument(limit),
        receipt: receiptArgument(receipt),
        audit: auditArgument(audit),
      }),

    findKey: async (businessId, id) => orNull((await find([[idToFind(businessId), idToFind(id)]]))[0], asKey),

    findKeyByHash: async (hash) => orNull((await findByHash([[textToFind(hash)]]))[0], asPresentedKey),

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

    replaceKey: async (key, expectedVersion, webhookLimit, audit = null) =>
      commit("replace_key", idToFind(key.businessId), {
        key: keyRow(key),
        expected_version: expectedVersion,
        webhook_limit: limitArgument(webhookLimit),
        audit: auditArgument(audit),
      }),

    touchKey: async (businessId, id, usedAt) => {
      const business = idToFind(businessId);
      await commit("touch_key", business, { business_id: business, id: idToFind(id), last_used_at: usedAt });
    },
  };
}

/** All columns but `last_used_at`, which `touch_key` writes. */
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
