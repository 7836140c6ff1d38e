import {
  asInteger,
  createIdSource,
  ID_RANGE_SIZE,
  type IdStore,
  idToWrite,
  LAST_ID_RANGE,
  StoreUnavailable,
} from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { ALONG_INDEXES } from "./planner-settings.js";

export const ID_FUNCTIONS = `
  -- Reserves ids for a business and returns the first. Processes that need a range for one business at the same time wait
  -- for the row of ids, and share the range of the first.
  CREATE OR REPLACE FUNCTION @reserve_ids(business bigint, how_many bigint) RETURNS bigint
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    first bigint;
    range bigint;
  BEGIN
    FOR attempt IN 1..2 LOOP
      UPDATE @id_ranges SET next = next + how_many WHERE business_id = business AND next + how_many <= range_end
      RETURNING next - how_many INTO first;
      IF FOUND THEN RETURN first; END IF;
      IF attempt = 1 THEN PERFORM FROM @ids WHERE only_row FOR UPDATE; END IF;
    END LOOP;
    UPDATE @ids SET next_range = next_range + 1 WHERE only_row AND next_range <= ${LAST_ID_RANGE}
    RETURNING next_range - 1 INTO range;
    IF NOT FOUND THEN RAISE EXCEPTION 'no range of ids is left: the last one is ${LAST_ID_RANGE}'; END IF;
    first := range * ${ID_RANGE_SIZE} + 1;
    INSERT INTO @id_ranges (business_id, next, range_end)
    VALUES (business, first + how_many, (range + 1) * ${ID_RANGE_SIZE})
    ON CONFLICT (business_id) DO UPDATE SET next = excluded.next, range_end = excluded.range_end;
    RETURN first;
  END $$;
`;

/** A block that is lost with its connection is never handed out, so that a reservation may be repeated. */
export function postgresIds(connection: Connection): IdStore {
  const reserve = connection.value("SELECT @reserve_ids($1, $2)");

  return {
    reserveIds: async (businessId, count) => asInteger(await reserve(idToWrite(businessId), count)),
  };
}

/** How long a host's transaction waits for ids. The host may hold every connection of the pool, so that none is free. */
const TIMEOUT_MS = 5_000;

/**
 * Ids for hosts' transactions: reserved outside of them, so that no transaction waits for the end of another, and in
 * blocks that all share. Rejects with StoreUnavailable when the pool has no free connection within the timeout.
 */
export function idsForHosts(outside: IdStore): IdStore {
  const ids = createIdSource({ reserveIds: (businessId, count) => inTime(outside.reserveIds(businessId, count)) });

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
