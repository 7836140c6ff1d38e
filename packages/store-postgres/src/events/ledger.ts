import { asId, asInteger, asList, asText, idToFind, type LedgerStore, orNull } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { LEDGER_COMMITS } from "./ledger-functions.js";

export function postgresLedger(connection: Connection): LedgerStore {
  const commit = connection.commits(LEDGER_COMMITS);
  const findBounds = connection.value("SELECT @ledger_bounds($1)");
  const findAged = connection.value("SELECT to_json(@aged_ledgers($1, $2, $3::bigint[]))");

  return {
    findLedgerBounds: async (businessId) => {
      const [at, link, checkpoint, sequence, hash, waiting] = asList(await findBounds(idToFind(businessId)));
      const start =
        typeof checkpoint === "string" ? { sequence: asInteger(at), hash: orNull(link, asText), checkpoint } : null;
      return {
        start,
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
  };
}
