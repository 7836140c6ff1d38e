import {
  type AccessStore,
  asBusiness,
  asId,
  BUSINESS_COLUMNS,
  idToFind,
  idToWrite,
  orNull,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { auditArgument } from "../events/events.js";
import { ACCESS_COMMITS } from "./access-functions.js";

type BusinessMethods =
  | "reserveBusinessId"
  | "insertBusiness"
  | "findBusiness"
  | "listBusinesses"
  | "replaceBusiness"
  | "setBusinessTier";

export function postgresBusinesses(connection: Connection): Pick<AccessStore, BusinessMethods> {
  const commit = connection.commits(ACCESS_COMMITS);
  const find = connection.lookUp({
    key: { id: "bigint" },
    row: `SELECT ${BUSINESS_COLUMNS} FROM @businesses AS stored WHERE stored.id = key.id`,
  });
  const list = connection.rows(`SELECT ${BUSINESS_COLUMNS} FROM @businesses WHERE id > $1 ORDER BY id LIMIT $2`);
  const drawId = connection.value("SELECT @reserve_business_id()");

  return {
    // An id that is lost with its connection is never used, so that the statement may be repeated.
    reserveBusinessId: async () => asId(await drawId()),

    insertBusiness: async (business, audit = null) => {
      const { name, tier, timeZone, profile, version, createdAt } = business;
      const id = idToWrite(business.id);
      const settings = { name, tier, time_zone: timeZone, version, profile: JSON.stringify(profile) };
      await commit("insert_business", id, { id, created_at: createdAt, ...settings, audit: auditArgument(audit) });
    },

    findBusiness: async (id) => {
      const [row = null] = await find([[idToFind(id)]]);
      return orNull(row, asBusiness);
    },

    listBusinesses: async (after, limit) => (await list(after === null ? 0 : idToFind(after), limit)).map(asBusiness),

    replaceBusiness: async ({ id, name, timeZone, profile, version }, expectedVersion, audit = null) => {
      const business = idToFind(id);
      return commit("replace_business", business, {
        business: { id: business, name, time_zone: timeZone, version, profile: JSON.stringify(profile) },
        expected_version: expectedVersion,
        audit: auditArgument(audit),
      });
    },

    setBusinessTier: async (id, tier, audit = null) => {
      const business = idToFind(id);
      return commit("set_business_tier", business, { id: business, tier, audit: auditArgument(audit) });
    },
  };
}
