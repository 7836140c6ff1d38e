import { asOneOf } from "@budgetkit/core/store";
import { type Columns, commitFunctions } from "../engine/commit-calls.js";
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
    IF view.last_at - last < (argument ->> 'gapMs')::bigint THEN RETURN '"repeated"'; END IF;
    INSERT INTO @link_views AS stored SELECT view.*
    ON CONFLICT (business_id, budget_id, channel) DO UPDATE SET
      views = stored.views + 1, last_at = excluded.last_at;
    IF last IS NOT NULL THEN RETURN '"counted"'; END IF;
    PERFORM @append_events(argument);
    RETURN '"first"';
  END $$;
`;

interface Arguments {
  count_view: {
    view: Columns<"business_id" | "budget_id" | "channel" | "views" | "first_at" | "last_at">;
    gapMs: number;
    events: readonly EventRow[];
  };
}

export const LINK_VIEW_COMMITS = commitFunctions<Arguments>()({
  count_view: (answer) => asOneOf(["first", "counted", "repeated"], answer),
});
