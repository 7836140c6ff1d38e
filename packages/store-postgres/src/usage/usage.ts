import { type MomentSum, type RouteSum, USAGE_GRAINS, type UsageRow, type UsageStore } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind, idToWrite, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";
import { Transaction } from "../engine/transaction.js";

/** The key id of the rows for all keys of a business. `idToFind` never returns it. */
const ALL_KEYS = -1;

export function postgresUsage(connection: Connection): UsageStore {
  const add = connection.statements.insertBy(ADD_USAGE, {
    key_id: "bigint",
    grain: "text",
    at: "bigint",
    path: "text",
    method: "text",
    requests: "bigint",
    errors: "bigint",
    refusals: "bigint",
    duration_us: "bigint",
  });
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
    // A transaction of its own: thousands of rows would delay the commits that share it. Rows are locked in the order of
    // their key, so that two never deadlock.
    addUsage: async (rows) => {
      const groups = groupedByBusiness(rows);
      await connection.inTransaction({ businesses: [], timeoutMs: 0, isRequired: true }, async (statements) => {
        for (const [business, ofBusiness] of groups) {
          const transaction = new Transaction(business, statements);
          for (const row of ofBusiness) add(transaction, ...usageValues(row));
          transaction.settle();
        }
      });
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

/** In ascending order of the businesses. */
function groupedByBusiness(rows: readonly UsageRow[]): readonly (readonly [business: number, rows: UsageRow[]])[] {
  const groups = new Map<string, UsageRow[]>();
  for (const row of rows) {
    const group = groups.get(row.businessId) ?? [];
    groups.set(row.businessId, group);
    group.push(row);
  }
  const numbered = [...groups].map(([businessId, ofBusiness]) => [idToWrite(businessId), ofBusiness] as const);
  return numbered.sort(([one], [other]) => one - other);
}

/** The rows of a call may be of the same moment. */
const ADD_USAGE = `INSERT INTO @usage AS stored
    (business_id, key_id, grain, at, path, method, requests, errors, refusals, duration_us)
  SELECT $1, key_id, grain, at, path, method,
    sum(requests)::bigint, sum(errors)::bigint, sum(refusals)::bigint, sum(duration_us)::bigint
  FROM @given GROUP BY key_id, grain, at, path, method ORDER BY key_id, grain, at, path, method
  ON CONFLICT (business_id, key_id, grain, at, path, method) DO UPDATE SET
    requests = stored.requests + excluded.requests,
    errors = stored.errors + excluded.errors,
    refusals = stored.refusals + excluded.refusals,
    duration_us = stored.duration_us + excluded.duration_us`;

function usageValues({ keyId, grain, at, path, method, requests, errors, refusals, durationUs }: UsageRow) {
  const key = keyId === null ? ALL_KEYS : idToWrite(keyId);
  return [key, grain, at, path, method, requests, errors, refusals, durationUs] as const;
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
