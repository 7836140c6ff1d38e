import { type ApiKey, uncounted } from "@budgetkit/core/store";
import { asInteger, idToFind } from "@budgetkit/store-kit";
import { andThen, type ConditionHandlers, type WriteHandlers } from "../commit/handlers.js";
import { versionedRows } from "../commit/versioned-rows.js";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";

/** In the order of {@link valuesOf}. The last use is apart: recording it changes neither the document nor its version. */
const COLUMNS = {
  version: "bigint",
  status: "text",
  expires_at: "bigint",
  webhook_url: "text",
  key_hash: "text",
  previous_key_hash: "text",
  created_at: "bigint",
  previous_webhook_secret_until: "bigint",
  document: "text",
};

const DIGESTS = { kind: "key", columns: ["key_hash", "previous_key_hash"] } as const;

const WITH_WEBHOOK = "status = 'ACTIVE' AND webhook_url IS NOT NULL";

export function keyWrites(statements: Statements): Pick<WriteHandlers, "key" | "key-use"> {
  const keys = versionedRows(statements, "@keys", COLUMNS, DIGESTS);
  const used = versionedRows(statements, "@keys", { ...COLUMNS, last_used_at: "bigint" }, DIGESTS);
  const recordUse = statements.write(
    `UPDATE @keys SET last_used_at = $3
     WHERE business_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)`,
  );

  return {
    key: ({ key, expected }) => {
      const written =
        expected === "absent"
          ? used.prepare(key, [...valuesOf(key), key.lastUsedAt], expected)
          : keys.prepare(key, valuesOf(key), expected);
      return andThen(written, (change, open) =>
        uncounted(() => {
          change.apply();
          open.changeSubscribers(); // it may have become a subscriber, or ended to be one
        }),
      );
    },

    "key-use": ({ keyId, at }) => {
      const id = idToFind(keyId);
      return async (open) => uncounted(() => recordUse(open, id, at));
    },
  };
}

export function keyConditions(statements: Statements): Pick<ConditionHandlers, "keys-below" | "webhook-keys-below"> {
  const countAlive = statements.value(
    "SELECT count(*) FROM @keys WHERE business_id = $1 AND status IN ('ACTIVE', 'SUSPENDED')",
  );
  const hasWebhook = statements.exists(`SELECT FROM @keys WHERE business_id = $1 AND id = $2 AND ${WITH_WEBHOOK}`);
  const countWithWebhook = statements.value(`SELECT count(*) FROM @keys WHERE business_id = $1 AND ${WITH_WEBHOOK}`);

  return {
    "keys-below":
      ({ limit }) =>
      async (open) =>
        asInteger(await countAlive(open)) < limit ? null : "key-limit",

    "webhook-keys-below":
      ({ limit, unless }) =>
      async (open) => {
        const [isOneOfThem, count] = await Promise.all([hasWebhook(open, idToFind(unless)), countWithWebhook(open)]);
        return isOneOfThem || asInteger(count) < limit ? null : "webhook-limit";
      },
  };
}

function valuesOf(key: ApiKey): SqlValue[] {
  return [
    key.version,
    key.status,
    key.expiresAt,
    key.webhookUrl,
    key.keyHash,
    key.previousKeyHash,
    key.createdAt,
    key.previousWebhookSecretUntil,
    JSON.stringify(key),
  ];
}
