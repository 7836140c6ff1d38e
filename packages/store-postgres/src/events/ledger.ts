import type { LedgerStore } from "@budgetkit/core/store";
import { asBeginning, asId, asInteger, asList, asText, idToFind, orNull } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { LEDGER_COMMITS } from "./ledger-functions.js";

export function postgresLedger(connection: Connection): LedgerStore {
  const commit = connection.commits(LEDGER_COMMITS);
  const findBounds = connection.value("SELECT @ledger_bounds($1)");
  const findAged = connection.value("SELECT to_json(@aged_ledgers($1, $2, $3::bigint[]))");

  const findUnsigned = connection.rows(
    "SELECT business_id FROM @ledger_beginnings WHERE statement IS NULL ORDER BY business_id LIMIT $1",
  );
  const sign = connection.value(
    `UPDATE @ledger_beginnings SET statement = $1 WHERE business_id = $2 AND sequence = $3 AND statement IS NOT DISTINCT FROM $4
     RETURNING business_id`,
  );

  return {
    findLedgerBounds: async (businessId) => {
      const [at, link, checkpoint, sequence, hash, waiting, ...beginning] = asList(
        await findBounds(idToFind(businessId)),
      );
      const start =
        typeof checkpoint === "string" ? { sequence: asInteger(at), hash: orNull(link, asText), checkpoint } : null;
      return {
        start,
        beginning: typeof beginning[0] === "number" ? asBeginning(beginning) : null,
        head: { sequence: asInteger(sequence ?? 0), hash: orNull(hash, asText) },
        waiting: orNull(waiting, asInteger),
      };
    },

    findAgedLedgers: async (before, limit, without) =>
      asList(await findAged(before, limit, without.map(idToFind))).map(asId),

    pruneLedger: async (businessId, start, former) => {
      const business = idToFind(businessId);
      return commit("prune_ledger", business, { start: { business_id: business, ...start }, former });
    },

    findUnsignedBeginnings: async (limit) => (await findUnsigned(limit)).map(([id]) => asId(id)),

    // Repeated after its answer was lost, it finds its own statement and gives false.
    signBeginning: async (businessId, sequence, statement, former) =>
      (await sign(statement, idToFind(businessId), sequence, former)) !== undefined,
  };
}
