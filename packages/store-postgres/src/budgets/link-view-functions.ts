import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { EventRow } from "../events/event-functions.js";

/** The lock of the business orders the views of a budget. */
export const LINK_VIEW_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @count_view(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    view @link_views := jsonb_populate_record(NULL::@link_views, argument -> 'view');
    last bigint;
  BEGIN
    SELECT max(last_at) INTO last FROM @link_views
    WHERE business_id = view.business_id AND budget_id = view.budget_id;
    IF (last IS NULL) <> (argument ->> 'isFirst')::boolean THEN RETURN '"stale"'; END IF;
    IF last > (argument ->> 'since')::bigint THEN RETURN '"repeated"'; END IF;
    INSERT INTO @link_views AS stored SELECT view.*
    ON CONFLICT (business_id, budget_id, channel) DO UPDATE SET
      views = stored.views + 1, last_at = excluded.last_at;
    PERFORM @append_events(argument);
    RETURN '"written"';
  END $$;
`;

interface Arguments {
  count_view: {
    view: Columns<"business_id" | "budget_id" | "channel" | "views" | "first_at" | "last_at">;
    since: number; // the budget has no later view
    isFirst: boolean;
    events: readonly EventRow[];
  };
}

export const LINK_VIEW_COMMITS = commitFunctions<Arguments>()({
  count_view: asCommitted,
});
