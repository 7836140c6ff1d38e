import type { AccessStore } from "@budgetkit/core/store";
import { asKey, asPresentedKey, idToFind, orNull, PRESENTED_KEY_COLUMNS } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";

type KeyMethods = "findKey" | "findKeyByHash" | "listKeys";

/** The columns that {@link asKey} reads. */
const KEY_COLUMNS = "document, last_used_at";

const PRESENTED = `SELECT ${PRESENTED_KEY_COLUMNS} FROM @keys AS keys
  JOIN @businesses AS businesses ON businesses.id = keys.business_id
  WHERE keys.business_id = key.business AND keys.id = key.id
    AND (keys.key_hash = key.digest OR keys.previous_key_hash = key.digest)`;

export function postgresKeys(connection: Connection): Pick<AccessStore, KeyMethods> {
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint" },
    row: `SELECT ${KEY_COLUMNS} FROM @keys WHERE business_id = key.business AND id = key.id`,
  });
  const findByHash = connection.lookUpDigest("key", { row: PRESENTED });

  return {
    findKey: async (businessId, id) => orNull((await find([[idToFind(businessId), idToFind(id)]]))[0], asKey),

    findKeyByHash: async (hash) => orNull(await findByHash(textToFind(hash)), asPresentedKey),

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
  };
}
