import {
  namesOfSubscribers,
  SUBSCRIBER_KINDS,
  type Subscribers,
  type SubscriberVersion,
  type WebhookEndpoint,
  type WebhookStore,
} from "@budgetkit/core/store";
import { asDocument, asInteger, asKey, asOneOf, idToFind, KEY_COLUMNS, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/** The index of keys with a webhook is built on exactly these words. */
export const WITH_WEBHOOK = "document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL";

const HAS_SUBSCRIBER = `SELECT
  EXISTS (SELECT 1 FROM budgetkit_endpoints WHERE business_id = given.business AND status = 'ACTIVE')
  OR EXISTS (
    SELECT 1 FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook
    WHERE business_id = given.business AND ${WITH_WEBHOOK}
  )
  FROM (SELECT ? AS business) AS given`;

const SUBSCRIBERS = `SELECT 'endpoint', id, version FROM budgetkit_endpoints WHERE business_id = ? AND status = 'ACTIVE'
  UNION ALL
  SELECT 'key', id, version FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook
  WHERE business_id = ? AND ${WITH_WEBHOOK}`;

/** The subscribers of a business, as part of a transaction. */
export interface CurrentSubscribers {
  areAny(business: number): boolean;
  /** As `namesOfSubscribers` writes them. */
  names(business: number): string;
}

export function currentSubscribers(connection: Connection): CurrentSubscribers {
  const hasSubscriber = connection.value(HAS_SUBSCRIBER);
  const list = connection.rows(SUBSCRIBERS);
  return {
    areAny: (business) => hasSubscriber(business) === 1,
    names: (business) => namesOfSubscribers(list(business, business).map(asSubscriberVersion)),
  };
}

function asSubscriberVersion([kind, id, version]: Row): SubscriberVersion {
  return { kind: asOneOf(SUBSCRIBER_KINDS, kind), id: asInteger(id), version: asInteger(version) };
}

export function sqliteSubscribers(
  connection: Connection,
): Pick<WebhookStore, "clearReplacedSecrets" | "findSubscribers"> {
  const findActive = connection.values(
    "SELECT document FROM budgetkit_endpoints WHERE business_id = ? AND status = 'ACTIVE' ORDER BY id",
  );
  const findKeys = connection.rows(
    `SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE business_id = ? AND ${WITH_WEBHOOK} ORDER BY id`,
  );
  const clearings = [
    clearing("budgetkit_keys", "previousSealedWebhookSecret", "previousWebhookSecretUntil"),
    clearing("budgetkit_endpoints", "previousSealedSecret", "previousSecretUntil"),
  ].map((sql) => connection.command(sql));

  return {
    clearReplacedSecrets: (now, limit) =>
      connection.write(() => clearings.reduce((cleared, clear) => cleared + clear(now, limit), 0)),

    findSubscribers: (businessId) =>
      connection.snapshot((): Subscribers => {
        const business = idToFind(businessId);
        return {
          endpoints: findActive(business).map(asDocument<WebhookEndpoint>),
          keys: findKeys(business).map(asKey),
        };
      }),
  };
}

/** Clears the expired secrets of a table. `secret` and `until` are fields of its documents. */
function clearing(table: string, secret: string, until: string): string {
  return `UPDATE ${table} SET document = json_set(document, '$.${secret}', NULL, '$.${until}', NULL)
    WHERE rowid IN (
      SELECT rowid FROM ${table}
      WHERE document ->> '${until}' IS NOT NULL AND document ->> '${until}' <= ? LIMIT ?
    )`;
}
