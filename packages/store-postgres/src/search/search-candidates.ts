import { asList, MAX_CANDIDATES } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";
import { SEARCHED, type Searched } from "../commit/note-texts.js";
import { textToFind } from "../engine/arguments.js";
import { termsOf } from "./search-terms.js";

/** Finds the records of a business whose text has the text, by id; null = too many. */
export type FindCandidates<Id> = (
  business: number,
  trigrams: readonly string[],
  text: string,
) => Promise<readonly Id[] | null>;

/** Texts that one search compares: those of blocks with all trigrams, and those that the index does not have yet. */
const MAX_COMPARED = 20_000;

/** A block that changes have left with fewer records is dissolved. */
export const SPARSE = 4;

/** Blocks with all trigrams that one search reads. One more would hold too many texts. */
const MAX_BLOCKS = MAX_COMPARED / SPARSE;

/**
 * One statement, since records move from the waiting ones into blocks. It looks up all records in one pass of an index: of
 * a table that PostgreSQL has not analyzed yet, each pass may read the whole index. `asId` reads the id of a record.
 */
export function candidateFinder<Id>(
  connection: Connection,
  searched: Searched,
  asId: (value: unknown) => Id,
): FindCandidates<Id> {
  const indexed = `searched = '${searched}' AND business_id = $1`;
  const sql = `
    WITH blocks AS MATERIALIZED (
      SELECT ARRAY[id] AS ids FROM (
        SELECT unnest(ids) AS id FROM @search_waiting WHERE ${indexed} LIMIT ${MAX_COMPARED + 1}
      ) AS waiting
      UNION ALL SELECT ids FROM @search_blocks WHERE ${indexed} AND terms IS NULL
      UNION ALL (SELECT ids FROM @search_blocks WHERE ${indexed} AND terms @> $2::integer[] LIMIT ${MAX_BLOCKS + 1})
    )
    SELECT to_json(ARRAY(
      SELECT id FROM @${searched}
      WHERE business_id = $1 AND id = ANY (ARRAY(SELECT unnest(ids)::${SEARCHED[searched]} FROM blocks))
        AND strpos(search_text, $3) > 0 LIMIT ${MAX_CANDIDATES + 1}
    )) WHERE (SELECT coalesce(sum(cardinality(ids)), 0) FROM blocks) <= ${MAX_COMPARED}`;
  return async (business, trigrams, text) => {
    const terms = trigrams.flatMap((trigram) => [...termsOf(business, trigram)]);
    const [row] = await connection.planned(sql, [business, `{${terms.join(",")}}`, textToFind(text)]);
    if (row === undefined) return null;
    const found = new Set(asList(row[0]).map(asId));
    return found.size > MAX_CANDIDATES ? null : [...found];
  };
}
