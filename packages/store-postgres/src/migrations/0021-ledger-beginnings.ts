/**
 * Where the chain begins in each ledger that has, or had, entries from before the chain. A ledger without a row begins
 * with its first entry. The service signs the rows; no other way adds one.
 */
export const LEDGER_BEGINNINGS = `
  CREATE TABLE @ledger_beginnings (
    business_id bigint NOT NULL PRIMARY KEY,
    sequence bigint NOT NULL, -- of the first entry with a hash
    missing text NOT NULL, -- runs of sequences before it that no entry had by then: [[first, last], …]
    statement text -- signed; null = not yet
  );

  INSERT INTO @ledger_beginnings (business_id, sequence, missing)
  WITH ledger AS (
    SELECT counter.business_id AS business, coalesce(start.sequence, 0) AS removed, coalesce(
      (SELECT entry.sequence FROM @events AS entry
       WHERE entry.business_id = counter.business_id AND entry.hash IS NOT NULL ORDER BY entry.sequence LIMIT 1),
      counter.last_sequence + 1) AS beginning
    FROM @event_counters AS counter
    LEFT JOIN @ledger_starts AS start ON start.business_id = counter.business_id
    WHERE start.hash IS NULL
  ), present AS (
    SELECT business, removed, entry.sequence FROM ledger JOIN @events AS entry
      ON entry.business_id = business AND entry.sequence > removed AND entry.sequence < beginning
    UNION ALL SELECT business, removed, beginning FROM ledger WHERE beginning > removed + 1
  ), step AS (
    SELECT business, sequence, lag(sequence, 1, removed) OVER (PARTITION BY business ORDER BY sequence) AS former
    FROM present
  ), gaps AS (
    SELECT business, json_agg(json_build_array(former + 1, sequence - 1) ORDER BY sequence)::text AS missing
    FROM step WHERE sequence > former + 1 GROUP BY business
  )
  SELECT ledger.business, ledger.beginning, coalesce(gaps.missing, '[]')
  FROM ledger LEFT JOIN gaps ON gaps.business = ledger.business WHERE ledger.beginning > ledger.removed + 1;
`;
