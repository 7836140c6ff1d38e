import type { AccessStore } from "@budgetkit/core/store";
import { asBusiness, asId, BUSINESS_COLUMNS, idToFind, orNull } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";

type BusinessMethods = "reserveBusinessId" | "findBusiness" | "listBusinesses";

export function postgresBusinesses(connection: Connection): Pick<AccessStore, BusinessMethods> {
  const find = connection.lookUp({
    key: { id: "bigint" },
    row: `SELECT ${BUSINESS_COLUMNS} FROM @businesses AS stored WHERE stored.id = key.id`,
  });
  const list = connection.rows(`SELECT ${BUSINESS_COLUMNS} FROM @businesses WHERE id > $1 ORDER BY id LIMIT $2`);
  const drawId = connection.value("SELECT @reserve_business_id()");

  return {
    // An id that is lost with its connection is never used, so that the statement may be repeated.
    reserveBusinessId: async () => asId(await drawId()),

    findBusiness: async (id) => {
      const [row = null] = await find([[idToFind(id)]]);
      return orNull(row, asBusiness);
    },

    listBusinesses: async (after, limit) => (await list(after === null ? 0 : idToFind(after), limit)).map(asBusiness),
  };
}
