import type { WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

/** Clears what is past of one table, by the names that its documents have for the secret and the end of its grace. */
function clearing(table: string, secret: string, until: string): string {
  return `UPDATE ${table} SET document = json_set(document, '$.${secret}', NULL, '$.${until}', NULL)
    WHERE rowid IN (
      SELECT rowid FROM ${table}
      WHERE document ->> '${until}' IS NOT NULL AND document ->> '${until}' <= ? LIMIT ?
    )`;
}

export function sqliteReplacedSecrets(connection: Connection): Pick<WebhookStore, "clearReplacedSecrets"> {
  const clearings = [
    clearing("budgetkit_keys", "previousSealedWebhookSecret", "previousWebhookSecretUntil"),
    clearing("budgetkit_endpoints", "previousSealedSecret", "previousSecretUntil"),
  ].map((sql) => connection.command(sql));

  return {
    clearReplacedSecrets: (now, limit) =>
      connection.write(() => clearings.reduce((cleared, clear) => cleared + clear(now, limit), 0)),
  };
}
