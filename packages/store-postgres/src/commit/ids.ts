import { createIdSource, type IdStore, StoreUnavailable } from "@budgetkit/core/store";
import { asInteger, idToWrite } from "@budgetkit/store-kit";
import type { Lineage } from "../engine/lineage.js";
import type { Connection } from "./connection.js";

/** A block that is lost with its connection is never handed out, so that a reservation may be repeated. */
export function postgresIds(connection: Connection, lineage: Pick<Lineage, "note">): IdStore {
  const reserve = connection.row("SELECT first, present, has_lost FROM @reserve_ids($1, $2, $3)");

  return {
    reserveIds: async (businessId, count, above = 0) => {
      const [first, present, hasLost] = (await reserve(idToWrite(businessId), count, above)) ?? [];
      lineage.note(present, hasLost === true);
      return asInteger(first);
    },
  };
}

/** How long a host's transaction waits for ids. The host may hold every connection of the pool, so that none is free. */
const TIMEOUT_MS = 5_000;

/**
 * Ids for hosts' transactions: reserved outside of them, so that no transaction waits for the end of another, and in
 * blocks that all share. Rejects with StoreUnavailable when the pool has no free connection within the timeout.
 */
export function idsForHosts(outside: IdStore, lineage: Pick<Lineage, "onLostCommits">): IdStore {
  const ids = createIdSource({ reserveIds: (...of) => inTime(outside.reserveIds(...of)) });
  lineage.onLostCommits(ids.dropBlocks);

  return {
    reserveIds: async (businessId, count) => {
      const [first] = await ids.take(businessId, count);
      return Number(first);
    },
  };
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new StoreUnavailable("no connection is left beside those of the open transactions"));
    const timer = setTimeout(giveUp, TIMEOUT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
