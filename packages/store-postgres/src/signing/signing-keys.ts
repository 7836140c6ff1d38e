import type { SigningKeyStore } from "@budgetkit/core/store";
import { asSigningKey, SIGNING_KEY_COLUMNS } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";

export function postgresSigningKeys(connection: Connection): SigningKeyStore {
  const list = connection.rows(`SELECT ${SIGNING_KEY_COLUMNS} FROM @signing_keys ORDER BY number`);
  const insert = connection.value(
    `INSERT INTO @signing_keys (${SIGNING_KEY_COLUMNS}) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING number`,
  );

  return {
    listSigningKeys: async () => (await list()).map(asSigningKey),

    // Repeated after its answer was lost, it finds its own key and gives false: the caller then reads the keys.
    insertSigningKey: async ({ number, kid, publicKey, sealedPrivateKey, createdAt }) =>
      (await insert(number, kid, publicKey, sealedPrivateKey, createdAt)) !== undefined,
  };
}
