import { type AccessStore, type Business, TIERS } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { asBoolean, asInteger, asOneOf, asText, orNull, type Row } from "./rows.js";

type BusinessMethods = "insertBusiness" | "findBusiness" | "listBusinesses" | "setBusinessTier";

export function postgresBusinesses(connection: Connection): Pick<AccessStore, BusinessMethods> {
  const find = connection.row("SELECT id, name, tier, time_zone, created_at FROM @businesses WHERE id = $1");
  const list = connection.rows(
    "SELECT id, name, tier, time_zone, created_at FROM @businesses WHERE id > $1 ORDER BY id LIMIT $2",
  );

  return {
    insertBusiness: async ({ id, name, tier, timeZone, createdAt }) => {
      const row = { id: idToWrite(id), name, tier, time_zone: timeZone, created_at: createdAt };
      await connection.commit("insert_business", row.id, row);
    },

    findBusiness: async (id) => orNull(await find(idToFind(id)), asBusiness),

    listBusinesses: async (after, limit) => (await list(after === null ? 0 : idToFind(after), limit)).map(asBusiness),

    setBusinessTier: async (id, tier) => {
      const business = idToFind(id);
      return asBoolean(await connection.commit("set_business_tier", business, { id: business, tier }));
    },
  };
}

function asBusiness([id, name, tier, timeZone, createdAt]: Row): Business {
  return {
    id: String(asInteger(id)),
    name: asText(name),
    tier: asOneOf(TIERS, tier),
    timeZone: asText(timeZone),
    createdAt: asInteger(createdAt),
  };
}
