import { randomUUID } from "node:crypto";
import { type MomentSum, type RouteSum, USAGE_GRAINS, type UsageRow, type UsageStore } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind, idToWrite, type Row } from "@budgetkit/store-kit";
import { decodeBatch, encodeBatch, groupCalls, readAnswer } from "../engine/batch-codec.js";
import type { Connection } from "../engine/connection.js";

/** The key id of the rows for all keys of a business. `idToFind` never returns it. */
const ALL_KEYS = -1;

export function postgresUsage(connection: Connection): UsageStore {
  // A batch of its own: thousands of rows would delay the calls that share a transaction with them, and only the rows of
  // one call are locked in one order. The id of the batch makes it safe to repeat.
  const commitAlone = connection.value("SELECT @commit_batch($1, $2, $3, 0)");
  // Reads each slice along the primary key. A row is the sum of a moment, without route, or of a route, without `at`.
  const sum = connection.rows(
    `SELECT slice.grain, sums.*
     FROM unnest($3::text[], $4::bigint[], $5::bigint[]) AS slice (grain, since, until)
     CROSS JOIN LATERAL (
       SELECT at, path, method, sum(requests)::bigint, sum(errors)::bigint, sum(refusals)::bigint, sum(duration_us)::bigint
       FROM @usage
       WHERE business_id = $1 AND key_id = $2 AND grain = slice.grain AND at >= slice.since AND at < slice.until
       GROUP BY GROUPING SETS ((at), (path, method))
     ) AS sums`,
  );

  return {
    addUsage: async (rows) => {
      const groups = groupCalls([{ call: "add_usage", business: null, argument: JSON.stringify(rows.map(usageRow)) }]);
      readAnswer(decodeBatch(groups, await commitAlone(randomUUID(), ...encodeBatch(groups)))[0]);
    },

    sumUsage: async (businessId, keyId, slices) => {
      const rows = await sum(
        idToFind(businessId),
        keyId === null ? ALL_KEYS : idToFind(keyId),
        slices.map(({ grain }) => grain),
        slices.map(({ from }) => from),
        slices.map(({ until }) => until),
      );
      const isMoment = ([, at]: Row) => at !== null;
      return {
        moments: rows.filter(isMoment).map(asMomentSum),
        routes: rows.filter((row) => !isMoment(row) && row[0] !== "hour-total").map(asRouteSum),
      };
    },

    pruneUsage: async (before, limit) => asInteger(await connection.call("prune_usage", JSON.stringify(before), limit)),
  };
}

function usageRow(row: UsageRow) {
  const { businessId, keyId, grain, at, path, method, requests, errors, refusals, durationUs } = row;
  return {
    business_id: idToWrite(businessId),
    key_id: keyId === null ? ALL_KEYS : idToWrite(keyId),
    grain,
    at,
    path,
    method,
    requests,
    errors,
    refusals,
    duration_us: durationUs,
  };
}

function asMomentSum([grain, at, , , requests, errors, refusals, durationUs]: Row): MomentSum {
  return {
    grain: asOneOf(USAGE_GRAINS, grain),
    at: asInteger(at),
    requests: asInteger(requests),
    errors: asInteger(errors),
    refusals: asInteger(refusals),
    durationUs: asInteger(durationUs),
  };
}

function asRouteSum([, , path, method, requests]: Row): RouteSum {
  return { method: asText(method), path: asText(path), requests: asInteger(requests) };
}
