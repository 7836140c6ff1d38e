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
import { auditWriter } from "../events/events.js";
import type { PresentedKeys } from "./keys.js";

type BusinessMethods = "reserveBusinessId" | "insertBusiness" | "findBusiness" | "listBusinesses" | "setBusinessTier";

export function sqliteBusinesses(
  connection: Connection,
  presented: PresentedKeys, // with the tier of their business
): Pick<AccessStore, BusinessMethods> {
  const insert = connection.command(`INSERT INTO budgetkit_businesses (${BUSINESS_COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
  const find = connection.row(`SELECT ${BUSINESS_COLUMNS} FROM budgetkit_businesses WHERE id = ?`);
  const list = connection.rows(`SELECT ${BUSINESS_COLUMNS} FROM budgetkit_businesses WHERE id > ? ORDER BY id LIMIT ?`);
  const setTier = connection.command("UPDATE budgetkit_businesses SET tier = ? WHERE id = ?");
  const drawId = connection.value("UPDATE budgetkit_ids SET next = next + 1 RETURNING next - 1");
  const writeAudit = auditWriter(connection);

  return {
    reserveBusinessId: () => connection.write(() => asId(drawId())),

    insertBusiness: async ({ id, name, tier, timeZone, createdAt }) => {
      const business = idToWrite(id);
      await connection.write(() => insert(business, name, tier, timeZone, createdAt));
    },

    findBusiness: (id) => connection.read(() => orNull(find(idToFind(id)), asBusiness)),

    listBusinesses: (after, limit) =>
      connection.read(() => list(after === null ? 0 : idToFind(after), limit).map(asBusiness)),

    setBusinessTier: async (id, tier, audit = null) => {
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (setTier(tier, idToFind(id)) === 0) return false;
        presented.forget();
        appendAudit();
        return true;
      });
    },
  };
}
