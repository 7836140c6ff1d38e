import { USAGE_GRAINS, type UsageRow, type UsageSlice, type UsageStore } from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { asInteger, asText, type Row } from "./rows.js";

/** In the place of a key's id: all keys of the business. No text that a caller may send as an id comes to this. */
const ALL_KEYS = -1;

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
  const find = connection.rows(
    `SELECT at, method, path, requests, errors, refusals, duration_us FROM budgetkit_usage
     WHERE business_id = ? AND key_id = ? AND grain = ? AND at >= ? AND at < ?`,
  );
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

    findUsage: (businessId, keyId, slices) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const key = keyId === null ? ALL_KEYS : idToFind(keyId);
        return slices.flatMap(({ grain, from, until }) =>
          find(business, key, grain, from, until).map((row) => asUsageRow(row, { businessId, keyId, grain })),
        );
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

function asUsageRow(
  [at, method, path, requests, errors, refusals, durationUs]: Row,
  place: Pick<UsageRow, "businessId" | "keyId"> & Pick<UsageSlice, "grain">,
): UsageRow {
  return {
    ...place,
    at: asInteger(at),
    method: asText(method),
    path: asText(path),
    requests: asInteger(requests),
    errors: asInteger(errors),
    refusals: asInteger(refusals),
    durationUs: asInteger(durationUs),
  };
}
