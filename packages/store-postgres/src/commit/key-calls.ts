import type { ApiKey } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { ACCESS_COMMITS } from "../access/access-functions.js";
import { limitArgument } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { auditRows } from "../events/events.js";
import { idempotencyRow } from "../events/idempotency.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";

export function keyCalls(connection: Connection) {
  const call = connection.commits(ACCESS_COMMITS);

  return {
    key(parts: CommitParts, { key, expected }: WriteOf<"key">): SendCommit {
      const beside = { webhook_limit: webhookLimit(parts, key), audit: auditRows(parts.take("audit")) };
      if (expected !== "absent") {
        const argument = { key: keyRow(key), expected_version: expected, ...beside };
        return () => call("replace_key", idToFind(key.businessId), argument);
      }
      const business = idToWrite(key.businessId);
      const argument = {
        key: { ...keyRow(key), id: idToWrite(key.id), last_used_at: key.lastUsedAt },
        limit: limitArgument(parts.takeCondition("keys-below")?.limit),
        completes: idempotencyRow(parts.take("completes")),
        ...beside,
      };
      return () => call("insert_key", business, argument);
    },

    use(parts: CommitParts, { keyId, at }: WriteOf<"key-use">): SendCommit {
      const business = idToFind(parts.businessId);
      return () => call("touch_key", business, { business_id: business, id: idToFind(keyId), last_used_at: at });
    },
  };
}

/** Null = no limit. */
function webhookLimit(parts: CommitParts, { id }: ApiKey): number | null {
  const below = parts.takeCondition("webhook-keys-below");
  if (below !== null && below.unless !== id) return parts.refuse("the condition is about another key");
  return limitArgument(below?.limit);
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
