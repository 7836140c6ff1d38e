import type { Migration } from "../engine/migrations.js";

/**
 * Where the chain begins in each ledger that has, or had, entries from before the chain. A ledger without a row begins
 * with its first entry. The service signs the rows; no other way adds one.
 */
export const LEDGER_BEGINNINGS: Migration = {
  version: 22,
  sql: `
    CREATE TABLE budgetkit_ledger_beginnings (
      business_id INTEGER NOT NULL PRIMARY KEY,
      sequence INTEGER NOT NULL, -- of the first entry with a hash
      missing TEXT NOT NULL, -- runs of sequences before it that no entry had by then: [[first, last], …]
      statement TEXT -- signed; null = not yet
    ) STRICT, WITHOUT ROWID;

    INSERT INTO budgetkit_ledger_beginnings (business_id, sequence, missing)
    WITH ledger AS (
      SELECT counter.business_id AS business, coalesce(start.sequence, 0) AS removed, coalesce(
        (SELECT sequence FROM budgetkit_events AS entry
         WHERE entry.business_id = counter.business_id AND entry.hash IS NOT NULL ORDER BY sequence LIMIT 1),
        counter.last_sequence + 1) AS beginning
      FROM budgetkit_event_counters AS counter
      LEFT JOIN budgetkit_ledger_starts AS start ON start.business_id = counter.business_id
      WHERE start.hash IS NULL
    ), present AS (
      SELECT business, removed, sequence FROM ledger JOIN budgetkit_events AS entry
        ON entry.business_id = business AND entry.sequence > removed AND entry.sequence < beginning
      UNION ALL SELECT business, removed, beginning FROM ledger WHERE beginning > removed + 1
    ), step AS (
      SELECT business, sequence, lag(sequence, 1, removed) OVER (PARTITION BY business ORDER BY sequence) AS former
      FROM present
    ), gaps AS (
      SELECT business, json_group_array(json_array(first, last)) AS missing FROM (
        SELECT business, former + 1 AS first, sequence - 1 AS last FROM step WHERE sequence > former + 1
        ORDER BY business, sequence
      ) GROUP BY business
    )
    SELECT ledger.business, beginning, coalesce(missing, '[]')
    FROM ledger LEFT JOIN gaps ON gaps.business = ledger.business WHERE beginning > removed + 1;
  `,
};
