import type { SigningKeyStore } from "@budgetkit/core/store";
import { asSigningKey, SIGNING_KEY_COLUMNS } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

export function sqliteSigningKeys(connection: Connection): SigningKeyStore {
  const list = connection.rows(`SELECT ${SIGNING_KEY_COLUMNS} FROM budgetkit_signing_keys ORDER BY number`);
  const insert = connection.command(
    `INSERT INTO budgetkit_signing_keys (${SIGNING_KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );

  return {
    listSigningKeys: () => connection.read(() => list().map(asSigningKey)),

    insertSigningKey: ({ number, kid, publicKey, sealedPrivateKey, createdAt }) =>
      connection.write(() => insert(number, kid, publicKey, sealedPrivateKey, createdAt) === 1),
  };
}
