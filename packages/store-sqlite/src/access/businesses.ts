import { type AccessStore, type Business, uncounted } from "@budgetkit/core/store";
import { asBusiness, asId, BUSINESS_COLUMNS, idToFind, idToWrite, orNull } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";

/** Finds a business as part of a read. */
export function businessFinder(connection: Connection): (id: string) => Business | null {
  const find = connection.row(`SELECT ${BUSINESS_COLUMNS} FROM budgetkit_businesses WHERE id = ?`);
  return (id) => orNull(find(idToFind(id)), asBusiness);
}

export function sqliteBusinesses(connection: Connection): Pick<AccessStore, "reserveBusinessId" | "listBusinesses"> {
  const list = connection.rows(`SELECT ${BUSINESS_COLUMNS} FROM budgetkit_businesses WHERE id > ? ORDER BY id LIMIT ?`);
  const drawId = connection.value("UPDATE budgetkit_ids SET next = next + 1 RETURNING next - 1");
  return {
    reserveBusinessId: () => connection.write(() => asId(drawId())),

    listBusinesses: (after, limit) =>
      connection.read(() => list(after === null ? 0 : idToFind(after), limit).map(asBusiness)),
  };
}

export function businessWrites(connection: Connection): Pick<WriteHandlers, "business" | "tier"> {
  const findVersion = connection.value("SELECT version FROM budgetkit_businesses WHERE id = ?");
  const insert = connection.command(
    `INSERT INTO budgetkit_businesses (${BUSINESS_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const replace = connection.command(
    "UPDATE budgetkit_businesses SET name = ?, time_zone = ?, profile = ?, version = ? WHERE id = ?",
  );
  const setTier = connection.command("UPDATE budgetkit_businesses SET tier = ? WHERE id = ?");

  return {
    business: ({ business, expected }) => {
      const { id, name, tier, timeZone, version, createdAt } = business;
      const profile = JSON.stringify(business.profile);
      if (expected === "absent") {
        const row = [idToWrite(id), name, tier, timeZone, createdAt, version, profile] as const;
        return () => uncounted(() => void insert(...row));
      }
      const row = [name, timeZone, profile, version, idToFind(id)] as const;
      return () => (findVersion(idToFind(id)) === expected ? uncounted(() => void replace(...row)) : "stale");
    },

    tier: ({ tier }, businessId) => {
      const business = idToFind(businessId);
      return () => (findVersion(business) === undefined ? "missing" : uncounted(() => void setTier(tier, business)));
    },
  };
}
