import { asList, MAX_CANDIDATES } from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { termsOf } from "./search-terms.js";

/** The tables with a search, and the type of their ids. */
export const SEARCHED = { budgets: "bigint", customers: "text", products: "text", packages: "text" } as const;

export type Searched = keyof typeof SEARCHED;

/** Finds the records of a business whose text has the text, by id; null = too many. */
export type FindCandidates<Id> = (
  business: number,
  trigrams: readonly string[],
  text: string,
) => Promise<readonly Id[] | null>;

/** Texts that one search compares: those of blocks with all trigrams, and those that the index does not have yet. */
const MAX_COMPARED = 20_000;

/**
 * One statement, since records move from the waiting ones into blocks. The LIMIT within LATERAL makes it look the records
 * up one by one. `asId` reads the id of a record.
 */
export function candidateFinder<Id>(
  connection: Connection,
  searched: Searched,
  asId: (value: unknown) => Id,
): FindCandidates<Id> {
  const idsIn = (table: string, condition: string) =>
    `SELECT unnest(ids) AS id FROM @${table} WHERE searched = '${searched}' AND business_id = $1 AND ${condition}`;
  const sql = `
    WITH compared AS MATERIALIZED (
      SELECT id FROM (
        ${idsIn("search_waiting", "true")}
        UNION ALL ${idsIn("search_blocks", "terms IS NULL")}
        UNION ALL ${idsIn("search_blocks", "terms @> $2::integer[]")}
      ) AS known LIMIT ${MAX_COMPARED + 1}
    )
    SELECT to_json(ARRAY(
      SELECT record.id FROM compared CROSS JOIN LATERAL (
        SELECT id FROM @${searched}
        WHERE business_id = $1 AND id = compared.id::${SEARCHED[searched]} AND strpos(search_text, $3) > 0 LIMIT 1
      ) AS record LIMIT ${MAX_CANDIDATES + 1}
    )) WHERE (SELECT count(*) FROM compared) <= ${MAX_COMPARED}`;
  return async (business, trigrams, text) => {
    const terms = trigrams.flatMap((trigram) => [...termsOf(business, trigram)]);
    const [row] = await connection.planned(sql, [business, `{${terms.join(",")}}`, textToFind(text)]);
    if (row === undefined) return null;
    const found = new Set(asList(row[0]).map(asId));
    return found.size > MAX_CANDIDATES ? null : [...found];
  };
}
