import {
  type MomentSum,
  type RouteSum,
  USAGE_GRAINS,
  type UsageGrain,
  type UsageRow,
  type UsageStore,
} from "@budgetkit/core/store";
import { asInteger, asText, idToFind, idToWrite, type Row } from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "../engine/connection.js";

/** The stored id of all keys of a business. No text from a caller has this id. */
const ALL_KEYS = -1;

const WITHIN = "FROM budgetkit_usage WHERE business_id = ? AND key_id = ? AND grain = ? AND at >= ? AND at < ?";

export function sqliteUsage(connection: Connection): UsageStore {
  const add = connection.command(
    `INSERT INTO budgetkit_usage
       (business_id, key_id, grain, at, path, method, requests, errors, refusals, duration_us)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (business_id, key_id, grain, at, path, method) DO UPDATE SET
       requests = requests + excluded.requests,
       errors = errors + excluded.errors,
       refusals = refusals + excluded.refusals,
       duration_us = duration_us + excluded.duration_us`,
  );
  const sumByMoment = connection.rows(
    `SELECT at, sum(requests), sum(errors), sum(refusals), sum(duration_us) ${WITHIN} GROUP BY at`,
  );
  const sumByRoute = connection.rows(`SELECT method, path, sum(requests) ${WITHIN} GROUP BY path, method`);
  const prune = connection.command(
    `DELETE FROM budgetkit_usage WHERE (business_id, key_id, grain, at, path, method) IN (
       SELECT business_id, key_id, grain, at, path, method FROM budgetkit_usage INDEXED BY budgetkit_usage_by_age
       WHERE grain = ? AND at < ? ORDER BY at LIMIT ?
     )`,
  );

  return {
    addUsage: async (rows) => {
      const values = rows.map(columnValuesOf);
      await connection.write(() => {
        for (const each of values) add(...each);
      });
    },

    sumUsage: (businessId, keyId, slices) =>
      connection.snapshot(() => {
        const key = keyId === null ? ALL_KEYS : idToFind(keyId);
        const moments: MomentSum[] = [];
        const routes: RouteSum[] = [];
        for (const { grain, from, until } of slices) {
          const values = [idToFind(businessId), key, grain, from, until] as const;
          for (const row of sumByMoment(...values)) moments.push(asMomentSum(grain, row));
          if (grain !== "hour-total") routes.push(...sumByRoute(...values).map(asRouteSum));
        }
        return { moments, routes };
      }),

    pruneUsage: (before, limit) =>
      connection.write(() => USAGE_GRAINS.reduce((sum, grain) => sum + prune(grain, before[grain], limit), 0)),
  };
}

function columnValuesOf(row: UsageRow): SqlValue[] {
  const { businessId, keyId, grain, at, path, method, requests, errors, refusals, durationUs } = row;
  const key = keyId === null ? ALL_KEYS : idToWrite(keyId);
  return [idToWrite(businessId), key, grain, at, path, method, requests, errors, refusals, durationUs];
}

function asMomentSum(grain: UsageGrain, [at, requests, errors, refusals, durationUs]: Row): MomentSum {
  return {
    grain,
    at: asInteger(at),
    requests: asInteger(requests),
    errors: asInteger(errors),
    refusals: asInteger(refusals),
    durationUs: asInteger(durationUs),
  };
}

function asRouteSum([method, path, requests]: Row): RouteSum {
  return { method: asText(method), path: asText(path), requests: asInteger(requests) };
}
