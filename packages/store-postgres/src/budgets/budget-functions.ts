import type { StorageQuota } from "@budgetkit/core/store";
import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { StoreClock } from "../engine/connection.js";
import { columnAt, columnsAt, lengthOf } from "../engine/text-rows.js";
import type { EventRow, IdempotencyRow, PlanRow } from "../events/event-functions.js";
import { BUDGET_TYPES, INSERTED_TYPES } from "./budget-rows.js";
import type { NumberingArgument } from "./number-functions.js";

const BUDGET_COLUMNS = Object.keys(BUDGET_TYPES).join(", ");

const given = (column: keyof typeof INSERTED_TYPES, first: string) => columnAt(INSERTED_TYPES, column, first);

export const BUDGET_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @change_sum(business bigint, of_status text, of_currency text, count integer, amount bigint)
  RETURNS void LANGUAGE sql AS $$
    INSERT INTO @budget_sums AS stored (business_id, status, currency, budgets, total)
    VALUES (business, of_status, of_currency, count, amount)
    ON CONFLICT (business_id, status, currency)
    DO UPDATE SET budgets = stored.budgets + excluded.budgets, total = stored.total + excluded.total
  $$;

  -- Leaves out budgets that do not fit in the quota, and those whose claim was lost.
  CREATE OR REPLACE FUNCTION @insert_budgets(arguments jsonb, texts text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    firsts integer[];
    business bigint;
    beyond bigint[];
    places bigint[];
    numbers text[] := '{}';
    bytes bigint;
    of_events bigint[];
  BEGIN
    SELECT array_agg(first_text), min(${given("business_id", "first_text")}),
      @budgets_beyond_quota(min(${given("business_id", "first_text")}), array_agg(${given("bytes", "first_text")}),
        array_agg(${given("budget_quota", "first_text")}), array_agg(${given("byte_quota", "first_text")}))
    INTO firsts, business, beyond FROM jsonb_to_recordset(arguments) AS argument (first_text integer);
    places := ARRAY(
      SELECT place FROM jsonb_array_elements(arguments) WITH ORDINALITY AS given (argument, place)
      WHERE CASE
        WHEN place = ANY (beyond) THEN false
        WHEN argument #> '{numbering,keep}' IS NOT NULL AND @is_number_taken(business, argument -> 'numbering') THEN false
        ELSE argument -> 'completes' IS NULL OR @complete_claim(argument -> 'completes')
      END
    );
    IF arguments @? '$[*].numbering' THEN
      SELECT numbered.arguments, numbered.texts, numbered.numbers INTO arguments, texts, numbers
      FROM @number_budgets(arguments, texts, places) AS numbered;
    END IF;
    WITH budget AS MATERIALIZED (
      SELECT ${columnsAt(BUDGET_TYPES, "firsts[place]")} FROM unnest(places) AS place
    ), inserted AS (
      INSERT INTO @budgets (${BUDGET_COLUMNS}) SELECT ${BUDGET_COLUMNS} FROM budget
    ), summed AS (
      INSERT INTO @budget_sums AS stored (business_id, status, currency, budgets, total)
      SELECT business, status, currency, count(*), sum(total_minor) FROM budget GROUP BY status, currency
      ON CONFLICT (business_id, status, currency)
      DO UPDATE SET budgets = stored.budgets + excluded.budgets, total = stored.total + excluded.total
    )
    SELECT coalesce(sum(octet_length(document)), 0) INTO bytes FROM budget;
    of_events := @write_event_rows(business, arguments, places, texts, ${lengthOf(INSERTED_TYPES)});
    PERFORM @count_storage(business, cardinality(places), bytes + of_events[1], 0, of_events[2]);
    IF cardinality(places) = cardinality(firsts) AND cardinality(numbers) = 0 THEN
      RETURN to_jsonb(array_fill('written'::text, ARRAY[cardinality(places)]));
    END IF;
    RETURN (
      SELECT jsonb_agg(
        CASE
          WHEN numbers[place] IS NOT NULL THEN jsonb_build_object('number', numbers[place])
          WHEN place = ANY (beyond) THEN '"quota-exceeded"'
          WHEN place = ANY (places) THEN '"written"'
          WHEN @is_number_taken(business, argument -> 'numbering')
            THEN jsonb_build_object('taken', 'number', 'value', argument #> '{numbering,keep}')
          ELSE '"claim-lost"'
        END
        ORDER BY place
      ) FROM jsonb_array_elements(arguments) WITH ORDINALITY AS given (argument, place)
    );
  END $$;

  CREATE OR REPLACE FUNCTION @replace_budget(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    budget @budgets := jsonb_populate_record(NULL::@budgets, argument -> 'budget');
    stored record;
    freed bigint;
    drawn bigint;
  BEGIN
    SELECT version, revision, status, currency, total_minor, octet_length(document) AS bytes INTO stored
    FROM @budgets WHERE business_id = budget.business_id AND id = budget.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expectedVersion')::bigint THEN RETURN '"stale"'; END IF;
    -- A process whose clock is ahead ends no budget early. Clocks may differ by five seconds.
    IF argument ->> 'clock' = 'database' AND stored.status = 'PENDING' AND budget.status = 'EXPIRED'
      AND budget.valid_until > @database_now() + 5000 THEN RETURN '"stale"';
    END IF;
    freed := CASE WHEN budget.revision > stored.revision THEN 0 ELSE stored.bytes END;
    IF @exceeds_quota(budget.business_id, argument -> 'quota', (argument ->> 'bytes')::bigint - freed) THEN
      RETURN '"quota-exceeded"';
    END IF;
    IF NOT @complete_claim(argument -> 'completes') THEN RETURN '"claim-lost"'; END IF;
    IF argument ? 'numbering' THEN
      drawn := @draw_number(budget.business_id, budget.id, argument -> 'numbering');
      argument := @fill_argument(argument, drawn);
      budget := jsonb_populate_record(NULL::@budgets, argument -> 'budget');
    END IF;
    IF budget.revision > stored.revision THEN
      INSERT INTO @budget_revisions (business_id, budget_id, revision, document)
      SELECT business_id, id, revision, document FROM @budgets
      WHERE business_id = budget.business_id AND id = budget.id;
    END IF;
    UPDATE @budgets SET
      version = budget.version, revision = budget.revision, status = budget.status, customer_id = budget.customer_id,
      currency = budget.currency, total = budget.total, total_minor = budget.total_minor,
      created_at = budget.created_at, valid_until = budget.valid_until,
      public_token_hash = budget.public_token_hash, search_text = budget.search_text, document = budget.document
    WHERE business_id = budget.business_id AND id = budget.id;
    IF (stored.status, stored.currency, stored.total_minor) <> (budget.status, budget.currency, budget.total_minor) THEN
      PERFORM @change_sum(budget.business_id, stored.status, stored.currency, -1, -stored.total_minor);
      PERFORM @change_sum(budget.business_id, budget.status, budget.currency, 1, budget.total_minor);
    END IF;
    PERFORM @count_storage(budget.business_id, 0, octet_length(budget.document) - freed, 0, 0);
    PERFORM @append_events(argument);
    IF drawn IS NOT NULL THEN
      RETURN jsonb_build_object('number', @number_in(argument #> '{numbering,series}', drawn));
    END IF;
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @record_payment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    payment @payments := jsonb_populate_record(NULL::@payments, argument -> 'payment');
    outcome jsonb;
  BEGIN
    PERFORM FROM @payments
    WHERE business_id = payment.business_id AND budget_id = payment.budget_id AND reference = payment.reference;
    IF FOUND THEN RETURN jsonb_build_object('taken', 'reference', 'value', payment.reference); END IF;
    outcome := @replace_budget(argument);
    IF outcome = '"written"' THEN INSERT INTO @payments SELECT payment.*; END IF;
    RETURN outcome;
  END $$;
`;

type BudgetRow = Columns<keyof typeof BUDGET_TYPES>;

/** The argument of `insert_budgets`. The rows of the budget and of its events are sent as texts, in this order. */
export interface Insertion {
  readonly events: readonly (PlanRow | null)[]; // the plan of each
  readonly completes?: IdempotencyRow;
  readonly numbering?: NumberingArgument;
}

/** What commits together with a budget. */
export interface Beside {
  readonly events: readonly EventRow[];
  readonly completes: IdempotencyRow | null;
  readonly bytes: number; // of all documents of the commit, for the quota
  readonly quota: StorageQuota | null; // null = not checked
}

/** The argument of `replace_budget`. */
export interface Replacement extends Beside {
  readonly budget: BudgetRow;
  readonly numbering?: NumberingArgument;
  readonly expectedVersion: number;
  readonly clock: StoreClock;
}

type PaymentColumn =
  | "business_id"
  | "budget_id"
  | "reference"
  | "id"
  | "amount"
  | "currency"
  | "paid_at"
  | "created_at"
  | "created_by";

export const BUDGET_COMMITS = commitFunctions<{
  replace_budget: Replacement;
  record_payment: Replacement & { readonly payment: Columns<PaymentColumn> };
}>()({ replace_budget: asCommitted, record_payment: asCommitted });

export const BUDGET_BULK_COMMITS = commitFunctions<{ insert_budgets: Insertion }>()({ insert_budgets: asCommitted });
