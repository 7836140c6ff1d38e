import { ID_RANGE_SIZE, LAST_ID_RANGE } from "@budgetkit/core/store";
import { ALONG_INDEXES } from "./planner-settings.js";

/**
 * What is left out for each lineage that has begun since: more than could be in commits that were lost, which receivers
 * and clients may have seen.
 */
const SKIPPED_IDS = 10_000_000; // of each business
const SKIPPED_BUSINESSES = 100_000;
const SKIPPED_RANGES = 10_000;

/**
 * A promoted standby may lack reservations that the former primary had committed. So the first reservation on another
 * lineage (see 0022) leaves out more ids than could be lost. No process has to notice, and none needs to have survived.
 */
export const ID_FUNCTIONS = `
  -- How many lineages have begun between two: by the timeline, or one where the name does not show it. A standby that is
  -- promoted as the second may lack what the first one has skipped.
  CREATE OR REPLACE FUNCTION @lineages_between(former text, present text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
      WHEN former = present THEN 0
      WHEN substring(former FROM '.*[.]') = substring(present FROM '.*[.]')
        THEN greatest(1, substring(present FROM '[0-9]+$')::bigint - substring(former FROM '[0-9]+$')::bigint)
      ELSE 1
    END
  $$;

  -- The lineage of the database. The first call on another one skips ids of businesses, and ranges.
  CREATE OR REPLACE FUNCTION @continue_lineage() RETURNS text LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    present text := @lineage();
  BEGIN
    UPDATE @ids SET
      next = next + ${SKIPPED_BUSINESSES} * @lineages_between(lineage, present),
      next_range = next_range + ${SKIPPED_RANGES} * @lineages_between(lineage, present),
      lineage = present
    WHERE only_row AND lineage <> present;
    RETURN present;
  END $$;

  CREATE OR REPLACE FUNCTION @reserve_business_id() RETURNS bigint LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    id bigint;
  BEGIN
    PERFORM @continue_lineage();
    UPDATE @ids SET next = next + 1 WHERE only_row RETURNING next - 1 INTO id;
    RETURN id;
  END $$;

  -- Reserves ids for a business and returns the first, which is higher than "above". "has_lost": "above" was not reserved
  -- on this lineage. Processes that need a range for one business at the same time wait for the row of ids, and share the
  -- range of the first.
  CREATE OR REPLACE FUNCTION @reserve_ids(business bigint, how_many bigint, above bigint,
    OUT first bigint, OUT present text, OUT has_lost boolean) LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    range bigint;
  BEGIN
    present := @continue_lineage();
    has_lost := above > 0 AND NOT EXISTS (
      SELECT FROM @id_ranges WHERE business_id = business AND (next > above OR lineage <> present)
    );
    FOR attempt IN 1..2 LOOP
      UPDATE @id_ranges SET
        next = greatest(next + ${SKIPPED_IDS} * @lineages_between(lineage, present), above + 1) + how_many,
        lineage = present
      WHERE business_id = business
        AND greatest(next + ${SKIPPED_IDS} * @lineages_between(lineage, present), above + 1) + how_many <= range_end
      RETURNING next - how_many INTO first;
      IF FOUND THEN RETURN; END IF;
      IF attempt = 1 THEN PERFORM FROM @ids WHERE only_row FOR UPDATE; END IF;
    END LOOP;
    UPDATE @ids SET next_range = greatest(next_range, above / ${ID_RANGE_SIZE} + 1) + 1
    WHERE only_row AND greatest(next_range, above / ${ID_RANGE_SIZE} + 1) <= ${LAST_ID_RANGE}
    RETURNING next_range - 1 INTO range;
    IF NOT FOUND THEN RAISE EXCEPTION 'no range of ids is left: the last one is ${LAST_ID_RANGE}'; END IF;
    first := range * ${ID_RANGE_SIZE} + 1;
    INSERT INTO @id_ranges (business_id, next, range_end, lineage)
    VALUES (business, first + how_many, (range + 1) * ${ID_RANGE_SIZE}, present)
    ON CONFLICT (business_id) DO UPDATE
    SET next = excluded.next, range_end = excluded.range_end, lineage = excluded.lineage;
  END $$;
`;
