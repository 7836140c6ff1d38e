import { MAX_CANDIDATES } from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";

/** Finds records of a business whose text may have all trigrams, by id; null = too many. */
export type FindCandidates<Id> = (business: number, trigrams: readonly string[]) => Promise<readonly Id[] | null>;

/** `asId` reads the id of a record. */
export function candidateFinder<Id>(
  connection: Connection,
  searched: "budgets" | "customers" | "products" | "packages",
  asId: (value: unknown) => Id,
): FindCandidates<Id> {
  const sql = `SELECT id FROM @${searched}
    WHERE @trigrams_of(business_id, search_text) @> ARRAY(
      SELECT pg_catalog.hashtextextended(trigram COLLATE "C", $1::bigint) FROM unnest($2::text[]) AS trigram
    )
    LIMIT ${MAX_CANDIDATES + 1}`;
  return async (business, trigrams) => {
    const rows = await connection.planned(sql, [business, trigrams.map(textToFind)]);
    return rows.length > MAX_CANDIDATES ? null : rows.map(([id]) => asId(id));
  };
}
