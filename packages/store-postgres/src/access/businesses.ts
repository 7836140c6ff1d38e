import { type AccessStore, asBusiness, asId, idToFind, idToWrite, orNull } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { auditArgument } from "../events/events.js";
import { ACCESS_COMMITS } from "./access-functions.js";

type BusinessMethods = "reserveBusinessId" | "insertBusiness" | "findBusiness" | "listBusinesses" | "setBusinessTier";

export function postgresBusinesses(connection: Connection): Pick<AccessStore, BusinessMethods> {
  const commit = connection.commits(ACCESS_COMMITS);
  const find = connection.row("SELECT id, name, tier, time_zone, created_at FROM @businesses WHERE id = $1");
  const list = connection.rows(
    "SELECT id, name, tier, time_zone, created_at FROM @businesses WHERE id > $1 ORDER BY id LIMIT $2",
  );
  const drawId = connection.value("UPDATE @ids SET next = next + 1 RETURNING next - 1");

  return {
    // An id that is lost with its connection is never used, so that the statement may be repeated.
    reserveBusinessId: async () => asId(await drawId()),

    insertBusiness: async ({ id, name, tier, timeZone, createdAt }) => {
      const row = { id: idToWrite(id), name, tier, time_zone: timeZone, created_at: createdAt };
      await commit("insert_business", row.id, row);
    },

    findBusiness: async (id) => orNull(await find(idToFind(id)), asBusiness),

    listBusinesses: async (after, limit) => (await list(after === null ? 0 : idToFind(after), limit)).map(asBusiness),

    setBusinessTier: async (id, tier, audit = null) => {
      const business = idToFind(id);
      return commit("set_business_tier", business, { id: business, tier, audit: auditArgument(audit) });
    },
  };
}
