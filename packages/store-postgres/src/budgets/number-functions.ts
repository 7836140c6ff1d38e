import { foldedSeries, type Numbering, type NumberSeries } from "@budgetkit/core/store";
import { columnAt, lengthOf } from "../engine/text-rows.js";
import { EVENT_TYPES } from "../events/event-functions.js";
import { INSERTED_TYPES } from "./budget-rows.js";

const inserted = (column: keyof typeof INSERTED_TYPES) => columnAt(INSERTED_TYPES, column, "given.first");

/** Fills a drawn number in, in the place of the blank. */
const fill = (text: string) => `${text} := replace(${text}, numbering ->> 'blank', numbers[given.place]);`;

/** The caller of each function holds the lock of the business, so that its numbers follow the order of the commits. */
export const NUMBER_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @number_in(series jsonb, value bigint) RETURNS text LANGUAGE sql AS $$
    SELECT (series ->> 'before')
      || lpad(value::text, greatest(length(value::text), (series ->> 'digits')::integer), '0')
      || (series ->> 'after')
  $$;

  -- Whether a budget has the number that is to be kept.
  CREATE OR REPLACE FUNCTION @is_number_taken(business bigint, numbering jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    RETURN EXISTS (SELECT FROM @budget_numbers WHERE business_id = business AND number = numbering ->> 'keep');
  END $$;

  -- Keeps a given number, and moves its series behind it.
  CREATE OR REPLACE FUNCTION @keep_number(business bigint, budget bigint, numbering jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @budget_numbers (business_id, number, budget_id) VALUES (business, numbering ->> 'keep', budget);
    IF numbering ->> 'key' IS NULL THEN RETURN; END IF;
    INSERT INTO @number_series AS stored (business_id, series, next)
    VALUES (business, numbering ->> 'key', (numbering ->> 'value')::bigint + 1)
    ON CONFLICT (business_id, series) DO UPDATE SET next = greatest(stored.next, excluded.next);
  END $$;

  -- Draws the next value of a series whose number no budget has. A rollback returns it, so that the series has no gap.
  CREATE OR REPLACE FUNCTION @draw_number(business bigint, budget bigint, numbering jsonb) RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    drawn bigint;
  BEGIN
    LOOP
      INSERT INTO @number_series AS stored (business_id, series, next) VALUES (business, numbering ->> 'key', 2)
      ON CONFLICT (business_id, series) DO UPDATE SET next = stored.next + 1 RETURNING next - 1 INTO drawn;
      INSERT INTO @budget_numbers (business_id, number, budget_id)
      VALUES (business, @number_in(numbering -> 'series', drawn), budget) ON CONFLICT DO NOTHING;
      IF FOUND THEN RETURN drawn; END IF;
    END LOOP;
  END $$;

  -- Fills a drawn number in wherever the blank stands in the text of an argument, and in the response of its claim. A
  -- number has no character that JSON escapes. A search text has a blank of its own, for the number in lower case.
  CREATE OR REPLACE FUNCTION @fill_argument(argument jsonb, drawn bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    numbering jsonb := argument -> 'numbering';
    number text := @number_in(numbering -> 'series', drawn);
  BEGIN
    UPDATE @claims SET response = replace(response, numbering ->> 'blank', number)
    WHERE business_id = (argument #>> '{completes,business_id}')::bigint AND key = argument #>> '{completes,key}'
      AND claim_id = argument #>> '{completes,claim_id}';
    RETURN replace(
      replace(argument::text, numbering ->> 'blank', number),
      numbering ->> 'searchBlank', @number_in(numbering -> 'folded', drawn)
    )::jsonb;
  END $$;

  -- Numbers the budgets of the arguments at the places. "numbers" has those that were drawn, by place.
  CREATE OR REPLACE FUNCTION @number_budgets(
    INOUT arguments jsonb, INOUT texts text[], places bigint[], OUT numbers text[]
  ) LANGUAGE plpgsql AS $$
  DECLARE
    filled jsonb[] := '{}';
    given record;
    numbering jsonb;
    drawn bigint;
    first_event integer;
  BEGIN
    numbers := '{}';
    FOR given IN
      SELECT value, (value ->> 'first_text')::integer AS first, place
      FROM jsonb_array_elements(arguments) WITH ORDINALITY AS argument (value, place)
    LOOP
      numbering := given.value -> 'numbering';
      IF NOT given.place = ANY (places) OR numbering IS NULL THEN
        filled := filled || given.value;
      ELSIF numbering ? 'keep' THEN
        PERFORM @keep_number(${inserted("business_id")}, ${inserted("id")}, numbering);
        filled := filled || given.value;
      ELSE
        drawn := @draw_number(${inserted("business_id")}, ${inserted("id")}, numbering);
        numbers[given.place] := @number_in(numbering -> 'series', drawn);
        ${inserted("search_text")} := replace(
          ${inserted("search_text")}, numbering ->> 'searchBlank', @number_in(numbering -> 'folded', drawn)
        );
        ${fill(inserted("document"))}
        FOR turn IN 0 .. jsonb_array_length(given.value -> 'events') - 1 LOOP
          first_event := given.first + ${lengthOf(INSERTED_TYPES)} + ${lengthOf(EVENT_TYPES)} * turn;
          ${fill(columnAt(EVENT_TYPES, "document", "first_event"))}
        END LOOP;
        filled := filled || @fill_argument(given.value, drawn);
      END IF;
    END LOOP;
    arguments := to_jsonb(filled);
  END $$;
`;

type SentSeries = Omit<NumberSeries, "key">;

/** How a commit numbers a budget, as the functions take it. */
export type NumberingArgument =
  | { readonly keep: string; readonly key: string | null; readonly value: number | null }
  | {
      readonly key: string;
      readonly blank: string;
      readonly searchBlank: string;
      readonly series: SentSeries;
      readonly folded: SentSeries;
    };

/** The field of an argument; none = the budget is not numbered. */
export function numberingField(numbering: Numbering | null): { readonly numbering?: NumberingArgument } {
  if (numbering === null) return {};
  if (numbering.kind === "keep") {
    const { number: keep, place } = numbering;
    return { numbering: { keep, key: place?.series.key ?? null, value: place?.value ?? null } };
  }
  const { series, blank } = numbering;
  const { key, ...shape } = series;
  return {
    numbering: { key, blank, searchBlank: searchBlankOf(blank), series: shape, folded: foldedSeries(series) },
  };
}

/** A search text with its own blank. */
export function withSearchBlank(searchText: string, numbering: Numbering | null): string {
  return numbering?.kind === "draw"
    ? searchText.replaceAll(numbering.blank, searchBlankOf(numbering.blank))
    : searchText;
}

function searchBlankOf(blank: string): string {
  return `{search ${blank.slice(1)}`;
}
