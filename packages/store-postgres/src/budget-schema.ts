/** Budgets, their sums by status and currency, their former revisions and their payments. */
export const BUDGET_TABLES = `
  CREATE TABLE @budgets (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    revision bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    total double precision NOT NULL, -- in major units, as it is filtered and sorted
    total_minor bigint NOT NULL,
    created_at bigint NOT NULL,
    valid_until bigint,
    public_token_hash text COLLATE "C",
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  CREATE INDEX budgets_by_creation ON @budgets (business_id, created_at, id, status);
  CREATE INDEX budgets_by_status ON @budgets (business_id, status, created_at, id);
  CREATE INDEX budgets_by_customer ON @budgets (business_id, customer_id, created_at, id, status);
  CREATE INDEX budgets_by_total ON @budgets (business_id, total, created_at, id, status);
  CREATE INDEX budgets_overdue ON @budgets (valid_until) WHERE status = 'PENDING' AND valid_until IS NOT NULL;
  CREATE INDEX budgets_overdue_of_business ON @budgets (business_id, valid_until)
    WHERE status = 'PENDING' AND valid_until IS NOT NULL;
  CREATE UNIQUE INDEX budgets_by_public_token ON @budgets (public_token_hash) WHERE public_token_hash IS NOT NULL;
  ALTER TABLE @budgets ADD PRIMARY KEY (business_id, id); -- the newest index is taken where several cost the same

  CREATE TABLE @budget_sums (
    business_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    budgets bigint NOT NULL,
    total numeric NOT NULL, -- minor units; sums of many go beyond 64 bits
    PRIMARY KEY (business_id, status, currency)
  ) WITH (fillfactor = 50); -- rewritten by each change: room beside the row keeps the index as it is

  CREATE TABLE @budget_revisions (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    revision bigint NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (business_id, budget_id, revision)
  );

  CREATE TABLE @payments (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    amount bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    paid_at bigint NOT NULL,
    created_at bigint NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    PRIMARY KEY (business_id, budget_id, reference)
  );
  CREATE INDEX payments_by_creation ON @payments (business_id, budget_id, created_at, id);
`;

export const BUDGET_FUNCTIONS = `
  CREATE FUNCTION @change_sum(business bigint, of_status text, of_currency text, count integer, amount bigint)
  RETURNS void LANGUAGE sql AS $$
    INSERT INTO @budget_sums AS stored (business_id, status, currency, budgets, total)
    VALUES (business, of_status, of_currency, count, amount)
    ON CONFLICT (business_id, status, currency)
    DO UPDATE SET budgets = stored.budgets + excluded.budgets, total = stored.total + excluded.total
  $$;

  -- Those whose receipt is lost are left out.
  CREATE FUNCTION @insert_budgets(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    places bigint[] := ARRAY(
      SELECT place FROM jsonb_array_elements(arguments) WITH ORDINALITY AS given (argument, place)
      WHERE @complete_claim(argument -> 'receipt')
    );
  BEGIN
    WITH budget AS MATERIALIZED (
      SELECT budget.* FROM ROWS FROM (jsonb_to_recordset(arguments) AS (budget jsonb)) WITH ORDINALITY AS given (budget, place)
      CROSS JOIN LATERAL jsonb_populate_record(NULL::@budgets, given.budget) AS budget
      WHERE given.place = ANY (places)
    ), inserted AS (
      INSERT INTO @budgets SELECT * FROM budget
    )
    INSERT INTO @budget_sums AS stored (business_id, status, currency, budgets, total)
    SELECT business_id, status, currency, count(*), sum(total_minor) FROM budget GROUP BY business_id, status, currency
    ON CONFLICT (business_id, status, currency)
    DO UPDATE SET budgets = stored.budgets + excluded.budgets, total = stored.total + excluded.total;
    PERFORM @append_events(arguments, places);
    RETURN @told(arguments, places, 'written', 'receipt-lost');
  END $$;

  CREATE FUNCTION @replace_budget(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    budget @budgets := jsonb_populate_record(NULL::@budgets, argument -> 'budget');
    stored record;
  BEGIN
    SELECT version, revision, status, currency, total_minor INTO stored
    FROM @budgets WHERE business_id = budget.business_id AND id = budget.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expectedVersion')::bigint THEN RETURN '"stale"'; END IF;
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
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
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @record_payment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    payment @payments := jsonb_populate_record(NULL::@payments, argument -> 'payment');
    outcome jsonb;
  BEGIN
    PERFORM FROM @payments
    WHERE business_id = payment.business_id AND budget_id = payment.budget_id AND reference = payment.reference;
    IF FOUND THEN RETURN '"taken"'; END IF;
    outcome := @replace_budget(argument);
    IF outcome = '"written"' THEN INSERT INTO @payments SELECT payment.*; END IF;
    RETURN outcome;
  END $$;
`;

export const BUDGET_CALLS = ["replace_budget", "record_payment"];

export const BUDGET_BULK_CALLS = ["insert_budgets"];
