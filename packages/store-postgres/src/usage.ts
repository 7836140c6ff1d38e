import { randomUUID } from "node:crypto";
import { type MomentSum, type RouteSum, USAGE_GRAINS, type UsageRow, type UsageStore } from "@budgetkit/core/store";
import { answersOf, bundlesOf, resultOf, textOf } from "./bundles.js";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { asInteger, asOneOf, asText, type Row } from "./rows.js";

/** In the place of a key's id: all keys of the business. No text that a caller may send as an id comes to this. */
const ALL_KEYS = -1;

export function postgresUsage(connection: Connection): UsageStore {
  // A batch of its own: thousands of rows would keep waiting whatever shares a transaction with them, and rows are taken
  // in one order within a call only. As with every batch its id makes it safe to send again.
  const commitAlone = connection.value("SELECT @commit($1, $2, 0)");
  // Each slice by itself along the primary key; either `at` or the route is null, as it is summed by the other.
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
      const bundles = bundlesOf([{ call: "add_usage", business: null, argument: JSON.stringify(rows.map(usageRow)) }]);
      resultOf(answersOf(bundles, await commitAlone(randomUUID(), textOf(bundles)))[0]);
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
