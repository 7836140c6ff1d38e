import {
  type AccessStore,
  asBusiness,
  asId,
  BUSINESS_COLUMNS,
  type Business,
  idToFind,
  idToWrite,
  orNull,
} from "@budgetkit/core/store";
import { BoundedValues } from "../engine/bounded-values.js";
import type { Connection } from "../engine/connection.js";
import { auditWriter } from "../events/events.js";
import type { PresentedKeys } from "./keys.js";

/** A profile has up to 20 kB. */
const MAX_KEPT = 500;

type BusinessMethods =
  | "reserveBusinessId"
  | "insertBusiness"
  | "findBusiness"
  | "listBusinesses"
  | "replaceBusiness"
  | "setBusinessTier";

export function sqliteBusinesses(
  connection: Connection,
  presented: PresentedKeys, // with the tier of their business
): Pick<AccessStore, BusinessMethods> {
  const insert = connection.command(
    `INSERT INTO budgetkit_businesses (${BUSINESS_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const find = connection.row(`SELECT ${BUSINESS_COLUMNS} FROM budgetkit_businesses WHERE id = ?`);
  const list = connection.rows(`SELECT ${BUSINESS_COLUMNS} FROM budgetkit_businesses WHERE id > ? ORDER BY id LIMIT ?`);
  const replace = connection.command(
    "UPDATE budgetkit_businesses SET name = ?, time_zone = ?, profile = ?, version = ? WHERE id = ? AND version = ?",
  );
  const setTier = connection.command("UPDATE budgetkit_businesses SET tier = ? WHERE id = ?");
  const drawId = connection.value("UPDATE budgetkit_ids SET next = next + 1 RETURNING next - 1");
  const writeAudit = auditWriter(connection);
  const kept = connection.keep(() => new BoundedValues<Business>(MAX_KEPT)); // a creation reads its business

  return {
    reserveBusinessId: () => connection.write(() => asId(drawId())),

    insertBusiness: async ({ id, name, tier, timeZone, profile, version, createdAt }, audit = null) => {
      const business = idToWrite(id);
      const document = JSON.stringify(profile);
      const appendAudit = writeAudit(audit);
      await connection.write(() => {
        insert(business, name, tier, timeZone, createdAt, version, document);
        appendAudit();
      });
    },

    findBusiness: (id) =>
      connection.read(() => kept.current().getOrFind(id, () => orNull(find(idToFind(id)), asBusiness))),

    listBusinesses: (after, limit) =>
      connection.read(() => list(after === null ? 0 : idToFind(after), limit).map(asBusiness)),

    replaceBusiness: async ({ id, name, timeZone, profile, version }, expectedVersion, audit = null) => {
      const values = [name, timeZone, JSON.stringify(profile), version, idToFind(id), expectedVersion] as const;
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (replace(...values) === 0) return "stale";
        kept.forget();
        appendAudit();
        return "written";
      });
    },

    setBusinessTier: async (id, tier, audit = null) => {
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (setTier(tier, idToFind(id)) === 0) return false;
        presented.forget();
        kept.forget();
        appendAudit();
        return true;
      });
    },
  };
}
