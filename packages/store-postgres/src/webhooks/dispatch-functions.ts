import { IN_INDEX_ORDER } from "../engine/planner-settings.js";

/** What the dispatcher asks about events and deliveries that wait. */
export const DISPATCH_FUNCTIONS = `
  -- The difference between the clock that decides and the clock of the caller, whose time is "now".
  CREATE OR REPLACE FUNCTION @clock_shift(clock text, now bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT CASE clock WHEN 'database'
      THEN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - now ELSE 0 END
  $$;

  -- Events without fan-out, no more of each business than its share, and none of the businesses in "without". A business
  -- with more is added to them before the next page.
  -- STABLE: all statements read one snapshot.
  CREATE OR REPLACE FUNCTION @undispatched_page(how_many integer, per_business integer, without bigint[])
  RETURNS @undispatched_events[]
  LANGUAGE plpgsql STABLE ${IN_INDEX_ORDER} AS $$
  DECLARE
    page @undispatched_events[];
    cut bigint[];
    kept @undispatched_events[] := '{}';
  BEGIN
    LOOP
      page := ARRAY(
        SELECT event FROM @undispatched_events AS event WHERE event.business_id <> ALL (without)
        ORDER BY event.position LIMIT how_many - cardinality(kept)
      );
      cut := ARRAY(SELECT business_id FROM unnest(page) GROUP BY business_id HAVING count(*) > per_business);
      EXIT WHEN cardinality(cut) = 0;
      kept := kept || ARRAY(
        SELECT placed.event FROM (
          SELECT event, row_number() OVER (PARTITION BY event.business_id ORDER BY event.position) AS place
          FROM unnest(page) AS event WHERE event.business_id = ANY (cut)
        ) AS placed
        WHERE placed.place <= per_business
      );
      without := without || cut;
    END LOOP;
    RETURN kept || page;
  END $$;

  CREATE OR REPLACE FUNCTION @count_backlog(now bigint, at_most integer, clock text) RETURNS json
  LANGUAGE plpgsql STABLE ${IN_INDEX_ORDER} AS $$
  DECLARE
    moment bigint := now + @clock_shift(clock, now);
  BEGIN
    RETURN json_build_array(
      (SELECT count(*) FROM (SELECT FROM @undispatched_events LIMIT at_most) AS waiting),
      (SELECT count(*) FROM (
        SELECT FROM @delivery_queue
        WHERE next_attempt_at <= moment AND (lease_until IS NULL OR lease_until <= moment)
        LIMIT at_most
      ) AS due)
    );
  END $$;
`;
