
  CREATE TABLE @ids (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    next bigint NOT NULL
  );
  INSERT INTO @ids (next) VALUES (1001);

  -- What batches were answered, for as long as one whose connection was lost may be sent again.
  CREATE TABLE @batches (
    id uuid PRIMARY KEY,
    answers jsonb NOT NULL,
    committed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX batches_by_age ON @batches (committed_at);

  -- Waits for the business until the transaction ends; false when that took longer than the patience, in milliseconds.
  -- Without patience it is taken only when nobody has it.
  CREATE FUNCTION @lock_business(business bigint, patience integer) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    place bigint := hashtextextended('@business:' || business, 0);
    given text := current_setting('lock_timeout');
  BEGIN
    IF pg_try_advisory_xact_lock(place) THEN RETURN true; END IF;
    IF patience <= 0 THEN RETURN false; END IF;
    PERFORM set_config('lock_timeout', patience::text, true);
    PERFORM pg_advisory_xact_lock(place);
    PERFORM set_config('lock_timeout', given, true);
    RETURN true;
  EXCEPTION WHEN lock_not_available THEN
    RETURN false;
  END $$;

  -- One answer for those at the places, another for the rest.
  CREATE FUNCTION @told(arguments jsonb, places bigint[], here text, elsewhere text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_agg(CASE WHEN place = ANY (places) THEN here ELSE elsewhere END ORDER BY place)
    FROM generate_series(1, jsonb_array_length(arguments)) AS place
  $$;

  -- Carries out bundles: of one function and one business each, a list of arguments. All of them are carried out at
  -- once. When that fails they are undone and carried out one by one, so that each fails by itself, but for what speaks
  -- of the moment, which fails them all. What was undone is so before anybody is told.
  -- Plans are kept for long: one that reads a table whole, made while it was small, would stay while it grows.
  CREATE FUNCTION @apply(bundles jsonb, patience integer) RETURNS jsonb
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    business bigint;
    busy bigint[] := '{}';
    bundle jsonb;
    argument jsonb;
    answers jsonb[] := '{}';
    apart jsonb[];
    patient_until timestamptz := clock_timestamp() + make_interval(secs => patience / 1000.0);
  BEGIN
    FOR business IN
      SELECT DISTINCT (value ->> 'business')::bigint AS id FROM jsonb_array_elements(bundles)
      WHERE value ->> 'business' IS NOT NULL ORDER BY id
    LOOP
      IF NOT @lock_business(business, (extract(epoch FROM patient_until - clock_timestamp()) * 1000)::integer) THEN
        busy := busy || business;
      END IF;
    END LOOP;

    BEGIN
      FOR bundle IN SELECT value FROM jsonb_array_elements(bundles) LOOP
        IF (bundle ->> 'business')::bigint = ANY (busy) THEN
          answers := answers || '{"busy": true}'::jsonb;
        ELSE
          answers := answers || jsonb_build_object('values', @perform(bundle ->> 'call', bundle -> 'with'));
        END IF;
      END LOOP;
      RETURN to_jsonb(answers);
    EXCEPTION WHEN OTHERS THEN
      IF SQLSTATE ~ '^(40|53|57|58)' THEN RAISE; END IF;
    END;

    answers := '{}';
    FOR bundle IN SELECT value FROM jsonb_array_elements(bundles) LOOP
      IF (bundle ->> 'business')::bigint = ANY (busy) THEN
        answers := answers || '{"busy": true}'::jsonb;
        CONTINUE;
      END IF;
      apart := '{}';
      FOR argument IN SELECT value FROM jsonb_array_elements(bundle -> 'with') LOOP
        BEGIN
          apart := apart
            || jsonb_build_object('value', @perform(bundle ->> 'call', jsonb_build_array(argument)) -> 0);
        EXCEPTION WHEN OTHERS THEN
          IF SQLSTATE ~ '^(40|53|57|58)' THEN RAISE; END IF;
          apart := apart || jsonb_build_object('error', SQLERRM, 'code', SQLSTATE);
        END;
      END LOOP;
      answers := answers || jsonb_build_object('apart', to_jsonb(apart));
    END LOOP;
    RETURN to_jsonb(answers);
  END $$;

  -- For a host's own transaction: without one, each call would be committed by itself.
  CREATE FUNCTION @apply_within(bundles jsonb, patience integer) RETURNS jsonb
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    IF transaction_timestamp() = statement_timestamp() THEN
      RAISE EXCEPTION 'no transaction is open' USING ERRCODE = 'no_active_sql_transaction';
    END IF;
    RETURN @apply(bundles, patience);
  END $$;

  -- A batch that is sent again waits for the one that is still under way, and is answered as that was.
  CREATE FUNCTION @commit(batch uuid, bundles jsonb, patience integer) RETURNS jsonb
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    given jsonb;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@batch:' || batch, 0));
    SELECT answers INTO given FROM @batches WHERE id = batch;
    IF FOUND THEN RETURN given; END IF;
    given := @apply(bundles, patience);
    INSERT INTO @batches (id, answers) VALUES (batch, given);
    RETURN given;
  END $$;


  CREATE SEQUENCE @event_sequence;

  CREATE TABLE @events (
    business_id bigint NOT NULL,
    sequence bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    occurred_at bigint NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  CREATE INDEX events_by_age ON @events (occurred_at);
  CREATE INDEX events_of_subject ON @events (business_id, subject_id, sequence);
  ALTER TABLE @events ADD PRIMARY KEY (business_id, sequence);

  -- What waits for its fan-out. The events themselves are never rewritten.
  CREATE TABLE @undispatched_events (
    business_id bigint NOT NULL,
    sequence bigint NOT NULL,
    PRIMARY KEY (business_id, sequence)
  );
  CREATE INDEX undispatched_events_in_order ON @undispatched_events (sequence);

  CREATE TABLE @claims (
    business_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    claim_id text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    lease_until bigint NOT NULL,
    expires_at bigint NOT NULL,
    response text -- null until the claim is completed
  );
  CREATE INDEX claims_by_expiry ON @claims (expires_at);
  ALTER TABLE @claims ADD PRIMARY KEY (business_id, key);


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


  CREATE TABLE @businesses (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    tier text COLLATE "C" NOT NULL,
    time_zone text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL
  );

  CREATE TABLE @users (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    email text COLLATE "C" NOT NULL,
    email_key text COLLATE "C" NOT NULL,
    display_name text COLLATE "C" NOT NULL,
    avatar_url text COLLATE "C",
    role text COLLATE "C" NOT NULL,
    email_verified boolean NOT NULL,
    password_hash text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (business_id, id)
  );
  CREATE UNIQUE INDEX users_by_email ON @users (email_key);

  CREATE TABLE @sessions (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    refresh_hash text COLLATE "C" NOT NULL,
    refresh_expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    ended_at bigint -- null = live
  );
  CREATE INDEX sessions_by_end ON @sessions (least(ended_at, refresh_expires_at)); -- least passes over null
  ALTER TABLE @sessions ADD PRIMARY KEY (business_id, id);

  CREATE TABLE @keys (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    expires_at bigint,
    webhook_url text COLLATE "C",
    key_hash text COLLATE "C" NOT NULL,
    previous_key_hash text COLLATE "C",
    created_at bigint NOT NULL,
    last_used_at bigint, -- in the place of the document's, so that a use rewrites neither that nor an index
    previous_webhook_secret_until bigint,
    document text NOT NULL
  ) WITH (fillfactor = 70);
  CREATE UNIQUE INDEX keys_by_hash ON @keys (key_hash);
  CREATE INDEX keys_by_previous_hash ON @keys (previous_key_hash) WHERE previous_key_hash IS NOT NULL;
  CREATE INDEX keys_by_creation ON @keys (business_id, created_at, id);
  CREATE INDEX keys_by_status ON @keys (business_id, status, expires_at);
  CREATE INDEX keys_with_webhook ON @keys (business_id, id) WHERE status = 'ACTIVE' AND webhook_url IS NOT NULL;
  CREATE INDEX keys_with_former_secret ON @keys (previous_webhook_secret_until)
    WHERE previous_webhook_secret_until IS NOT NULL;
  ALTER TABLE @keys ADD PRIMARY KEY (business_id, id);


  -- Numbers renewals of all processes: one that was dropped and comes back does not look as it did before.
  CREATE SEQUENCE @key_cache_renewals;

  CREATE TABLE @key_caches (
    id uuid PRIMARY KEY,
    renewal bigint NOT NULL
  );

  CREATE TABLE @key_changes (
    business_id bigint NOT NULL,
    key_id bigint NOT NULL,
    id uuid NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (business_id, key_id, id)
  );


  CREATE TABLE @held_values (
    business_id bigint NOT NULL,
    field text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (business_id, field, value)
  );
  
  CREATE TABLE @product_summaries (
    business_id bigint NOT NULL,
    product_id text COLLATE "C" NOT NULL,
    variant_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    sku text COLLATE "C",
    unit_price double precision,
    currency text COLLATE "C" NOT NULL,
    deleted_at bigint,
    PRIMARY KEY (business_id, product_id, variant_id)
  );

  
  CREATE TABLE @customers (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the folded name, as it is sorted
    created_at bigint NOT NULL,
    deleted_at bigint,
    held text[] COLLATE "C" NOT NULL, -- its values among those that are unique
    name text COLLATE "C" NOT NULL,
    email text COLLATE "C",
    phone text COLLATE "C",
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  -- The deletion at the end lets lists that leave deleted records out, and counts, stay within the index.
  CREATE INDEX customers_by_creation ON @customers (business_id, created_at, id, deleted_at);
  CREATE INDEX customers_by_name ON @customers (business_id, name_key, id, deleted_at);
  ALTER TABLE @customers ADD PRIMARY KEY (business_id, id);
  

  CREATE TABLE @products (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the folded name, as it is sorted
    created_at bigint NOT NULL,
    deleted_at bigint,
    held text[] COLLATE "C" NOT NULL, -- its values among those that are unique
    
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  -- The deletion at the end lets lists that leave deleted records out, and counts, stay within the index.
  CREATE INDEX products_by_creation ON @products (business_id, created_at, id, deleted_at);
  CREATE INDEX products_by_name ON @products (business_id, name_key, id, deleted_at);
  ALTER TABLE @products ADD PRIMARY KEY (business_id, id);
  

  CREATE TABLE @packages (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the folded name, as it is sorted
    created_at bigint NOT NULL,
    deleted_at bigint,
    held text[] COLLATE "C" NOT NULL, -- its values among those that are unique
    
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  -- The deletion at the end lets lists that leave deleted records out, and counts, stay within the index.
  CREATE INDEX packages_by_creation ON @packages (business_id, created_at, id, deleted_at);
  CREATE INDEX packages_by_name ON @packages (business_id, name_key, id, deleted_at);
  ALTER TABLE @packages ADD PRIMARY KEY (business_id, id);
  


  CREATE TABLE @attachments (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    id bigint NOT NULL,
    created_at bigint NOT NULL,
    document text NOT NULL
  );
  CREATE INDEX attachments_by_id ON @attachments (id);
  ALTER TABLE @attachments ADD PRIMARY KEY (business_id, budget_id, id);


  CREATE TABLE @integrations (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    document text NOT NULL
  );
  CREATE INDEX integrations_by_creation ON @integrations (business_id, created_at, id);
  ALTER TABLE @integrations ADD PRIMARY KEY (business_id, id);


  CREATE TABLE @usage (
    business_id bigint NOT NULL,
    key_id bigint NOT NULL, -- -1 = all keys of the business
    grain text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    path text COLLATE "C" NOT NULL,
    method text COLLATE "C" NOT NULL,
    requests bigint NOT NULL,
    errors bigint NOT NULL,
    refusals bigint NOT NULL,
    duration_us bigint NOT NULL
  ) WITH (fillfactor = 80); -- rows of an hour or a day are added to again and again
  CREATE INDEX usage_by_age ON @usage (grain, at);
  ALTER TABLE @usage ADD PRIMARY KEY (business_id, key_id, grain, at, path, method);


  CREATE UNLOGGED TABLE @rate_subjects (
    subject text COLLATE "C" PRIMARY KEY,
    idle_at bigint NOT NULL,     -- from when it is worth looking whether the subject can be forgotten
    longest_ms bigint NOT NULL,
    asked_at bigint NOT NULL,    -- the latest moment of a decision, refusals included
    admitted bigint NOT NULL,    -- the number of the last admission
    heads bigint[] NOT NULL,     -- a window each: the number of the oldest admission that it counts
    oldest bigint[] NOT NULL,    -- a window each: when that was; null = it counts none
    recent bigint[] NOT NULL     -- the moments of the last admissions, at least of one
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX rate_subjects_by_idleness ON @rate_subjects (idle_at);

  CREATE UNLOGGED TABLE @rate_chunks (
    subject text COLLATE "C",
    first bigint,                -- the number of its first admission
    moments bigint[] NOT NULL,
    PRIMARY KEY (subject, first)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);


  CREATE TABLE @uploads (
    subject text COLLATE "C" NOT NULL,
    hold_id text COLLATE "C" NOT NULL,
    bytes bigint NOT NULL,
    leaves_at bigint NOT NULL
  );
  CREATE INDEX uploads_by_leaving ON @uploads (leaves_at);
  ALTER TABLE @uploads ADD PRIMARY KEY (subject, hold_id);


  CREATE TABLE @endpoints (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    previous_secret_until bigint,
    document text NOT NULL
  );
  CREATE INDEX endpoints_by_creation ON @endpoints (business_id, created_at, id);
  CREATE INDEX endpoints_with_former_secret ON @endpoints (previous_secret_until) WHERE previous_secret_until IS NOT NULL;
  ALTER TABLE @endpoints ADD PRIMARY KEY (business_id, id);

  CREATE TABLE @deliveries (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    subscriber_kind text COLLATE "C" NOT NULL,
    subscriber_id bigint NOT NULL,
    event_id text COLLATE "C",
    event_type text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    attempts integer NOT NULL,
    attempts_in_round integer NOT NULL,
    next_attempt_at bigint,
    deadline_at bigint NOT NULL,
    lease_id text COLLATE "C",
    lease_until bigint,
    response_code integer,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    finished_at bigint GENERATED ALWAYS AS (
      CASE WHEN status IN ('delivered', 'failed', 'cancelled') THEN updated_at END
    ) STORED -- apart from updated_at, which claims change: no index may have that
  ) WITH (fillfactor = 50); -- room for what a claim rewrites, beside each row
  CREATE INDEX deliveries_finished ON @deliveries (finished_at) WHERE finished_at IS NOT NULL;
  -- What a recovery takes: what its receiver never had, tests left out.
  CREATE INDEX deliveries_undelivered ON @deliveries (business_id, subscriber_kind, subscriber_id, created_at, id)
    WHERE status IN ('failed', 'cancelled') AND event_id IS NOT NULL;
  -- Status and type at the end let every count stay within an index.
  CREATE INDEX deliveries_by_creation ON @deliveries (business_id, created_at, id, event_type);
  CREATE INDEX deliveries_by_status ON @deliveries (business_id, status, created_at, id, event_type);
  CREATE INDEX deliveries_of_subscriber
    ON @deliveries (business_id, subscriber_kind, subscriber_id, created_at, id, status, event_type);
  CREATE INDEX deliveries_unfinished
    ON @deliveries (business_id, subscriber_kind, subscriber_id, next_attempt_at, id)
    WHERE status IN ('pending', 'retrying');
  ALTER TABLE @deliveries ADD PRIMARY KEY (business_id, id);

  CREATE TABLE @delivery_bodies (
    business_id bigint NOT NULL,
    delivery_id bigint NOT NULL,
    body text NOT NULL,
    origin text, -- null = nobody has told where the event came from
    PRIMARY KEY (business_id, delivery_id)
  );

  -- When the first delivery of each subscriber falls due: a backlog of one costs a claim for the others nothing.
  CREATE TABLE @delivery_queues (
    business_id bigint NOT NULL,
    subscriber_kind text COLLATE "C" NOT NULL,
    subscriber_id bigint NOT NULL,
    due_at bigint NOT NULL,
    PRIMARY KEY (business_id, subscriber_kind, subscriber_id)
  );
  CREATE INDEX delivery_queues_by_due ON @delivery_queues (due_at);

  -- Subscribers whose queue is to be looked at again. Rows are only ever added, so that nobody waits for anybody.
  CREATE TABLE @queue_changes (
    business_id bigint NOT NULL,
    subscriber_kind text COLLATE "C" NOT NULL,
    subscriber_id bigint NOT NULL
  );

  CREATE TABLE @attempts (
    business_id bigint NOT NULL,
    delivery_id bigint NOT NULL,
    number integer NOT NULL,
    started_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    response_code integer,
    error text,
    response_body text,
    PRIMARY KEY (business_id, delivery_id, number)
  );


  -- The events of the arguments at the places, in the order given. Whoever holds the lock of the business numbers its
  -- events, so that they stand in the order of their commits.
  CREATE FUNCTION @append_events(arguments jsonb, places bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH appended AS (
      INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document)
      SELECT given.business_id, nextval('@event_sequence'), given.id, given.type, given.occurred_at, given.subject_id,
        given.document
      FROM (
        SELECT event.* FROM ROWS FROM (jsonb_to_recordset(arguments) AS (events jsonb)) WITH ORDINALITY AS argument (events, place)
        CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(argument.events) AS (
          business_id bigint, id text, type text, occurred_at bigint, subject_id text, document text
        )) WITH ORDINALITY AS event (business_id, id, type, occurred_at, subject_id, document, turn)
        WHERE argument.place = ANY (places) ORDER BY argument.place, event.turn
      ) AS given
      RETURNING business_id, sequence
    )
    INSERT INTO @undispatched_events (business_id, sequence) SELECT business_id, sequence FROM appended;
  END $$;

  -- An audit entry stands among the events; since it never waits for a fan-out, nobody is sent it.
  CREATE FUNCTION @append_audit(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    entry @events := jsonb_populate_record(NULL::@events, argument);
  BEGIN
    entry.sequence := nextval('@event_sequence');
    INSERT INTO @events SELECT entry.*;
    RETURN 'null';
  END $$;

  -- Completes the claim of a receipt; false when it is no longer held and the effect must not happen.
  CREATE FUNCTION @complete_claim(receipt jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    IF receipt IS NULL OR receipt = 'null' THEN RETURN true; END IF;
    UPDATE @claims SET response = receipt ->> 'response'
    WHERE business_id = (receipt ->> 'business_id')::bigint AND key = receipt ->> 'key'
      AND claim_id = receipt ->> 'claim_id' AND response IS NULL;
    RETURN FOUND;
  END $$;

  CREATE FUNCTION @claim_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    claim @claims := jsonb_populate_record(NULL::@claims, argument -> 'claim');
    standing jsonb;
  BEGIN
    INSERT INTO @claims AS stored SELECT claim.*
    ON CONFLICT (business_id, key) DO UPDATE SET
      claim_id = excluded.claim_id, fingerprint = excluded.fingerprint, lease_until = excluded.lease_until,
      expires_at = excluded.expires_at, response = NULL
    WHERE CASE WHEN stored.response IS NULL THEN stored.lease_until ELSE stored.expires_at END
      <= (argument ->> 'now')::bigint;
    IF FOUND THEN RETURN '{"kind": "claimed"}'; END IF;
    SELECT jsonb_build_object('kind', 'completed', 'fingerprint', fingerprint, 'response', response) INTO standing
    FROM @claims WHERE business_id = claim.business_id AND key = claim.key AND response IS NOT NULL;
    RETURN coalesce(standing, '{"kind": "in-flight"}');
  END $$;

  CREATE FUNCTION @release_claim(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @claims
    WHERE business_id = (argument ->> 'business_id')::bigint AND key = argument ->> 'key'
      AND claim_id = argument ->> 'claim_id' AND response IS NULL;
    RETURN 'null';
  END $$;

  -- Forgets the answers of batches on the way: an hour is longer than anybody asks for them.
  CREATE FUNCTION @prune_claims(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    pruned integer;
  BEGIN
    DELETE FROM @claims WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM @claims WHERE expires_at < now ORDER BY expires_at LIMIT how_many FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS pruned = ROW_COUNT;
    DELETE FROM @batches WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM @batches WHERE committed_at < clock_timestamp() - interval '1 hour'
      ORDER BY committed_at LIMIT 10000 FOR UPDATE SKIP LOCKED
    ));
    RETURN pruned;
  END $$;


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


  CREATE FUNCTION @insert_business(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @businesses SELECT * FROM jsonb_populate_record(NULL::@businesses, argument);
    RETURN 'null';
  END $$;

  CREATE FUNCTION @set_business_tier(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @businesses SET tier = argument ->> 'tier' WHERE id = (argument ->> 'id')::bigint;
    RETURN to_jsonb(FOUND);
  END $$;

  CREATE FUNCTION @insert_user(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @users SELECT * FROM jsonb_populate_record(NULL::@users, argument)
    ON CONFLICT (email_key) DO NOTHING;
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"taken"' END;
  END $$;

  CREATE FUNCTION @replace_password_hash(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @users SET password_hash = argument ->> 'hash'
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint
      AND password_hash = argument ->> 'expected_hash';
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"stale"' END;
  END $$;

  CREATE FUNCTION @reset_password_hash(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    ended integer;
  BEGIN
    UPDATE @users SET password_hash = argument ->> 'hash'
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    IF NOT FOUND THEN RETURN 'null'; END IF;
    UPDATE @sessions SET ended_at = (argument ->> 'now')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND user_id = argument ->> 'user_id' AND ended_at IS NULL;
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN to_jsonb(ended);
  END $$;

  -- The business is locked, as it is for whoever replaces the hash.
  CREATE FUNCTION @insert_session(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    begun @sessions := jsonb_populate_record(NULL::@sessions, argument -> 'session');
  BEGIN
    PERFORM FROM @users
    WHERE business_id = begun.business_id AND id = (argument ->> 'user')::bigint
      AND password_hash = argument ->> 'password_hash';
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    INSERT INTO @sessions SELECT begun.*;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @rotate_refresh(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @sessions SET
      refresh_hash = argument ->> 'new_hash', refresh_expires_at = (argument ->> 'new_expires_at')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = argument ->> 'id'
      AND refresh_hash = argument ->> 'expected_hash' AND ended_at IS NULL
      AND refresh_expires_at > (argument ->> 'now')::bigint;
    RETURN CASE WHEN FOUND THEN '"rotated"' ELSE '"refused"' END;
  END $$;

  CREATE FUNCTION @end_session(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @sessions SET ended_at = (argument ->> 'now')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = argument ->> 'id' AND ended_at IS NULL;
    RETURN to_jsonb(FOUND);
  END $$;

  CREATE FUNCTION @prune_sessions(before bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    pruned integer;
  BEGIN
    DELETE FROM @sessions WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM @sessions WHERE least(ended_at, refresh_expires_at) < before
      ORDER BY least(ended_at, refresh_expires_at) LIMIT how_many FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS pruned = ROW_COUNT;
    RETURN pruned;
  END $$;

  CREATE FUNCTION @has_callbacks(key @keys) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT key.status = 'ACTIVE' AND key.webhook_url IS NOT NULL
  $$;

  -- Whether as many keys of the business have callbacks as may; no limit is null.
  CREATE FUNCTION @is_full_of_callbacks(business bigint, callback_limit bigint) RETURNS boolean LANGUAGE sql AS $$
    SELECT callback_limit IS NOT NULL AND callback_limit <= (
      SELECT count(*) FROM @keys WHERE business_id = business AND status = 'ACTIVE' AND webhook_url IS NOT NULL
    )
  $$;

  CREATE FUNCTION @insert_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    key @keys := jsonb_populate_record(NULL::@keys, argument -> 'key');
    alive bigint;
  BEGIN
    IF argument ->> 'limit' IS NOT NULL THEN
      SELECT count(*) INTO alive FROM @keys WHERE business_id = key.business_id AND status IN ('ACTIVE', 'SUSPENDED');
      IF alive >= (argument ->> 'limit')::bigint THEN RETURN '"too-many"'; END IF;
    END IF;
    IF @has_callbacks(key) AND @is_full_of_callbacks(key.business_id, (argument ->> 'webhook_limit')::bigint) THEN
      RETURN '"full"';
    END IF;
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    INSERT INTO @keys SELECT key.*;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    key @keys := jsonb_populate_record(NULL::@keys, argument -> 'key');
    stored @keys;
  BEGIN
    DELETE FROM @key_changes
    WHERE business_id = key.business_id AND key_id = key.id AND id = (argument ->> 'change')::uuid;
    IF NOT FOUND THEN RETURN '"unfenced"'; END IF;
    SELECT * INTO stored FROM @keys WHERE business_id = key.business_id AND id = key.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expected_version')::bigint THEN RETURN '"stale"'; END IF;
    IF @has_callbacks(key) AND NOT @has_callbacks(stored)
      AND @is_full_of_callbacks(key.business_id, (argument ->> 'webhook_limit')::bigint) THEN
      RETURN '"full"';
    END IF;
    UPDATE @keys SET
      version = key.version, status = key.status, expires_at = key.expires_at, webhook_url = key.webhook_url,
      key_hash = key.key_hash, previous_key_hash = key.previous_key_hash, created_at = key.created_at,
      previous_webhook_secret_until = key.previous_webhook_secret_until, document = key.document
    WHERE business_id = key.business_id AND id = key.id;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @touch_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    used @keys := jsonb_populate_record(NULL::@keys, argument);
  BEGIN
    UPDATE @keys SET last_used_at = used.last_used_at
    WHERE business_id = used.business_id AND id = used.id
      AND (last_used_at IS NULL OR last_used_at < used.last_used_at);
    RETURN 'null';
  END $$;


  -- Gives what is being changed, as of a moment after it was called. Nobody waits for the disk: what a loss of power
  -- undoes had a connection, and whoever loses that forgets its keys.
  CREATE FUNCTION @renew_key_cache(cache uuid) RETURNS json LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO @key_caches (id, renewal) VALUES (cache, nextval('@key_cache_renewals'))
    ON CONFLICT (id) DO UPDATE SET renewal = excluded.renewal;
    RETURN (
      SELECT coalesce(json_agg(json_build_array(business_id::text, key_id::text, id)), '[]')
      FROM @key_changes WHERE business_id > 0
    );
  END $$;

  CREATE FUNCTION @end_key_cache(cache uuid) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    DELETE FROM @key_caches WHERE id = cache;
  END $$;

  -- Takes away what processes left behind that died over a change: those who are still at it begin anew.
  CREATE FUNCTION @begin_key_change(argument jsonb) RETURNS jsonb LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    change @key_changes := jsonb_populate_record(NULL::@key_changes, argument);
  BEGIN
    DELETE FROM @key_changes WHERE (business_id, key_id, id) IN (
      SELECT business_id, key_id, id FROM @key_changes
      WHERE business_id > 0 AND begun_at < clock_timestamp() - interval '1 minute' FOR UPDATE SKIP LOCKED
    );
    INSERT INTO @key_changes (business_id, key_id, id) VALUES (change.business_id, change.key_id, change.id);
    PERFORM pg_notify(argument ->> 'channel', concat_ws(' ', 'changing', change.id, change.business_id, change.key_id));
    RETURN 'null';
  END $$;

  CREATE FUNCTION @key_caches_beside(cache uuid) RETURNS json LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    RETURN (
      SELECT coalesce(json_agg(json_build_array(id, renewal)), '[]')
      FROM @key_caches WHERE id >= '00000000-0000-0000-0000-000000000000' AND id <> cache
    );
  END $$;

  -- Those that have renewed their lease since are alive, and stay.
  CREATE FUNCTION @drop_key_caches(caches jsonb) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    DELETE FROM @key_caches AS stored USING jsonb_array_elements(caches) AS silent
    WHERE stored.id = (silent ->> 0)::uuid AND stored.renewal = (silent ->> 1)::bigint;
  END $$;


  -- The first of the values that are new to a record and that another one holds; null when there is none.
  CREATE FUNCTION @find_taken(business bigint, of_field text, former text[], held text[]) RETURNS jsonb
  LANGUAGE plpgsql AS $$
  DECLARE
    taken text;
  BEGIN
    IF held = former THEN RETURN NULL; END IF;
    SELECT value INTO taken FROM @held_values
    WHERE business_id = business AND field = of_field AND value = ANY (held) AND value <> ALL (former)
    ORDER BY array_position(held, value) LIMIT 1;
    RETURN CASE WHEN taken IS NOT NULL THEN jsonb_build_object('taken', of_field, 'value', taken) END;
  END $$;

  CREATE FUNCTION @hold_values(business bigint, of_field text, former text[], held text[]) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    IF held = former THEN RETURN; END IF;
    DELETE FROM @held_values
    WHERE business_id = business AND field = of_field AND value = ANY (former) AND value <> ALL (held);
    INSERT INTO @held_values (business_id, field, value)
    SELECT business, of_field, fresh FROM unnest(held) AS fresh WHERE fresh <> ALL (former);
  END $$;
  
  -- Those that stay as they are are not written again.
  CREATE FUNCTION @keep_summaries(business bigint, product text, summaries jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @product_summaries
    WHERE business_id = business AND product_id = product
      AND variant_id <> ALL (ARRAY(SELECT value ->> 'variant_id' FROM jsonb_array_elements(summaries)));
    INSERT INTO @product_summaries AS stored
    SELECT * FROM jsonb_populate_recordset(NULL::@product_summaries, summaries)
    ON CONFLICT (business_id, product_id, variant_id) DO UPDATE SET
      name = excluded.name, sku = excluded.sku, unit_price = excluded.unit_price, currency = excluded.currency,
      deleted_at = excluded.deleted_at
    WHERE (stored.name, stored.sku, stored.unit_price, stored.currency, stored.deleted_at)
      IS DISTINCT FROM (excluded.name, excluded.sku, excluded.unit_price, excluded.currency, excluded.deleted_at);
  END $$;

  
  CREATE FUNCTION @insert_customer(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @customers := jsonb_populate_record(NULL::@customers, argument -> 'record');
    taken jsonb;
  BEGIN
    PERFORM FROM @customers WHERE business_id = given.business_id AND id = given.id;
    IF FOUND THEN RETURN jsonb_build_object('taken', 'id', 'value', given.id); END IF;
    taken := @find_taken(given.business_id, 'cuit', '{}', given.held);
    IF taken IS NOT NULL THEN RETURN taken; END IF;
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    INSERT INTO @customers SELECT given.*;
    PERFORM @hold_values(given.business_id, 'cuit', '{}', given.held);
    
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_customer(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @customers := jsonb_populate_record(NULL::@customers, argument -> 'record');
    stored record;
    taken jsonb;
  BEGIN
    SELECT version, held INTO stored FROM @customers WHERE business_id = given.business_id AND id = given.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expectedVersion')::bigint THEN RETURN '"stale"'; END IF;
    taken := @find_taken(given.business_id, 'cuit', stored.held, given.held);
    IF taken IS NOT NULL THEN RETURN taken; END IF;
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    UPDATE @customers SET version = given.version, name_key = given.name_key, created_at = given.created_at, deleted_at = given.deleted_at, held = given.held, search_text = given.search_text, document = given.document, name = given.name, email = given.email, phone = given.phone
    WHERE business_id = given.business_id AND id = given.id;
    PERFORM @hold_values(given.business_id, 'cuit', stored.held, given.held);
    
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;
  

  CREATE FUNCTION @insert_product(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @products := jsonb_populate_record(NULL::@products, argument -> 'record');
    taken jsonb;
  BEGIN
    PERFORM FROM @products WHERE business_id = given.business_id AND id = given.id;
    IF FOUND THEN RETURN jsonb_build_object('taken', 'id', 'value', given.id); END IF;
    taken := @find_taken(given.business_id, 'sku', '{}', given.held);
    IF taken IS NOT NULL THEN RETURN taken; END IF;
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    INSERT INTO @products SELECT given.*;
    PERFORM @hold_values(given.business_id, 'sku', '{}', given.held);
    PERFORM @keep_summaries(given.business_id, given.id, argument -> 'summaries');
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_product(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @products := jsonb_populate_record(NULL::@products, argument -> 'record');
    stored record;
    taken jsonb;
  BEGIN
    SELECT version, held INTO stored FROM @products WHERE business_id = given.business_id AND id = given.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expectedVersion')::bigint THEN RETURN '"stale"'; END IF;
    taken := @find_taken(given.business_id, 'sku', stored.held, given.held);
    IF taken IS NOT NULL THEN RETURN taken; END IF;
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    UPDATE @products SET version = given.version, name_key = given.name_key, created_at = given.created_at, deleted_at = given.deleted_at, held = given.held, search_text = given.search_text, document = given.document
    WHERE business_id = given.business_id AND id = given.id;
    PERFORM @hold_values(given.business_id, 'sku', stored.held, given.held);
    PERFORM @keep_summaries(given.business_id, given.id, argument -> 'summaries');
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;
  

  CREATE FUNCTION @insert_package(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @packages := jsonb_populate_record(NULL::@packages, argument -> 'record');
    
  BEGIN
    PERFORM FROM @packages WHERE business_id = given.business_id AND id = given.id;
    IF FOUND THEN RETURN jsonb_build_object('taken', 'id', 'value', given.id); END IF;
    
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    INSERT INTO @packages SELECT given.*;
    
    
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_package(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @packages := jsonb_populate_record(NULL::@packages, argument -> 'record');
    stored record;
    
  BEGIN
    SELECT version, held INTO stored FROM @packages WHERE business_id = given.business_id AND id = given.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expectedVersion')::bigint THEN RETURN '"stale"'; END IF;
    
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    UPDATE @packages SET version = given.version, name_key = given.name_key, created_at = given.created_at, deleted_at = given.deleted_at, held = given.held, search_text = given.search_text, document = given.document
    WHERE business_id = given.business_id AND id = given.id;
    
    
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;
  


  CREATE FUNCTION @insert_attachment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    attachment @attachments := jsonb_populate_record(NULL::@attachments, argument -> 'attachment');
  BEGIN
    PERFORM FROM @budgets
    WHERE business_id = attachment.business_id AND id = attachment.budget_id
      AND version = (argument ->> 'budgetVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    IF (argument ->> 'maxOfBudget')::bigint <= (
      SELECT count(*) FROM @attachments
      WHERE business_id = attachment.business_id AND budget_id = attachment.budget_id
    ) THEN RETURN '"full"'; END IF;
    INSERT INTO @attachments SELECT attachment.*;
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @remove_attachment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    business bigint := argument ->> 'business_id';
    budget bigint := argument ->> 'budget_id';
    attachment bigint := argument ->> 'id';
  BEGIN
    PERFORM FROM @attachments WHERE business_id = business AND budget_id = budget AND id = attachment;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    PERFORM FROM @budgets
    WHERE business_id = business AND id = budget AND version = (argument ->> 'budgetVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    DELETE FROM @attachments WHERE business_id = business AND budget_id = budget AND id = attachment;
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"removed"';
  END $$;


  CREATE FUNCTION @insert_integration(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    integration @integrations := jsonb_populate_record(NULL::@integrations, argument -> 'integration');
    present bigint;
  BEGIN
    IF argument ->> 'limit' IS NOT NULL THEN
      SELECT count(*) INTO present FROM @integrations WHERE business_id = integration.business_id;
      IF present >= (argument ->> 'limit')::bigint THEN RETURN '"full"'; END IF;
    END IF;
    INSERT INTO @integrations SELECT integration.*;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_integration(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    integration @integrations := jsonb_populate_record(NULL::@integrations, argument -> 'integration');
  BEGIN
    UPDATE @integrations
    SET version = integration.version, created_at = integration.created_at, document = integration.document
    WHERE business_id = integration.business_id AND id = integration.id
      AND version = (argument ->> 'expectedVersion')::bigint;
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"stale"' END;
  END $$;

  CREATE FUNCTION @delete_integration(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @integrations
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    RETURN to_jsonb(FOUND);
  END $$;


  -- Rows are taken in the order of their key, so that two who add to the same ones never wait for each other in a circle.
  CREATE FUNCTION @add_usage(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @usage AS stored
      (business_id, key_id, grain, at, path, method, requests, errors, refusals, duration_us)
    SELECT business_id, key_id, grain, at, path, method,
      sum(requests)::bigint, sum(errors)::bigint, sum(refusals)::bigint, sum(duration_us)::bigint
    FROM jsonb_populate_recordset(NULL::@usage, argument)
    GROUP BY business_id, key_id, grain, at, path, method
    ORDER BY business_id, key_id, grain, at, path, method
    ON CONFLICT (business_id, key_id, grain, at, path, method) DO UPDATE SET
      requests = stored.requests + excluded.requests,
      errors = stored.errors + excluded.errors,
      refusals = stored.refusals + excluded.refusals,
      duration_us = stored.duration_us + excluded.duration_us;
    RETURN 'null';
  END $$;

  CREATE FUNCTION @prune_usage(before jsonb, how_many integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    of_grain text;
    moment bigint;
    pruned integer;
    pruned_in_all integer := 0;
  BEGIN
    FOR of_grain, moment IN SELECT key, value::bigint FROM jsonb_each_text(before) LOOP
      DELETE FROM @usage WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM @usage WHERE grain = of_grain AND at < moment
        ORDER BY at LIMIT how_many FOR UPDATE SKIP LOCKED
      ));
      GET DIAGNOSTICS pruned = ROW_COUNT;
      pruned_in_all := pruned_in_all + pruned;
    END LOOP;
    RETURN pruned_in_all;
  END $$;


  CREATE FUNCTION @rate_lock(asker text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended('@rate:' || asker, 0)
  $$;

  CREATE FUNCTION @database_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  $$;

  -- The first admission after the cutoff of those in chunks, from the one numbered head; no row when there is none.
  CREATE FUNCTION @first_in_chunks(asker text, head bigint, cutoff bigint) RETURNS TABLE (number bigint, moment bigint)
  LANGUAGE sql STABLE AS $$
    SELECT first + width_bucket(cutoff, moments), moments[width_bucket(cutoff, moments) + 1] FROM @rate_chunks
    WHERE subject = asker AND first > head - 128 AND moments[128] > cutoff ORDER BY first LIMIT 1
  $$;

  CREATE FUNCTION @moment_in_chunks(asker text, number bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT moments[number - first + 1] FROM @rate_chunks
    WHERE subject = asker AND first > number - 128 AND first <= number
  $$;

  -- Each of asks holds a moment of its caller's clock, and a limit for each window. Gives for each, one after the other:
  -- which window refused, counted from 1, or 0; and for each window what it counts and when it frees.
  CREATE FUNCTION @admit_subject(asker text, lengths bigint[], asks bigint[], by_database boolean) RETURNS bigint[]
  LANGUAGE plpgsql AS $$
  <<decided>>
  DECLARE
    stored @rate_subjects;
    is_known boolean;
    is_changed boolean := false;
    idle_at bigint;
    asked_at bigint;
    admitted bigint;
    heads bigint[];
    oldest bigint[];
    recent bigint[];
    before bigint; -- how many admissions are older than those in recent
    ask bigint[];
    now bigint;
    ahead bigint; -- by how much the database's clock is ahead of the caller's
    cutoff bigint;
    head bigint;
    leaves bigint; -- the admission with which the window frees
    since bigint;
    used bigint;
    frees_at bigint;
    frees_last bigint;
    refused_by bigint;
    counts bigint[];
    answers bigint[] := '{}';
  BEGIN
    SELECT * INTO stored FROM @rate_subjects WHERE subject = asker;
    is_known := FOUND;
    IF is_known THEN
      idle_at := stored.idle_at;
      asked_at := stored.asked_at;
      admitted := stored.admitted;
      heads := stored.heads;
      oldest := stored.oldest;
      recent := stored.recent;
    END IF;

    FOREACH ask SLICE 1 IN ARRAY asks LOOP
      now := CASE WHEN by_database THEN @database_now() ELSE ask[1] END;
      ahead := now - ask[1];
      IF asked_at - now > lengths[1] THEN -- the clock was ahead then
        DELETE FROM @rate_chunks WHERE subject = asker;
        asked_at := NULL;
      END IF;
      IF asked_at IS NULL THEN
        idle_at := now + lengths[1];
        admitted := 0;
        heads := array_fill(1::bigint, ARRAY[cardinality(lengths)]);
        oldest := array_fill(NULL::bigint, ARRAY[cardinality(lengths)]);
        recent := '{}';
      END IF;
      IF asked_at IS NULL OR now > asked_at THEN
        asked_at := now;
        is_changed := true;
      END IF;
      before := admitted - cardinality(recent);

      refused_by := 0;
      frees_last := NULL;
      counts := '{}';
      FOR i IN 1 .. cardinality(lengths) LOOP
        cutoff := asked_at - lengths[i];
        IF oldest[i] <= cutoff THEN
          head := NULL;
          IF heads[i] <= before THEN
            SELECT number, moment INTO head, since FROM @first_in_chunks(asker, heads[i], cutoff);
          END IF;
          IF head IS NULL THEN
            head := before + width_bucket(cutoff, recent) + 1;
            since := recent[head - before];
          END IF;
          heads[i] := head;
          oldest[i] := since;
        END IF;

        used := admitted - heads[i] + 1;
        since := oldest[i];
        IF used > ask[i + 1] THEN -- the limit was lowered: more than the oldest has to leave
          leaves := admitted - ask[i + 1] + 1;
          since := CASE WHEN leaves > before THEN recent[leaves - before] ELSE @moment_in_chunks(asker, leaves) END;
        END IF;
        frees_at := coalesce(since + lengths[i], asked_at);
        IF used >= ask[i + 1] AND (refused_by = 0 OR frees_at > frees_last) THEN
          refused_by := i;
          frees_last := frees_at;
        END IF;
        counts := counts || used || (frees_at - ahead);
      END LOOP;

      IF refused_by = 0 THEN
        IF cardinality(recent) >= 128 THEN
          IF heads[1] > before + 1 THEN
            recent := recent[heads[1] - before :];
          ELSE
            INSERT INTO @rate_chunks VALUES (asker, before + 1, recent);
            recent := '{}';
          END IF;
          DELETE FROM @rate_chunks WHERE subject = asker AND first <= heads[1] - 128;
        END IF;
        recent := recent || asked_at;
        admitted := admitted + 1;
        is_changed := true;
        FOR i IN 1 .. cardinality(lengths) LOOP
          counts[2 * i - 1] := counts[2 * i - 1] + 1;
          IF oldest[i] IS NULL THEN
            oldest[i] := asked_at;
            counts[2 * i] := asked_at + lengths[i] - ahead;
          END IF;
        END LOOP;
      END IF;
      answers := answers || refused_by || counts;
    END LOOP;

    IF NOT is_known THEN
      INSERT INTO @rate_subjects VALUES (asker, idle_at, lengths[1], asked_at, admitted, heads, oldest, recent);
    ELSIF is_changed THEN
      UPDATE @rate_subjects SET idle_at = decided.idle_at, longest_ms = lengths[1], asked_at = decided.asked_at,
        admitted = decided.admitted, heads = decided.heads, oldest = decided.oldest, recent = decided.recent
      WHERE subject = asker;
    END IF;
    RETURN answers;
  END $$;

  -- What is asked of each of askers, as admit_subject takes and answers it, in one transaction: arrays written as text,
  -- since arrays of arrays have to be of one size.
  CREATE FUNCTION @admit_all(askers text[], lengths text[], asks text[], by_database boolean) RETURNS jsonb
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    answers bigint[] := '{}';
  BEGIN
    PERFORM pg_advisory_xact_lock(place)
    FROM (SELECT DISTINCT @rate_lock(asker) AS place FROM unnest(askers) AS asker ORDER BY place) AS places;
    FOR i IN 1 .. cardinality(askers) LOOP
      answers := answers || @admit_subject(askers[i], lengths[i]::bigint[], asks[i]::bigint[], by_database);
    END LOOP;
    RETURN to_jsonb(answers);
  END $$;

  -- What the longest window of a subject counts. now = null: by the database's clock.
  CREATE FUNCTION @count_admitted(asker text, length_ms bigint, now bigint) RETURNS bigint
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
    SELECT CASE WHEN asked_at - present > length_ms THEN 0 ELSE admitted + 1 - coalesce(
      (SELECT number FROM @first_in_chunks(asker, heads[1], cutoff) WHERE heads[1] <= before),
      before + width_bucket(cutoff, recent) + 1
    ) END
    FROM @rate_subjects,
      (SELECT coalesce(now, @database_now()) AS present) AS clock,
      LATERAL (SELECT greatest(present, asked_at) - length_ms AS cutoff, admitted - cardinality(recent) AS before) AS derived
    WHERE subject = asker
  $$;

  -- Admissions do not move the moment from which their subject may be idle. So one whose moment has come is looked at:
  -- it is forgotten when its longest window counts nothing, and else given a later moment. Those that are being decided
  -- for are left out. Gives how many it has looked at, and forgotten. now = null: by the database's clock.
  CREATE FUNCTION @prune_rates(now bigint, how_many integer) RETURNS jsonb
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    due text;
    idle_from bigint;
    looked_at integer := 0;
    forgotten integer := 0;
  BEGIN
    now := coalesce(now, @database_now());
    FOR due IN SELECT subject FROM @rate_subjects s WHERE s.idle_at <= now ORDER BY s.idle_at LIMIT how_many LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(@rate_lock(due));
      looked_at := looked_at + 1;
      SELECT recent[cardinality(recent)] + longest_ms INTO idle_from FROM @rate_subjects WHERE subject = due;
      IF idle_from > now THEN
        UPDATE @rate_subjects SET idle_at = idle_from WHERE subject = due;
      ELSIF idle_from <= now THEN
        DELETE FROM @rate_chunks WHERE subject = due;
        DELETE FROM @rate_subjects WHERE subject = due;
        forgotten := forgotten + 1;
      END IF;
    END LOOP;
    RETURN jsonb_build_array(looked_at, forgotten);
  END $$;


  -- What changes the uploads of a subject waits for whatever else does.
  CREATE FUNCTION @lock_uploads(of_subject text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('@uploads:' || of_subject, 0))
  $$;

  CREATE FUNCTION @save_upload(of_subject text, hold text, of_bytes bigint, until bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO @uploads (subject, hold_id, bytes, leaves_at) VALUES (of_subject, hold, of_bytes, until)
    ON CONFLICT (subject, hold_id) DO UPDATE SET bytes = excluded.bytes, leaves_at = excluded.leaves_at
  $$;

  CREATE FUNCTION @hold_upload(
    of_subject text, hold text, needed bigint, wanted bigint, window_ms bigint, byte_limit bigint, now bigint,
    OUT held bigint, OUT room bigint, OUT fits_at bigint
  ) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    PERFORM @lock_uploads(of_subject);
    WITH others AS MATERIALIZED ( -- by the subject alone, whatever the index by leaves_at may promise
      SELECT bytes, leaves_at FROM @uploads WHERE subject = of_subject AND hold_id <> hold
    ), counting AS (
      SELECT bytes, leaves_at, coalesce(sum(bytes) OVER leaving_later, 0) AS left_over FROM others
      WHERE leaves_at > now AND leaves_at <= now + window_ms
      WINDOW leaving_later AS (ORDER BY leaves_at DESC RANGE UNBOUNDED PRECEDING EXCLUDE GROUP)
    )
    SELECT byte_limit - coalesce(sum(bytes), 0), min(leaves_at) FILTER (WHERE left_over + needed <= byte_limit)
    INTO room, fits_at FROM counting;

    IF needed <= room THEN
      held := least(wanted, room);
      room := room - held;
      fits_at := now;
      PERFORM @save_upload(of_subject, hold, held, now + window_ms);
    ELSE
      room := greatest(0, room);
      fits_at := coalesce(fits_at, now + window_ms);
    END IF;
  END $$;

  CREATE FUNCTION @settle_upload(of_subject text, hold text, of_bytes bigint, window_ms bigint, now bigint)
  RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    PERFORM @lock_uploads(of_subject);
    IF of_bytes = 0 THEN
      DELETE FROM @uploads WHERE subject = of_subject AND hold_id = hold;
    ELSE
      PERFORM @save_upload(of_subject, hold, of_bytes, now + window_ms);
    END IF;
    DELETE FROM @uploads
    WHERE subject = of_subject AND (leaves_at > now AND leaves_at <= now + window_ms) IS NOT TRUE;
  END $$;

  CREATE FUNCTION @prune_uploads(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    pruned integer;
  BEGIN
    DELETE FROM @uploads WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM @uploads WHERE leaves_at <= now ORDER BY leaves_at LIMIT how_many FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS pruned = ROW_COUNT;
    RETURN pruned;
  END $$;


  CREATE FUNCTION @insert_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    endpoint @endpoints := jsonb_populate_record(NULL::@endpoints, argument -> 'endpoint');
  BEGIN
    IF argument -> 'limit' <> 'null'
      AND (SELECT count(*) FROM @endpoints WHERE business_id = endpoint.business_id) >= (argument ->> 'limit')::bigint
    THEN RETURN '"full"'; END IF;
    INSERT INTO @endpoints SELECT endpoint.*;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    endpoint @endpoints := jsonb_populate_record(NULL::@endpoints, argument -> 'endpoint');
  BEGIN
    UPDATE @endpoints SET
      version = endpoint.version, status = endpoint.status, created_at = endpoint.created_at,
      previous_secret_until = endpoint.previous_secret_until, document = endpoint.document
    WHERE business_id = endpoint.business_id AND id = endpoint.id
      AND version = (argument ->> 'expectedVersion')::bigint;
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"stale"' END;
  END $$;

  CREATE FUNCTION @delete_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    DELETE FROM @endpoints
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    RETURN to_jsonb(FOUND);
  END $$;

  -- A row that somebody is at work on is left for the next time.
  CREATE FUNCTION @clear_replaced_secrets(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  DECLARE
    past record;
    cleared integer := 0;
  BEGIN
    FOR past IN
      SELECT business_id, id FROM @keys WHERE previous_webhook_secret_until <= now
      ORDER BY previous_webhook_secret_until LIMIT how_many FOR NO KEY UPDATE SKIP LOCKED
    LOOP
      UPDATE @keys SET previous_webhook_secret_until = NULL,
        document = (document::jsonb || '{"previousSealedWebhookSecret": null, "previousWebhookSecretUntil": null}')::text
      WHERE business_id = past.business_id AND id = past.id;
      cleared := cleared + 1;
    END LOOP;
    FOR past IN
      SELECT business_id, id FROM @endpoints WHERE previous_secret_until <= now
      ORDER BY previous_secret_until LIMIT how_many FOR NO KEY UPDATE SKIP LOCKED
    LOOP
      UPDATE @endpoints SET previous_secret_until = NULL,
        document = (document::jsonb || '{"previousSealedSecret": null, "previousSecretUntil": null}')::text
      WHERE business_id = past.business_id AND id = past.id;
      cleared := cleared + 1;
    END LOOP;
    RETURN cleared;
  END $$;


  -- Writes down when the first delivery of each of these subscribers falls due. Those under a lease are as many as may be
  -- under way, and matter only where they stand before the first that has none: all behind it fall due later. Nobody else
  -- changes the queues meanwhile. Settings are those of who calls it.
  CREATE FUNCTION @keep_queues(queues @delivery_queues[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    found @delivery_queues[];
  BEGIN
    found := ARRAY(
      SELECT ROW(queue.business_id, queue.subscriber_kind, queue.subscriber_id, least(waiting.due_at, (
        SELECT min(leased.due_at) FROM (
          SELECT greatest(next_attempt_at, lease_until) AS due_at FROM @deliveries AS deliveries
          WHERE deliveries.business_id = queue.business_id AND deliveries.subscriber_kind = queue.subscriber_kind
          AND deliveries.subscriber_id = queue.subscriber_id AND deliveries.status IN ('pending', 'retrying') AND lease_until IS NOT NULL AND next_attempt_at <= coalesce(waiting.due_at, 9007199254740992)
          ORDER BY next_attempt_at, id -- along the index of those alone that are not finished
        ) AS leased
      )))::@delivery_queues
      FROM unnest(queues) AS queue LEFT JOIN LATERAL (
        SELECT next_attempt_at AS due_at FROM @deliveries AS deliveries
        WHERE deliveries.business_id = queue.business_id AND deliveries.subscriber_kind = queue.subscriber_kind
          AND deliveries.subscriber_id = queue.subscriber_id AND deliveries.status IN ('pending', 'retrying') AND lease_until IS NULL AND next_attempt_at IS NOT NULL
        ORDER BY next_attempt_at, id LIMIT 1
      ) AS waiting ON true
    );
    DELETE FROM @delivery_queues WHERE ctid = ANY (ARRAY(
      SELECT stored.at FROM unnest(found) AS queue CROSS JOIN LATERAL (
        SELECT queues.ctid AS at FROM @delivery_queues AS queues
        WHERE queues.business_id = queue.business_id AND queues.subscriber_kind = queue.subscriber_kind
          AND queues.subscriber_id = queue.subscriber_id LIMIT 1
      ) AS stored
      WHERE queue.due_at IS NULL
    ));
    INSERT INTO @delivery_queues AS stored SELECT queue.* FROM unnest(found) AS queue WHERE queue.due_at IS NOT NULL
    ON CONFLICT (business_id, subscriber_kind, subscriber_id) DO UPDATE SET due_at = excluded.due_at
    WHERE stored.due_at <> excluded.due_at;
  END $$;

  -- Makes the queues right, and the caller the only one at them until its transaction ends. What a loss of power undoes
  -- of that is done once more: nobody waits for the disk.
  CREATE FUNCTION @refresh_queues() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    changed @delivery_queues[];
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM pg_advisory_xact_lock(hashtextextended('@delivery_queues', 0));
    WITH taken AS (DELETE FROM @queue_changes RETURNING business_id, subscriber_kind, subscriber_id)
    SELECT array_agg(DISTINCT ROW(business_id, subscriber_kind, subscriber_id, NULL)::@delivery_queues) INTO changed FROM taken;
    IF changed IS NOT NULL THEN PERFORM @keep_queues(changed); END IF;
  END $$;

  CREATE FUNCTION @next_due_at() RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  BEGIN
    PERFORM @refresh_queues();
    RETURN (SELECT due_at FROM @delivery_queues ORDER BY due_at LIMIT 1);
  END $$;


  -- What to add to a moment of the caller's, who takes it to be `now`, for it to be one of the clock that decides.
  CREATE FUNCTION @clock_shift(clock text, now bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT CASE clock WHEN 'database'
      THEN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - now ELSE 0 END
  $$;

  -- What waits for its fan-out, of each business no more than its share. A business that has more is left out where the
  -- list is read on. It changes nothing, and all of its statements see one moment.
  CREATE FUNCTION @find_undispatched(how_many integer, per_business integer) RETURNS json
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  DECLARE
    without bigint[] := '{}';
    page @undispatched_events[];
    cut bigint[];
    kept @undispatched_events[] := '{}';
  BEGIN
    LOOP
      page := ARRAY(
        SELECT event FROM @undispatched_events AS event WHERE event.business_id <> ALL (without)
        ORDER BY event.sequence LIMIT how_many - cardinality(kept)
      );
      cut := ARRAY(SELECT business_id FROM unnest(page) GROUP BY business_id HAVING count(*) > per_business);
      EXIT WHEN cardinality(cut) = 0;
      kept := kept || ARRAY(
        SELECT placed.event FROM (
          SELECT event, row_number() OVER (PARTITION BY event.business_id ORDER BY event.sequence) AS place
          FROM unnest(page) AS event WHERE event.business_id = ANY (cut)
        ) AS placed
        WHERE placed.place <= per_business
      );
      without := without || cut;
    END LOOP;
    RETURN coalesce((
      SELECT json_agg(json_build_array(waiting.sequence, (
        SELECT document FROM @events AS events
        WHERE events.business_id = waiting.business_id AND events.sequence = waiting.sequence
      )) ORDER BY waiting.sequence)
      FROM unnest(kept || page) AS waiting
    ), '[]');
  END $$;

  CREATE FUNCTION @count_backlog(now bigint, at_most integer, clock text) RETURNS json
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  DECLARE
    moment bigint := now + @clock_shift(clock, now);
  BEGIN
    RETURN json_build_array(
      (SELECT count(*) FROM (SELECT FROM @undispatched_events LIMIT at_most) AS waiting),
      (SELECT count(*) FROM (
        SELECT FROM @deliveries
        WHERE status IN ('pending', 'retrying') AND next_attempt_at <= moment AND (lease_until IS NULL OR lease_until <= moment)
        LIMIT at_most
      ) AS due)
    );
  END $$;

  -- Each argument has a clock and deliveries; only those at the places are added.
  CREATE FUNCTION @add_deliveries(arguments jsonb, places bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH added AS MATERIALIZED (
      SELECT given.clock, delivery.*
      FROM ROWS FROM (jsonb_to_recordset(arguments) AS (clock text, deliveries jsonb))
        WITH ORDINALITY AS given (clock, deliveries, place)
      CROSS JOIN LATERAL jsonb_to_recordset(given.deliveries) AS delivery (business_id bigint, id bigint, subscriber_kind text, subscriber_id bigint, event_id text, event_type text, status text, attempts integer, attempts_in_round integer, next_attempt_at bigint, deadline_at bigint, lease_id text, lease_until bigint, response_code integer, created_at bigint, updated_at bigint, body text, origin text)
      WHERE given.place = ANY (places)
    ), stored AS (
      INSERT INTO @deliveries (business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round, next_attempt_at, deadline_at, lease_id, lease_until, response_code, created_at, updated_at) SELECT business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round, next_attempt_at + @clock_shift(clock, updated_at) AS next_attempt_at, deadline_at, lease_id, lease_until + @clock_shift(clock, updated_at) AS lease_until, response_code, created_at, updated_at FROM added
    ), bodies AS (
      INSERT INTO @delivery_bodies (business_id, delivery_id, body, origin) SELECT business_id, id, body, origin FROM added
    )
    INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    SELECT DISTINCT business_id, subscriber_kind, subscriber_id FROM added;
  END $$;

  CREATE FUNCTION @insert_deliveries(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @add_deliveries(arguments, ARRAY(SELECT generate_series(1, jsonb_array_length(arguments))::bigint));
    RETURN (SELECT jsonb_agg(NULL::text) FROM jsonb_array_elements(arguments));
  END $$;

  -- An event that somebody else is about to fan out is taken; should they not come to it, it still waits.
  CREATE FUNCTION @fan_out(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    held tid[];
    places bigint[];
  BEGIN
    SELECT array_agg(locked.at), array_agg(locked.place) INTO held, places FROM (
      SELECT waiting.at, min(waiting.place) AS place FROM (
        SELECT event.at, given.place
        FROM ROWS FROM (jsonb_to_recordset(arguments) AS (business_id bigint, sequence bigint))
          WITH ORDINALITY AS given (business_id, sequence, place)
        CROSS JOIN LATERAL (
          SELECT stored.ctid AS at FROM @undispatched_events AS stored
          WHERE stored.business_id = given.business_id AND stored.sequence = given.sequence
          FOR UPDATE SKIP LOCKED
        ) AS event
      ) AS waiting GROUP BY waiting.at
    ) AS locked;
    IF places IS NOT NULL THEN
      DELETE FROM @undispatched_events WHERE ctid = ANY (held);
      PERFORM @add_deliveries(arguments, places);
    END IF;
    RETURN @told(arguments, places, 'written', 'taken');
  END $$;

  -- Whose business has the fewest calls comes first, those that it is given here included, then who is longest due. The
  -- first round looks for businesses without calls, and ends it if they are as many as the places. If not, all of them are
  -- known, and so are those with calls: the second round reads, of each of these, no more than it can be given once each
  -- without calls has one. Of so many deliveries none belongs to a subscriber beyond the first so many queues: those are
  -- read, a share of each, and nothing of anybody's backlog. The rooms say what is left of a share after what is under way.
  CREATE FUNCTION @claim_due(claim jsonb) RETURNS json LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  DECLARE
    shift bigint := @clock_shift(claim ->> 'clock', (claim ->> 'now')::bigint);
    moment bigint := (claim ->> 'now')::bigint + shift;
    how_many integer := (claim ->> 'limit')::integer;
    per_business integer := (claim ->> 'perBusiness')::integer;
    per_subscriber integer := (claim ->> 'perSubscriber')::integer;
    rooms_of_businesses jsonb := claim -> 'roomsOfBusinesses';
    rooms_of_subscribers jsonb := claim -> 'roomsOfSubscribers';
    busy bigint[] := ARRAY(SELECT jsonb_object_keys(rooms_of_businesses)::bigint);
    without bigint[] := busy;
    share bigint := 1;
    wanted bigint := how_many;
    page @delivery_queues[];
    cut bigint[];
    chosen @delivery_queues[];
    due tid[];
    leased json;
    durability text := current_setting('synchronous_commit');
  BEGIN
    PERFORM @refresh_queues();
    FOR round IN 1..2 LOOP
      chosen := '{}';
      LOOP
        page := ARRAY(
          SELECT stored FROM @delivery_queues AS stored
          WHERE stored.due_at <= moment AND stored.business_id <> ALL (without) AND coalesce((rooms_of_subscribers ->> concat_ws(' ', stored.business_id, stored.subscriber_kind, stored.subscriber_id))::integer, per_subscriber) > 0
          ORDER BY stored.due_at LIMIT wanted - cardinality(chosen)
        );
        cut := ARRAY(
          SELECT business_id FROM unnest(page) GROUP BY business_id
          HAVING count(*) > least(share, coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business))
        );
        EXIT WHEN cardinality(cut) = 0;
        chosen := chosen || ARRAY(
          SELECT placed.stored FROM (
            SELECT stored, row_number() OVER (PARTITION BY stored.business_id ORDER BY stored.due_at) AS place
            FROM unnest(page) AS stored WHERE stored.business_id = ANY (cut)
          ) AS placed
          WHERE placed.place <= least(share, coalesce((rooms_of_businesses ->> (placed.stored).business_id::text)::integer, per_business))
        );
        without := without || cut;
      END LOOP;
      chosen := chosen || page;
      EXIT WHEN round = 2 OR cardinality(chosen) = how_many;
      share := how_many - cardinality(chosen) + 1;
      wanted := share * (cardinality(chosen) + cardinality(busy));
      without := ARRAY(SELECT key::bigint FROM jsonb_each_text(rooms_of_businesses) WHERE value::integer <= 0);
    END LOOP;

    due := ARRAY(
      WITH waiting AS (
        SELECT stored.business_id, delivery.id, delivery.due_at, delivery.at
        FROM unnest(chosen) AS stored CROSS JOIN LATERAL (
          SELECT deliveries.id, greatest(deliveries.next_attempt_at, deliveries.lease_until) AS due_at, deliveries.ctid AS at
          FROM @deliveries AS deliveries
          WHERE deliveries.business_id = stored.business_id AND deliveries.subscriber_kind = stored.subscriber_kind
            AND deliveries.subscriber_id = stored.subscriber_id AND deliveries.status IN ('pending', 'retrying') AND deliveries.next_attempt_at <= moment
            AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= moment)
          ORDER BY deliveries.next_attempt_at, deliveries.id
          LIMIT least(share, coalesce((rooms_of_subscribers ->> concat_ws(' ', stored.business_id, stored.subscriber_kind, stored.subscriber_id))::integer, per_subscriber))
        ) AS delivery
      ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY business_id ORDER BY due_at, id) AS place FROM waiting
      )
      SELECT at FROM placed CROSS JOIN LATERAL (
        SELECT coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business) AS room
      ) AS left_over
      WHERE place <= room
      ORDER BY per_business - room + place, due_at, id LIMIT how_many
    );
    due := ARRAY(
      SELECT ctid FROM @deliveries AS deliveries WHERE ctid = ANY (due) AND deliveries.status IN ('pending', 'retrying') AND deliveries.next_attempt_at <= moment
            AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= moment) FOR NO KEY UPDATE SKIP LOCKED
    );
    WITH leased AS (
      UPDATE @deliveries AS deliveries SET
        attempts = deliveries.attempts + 1, attempts_in_round = deliveries.attempts_in_round + 1,
        lease_id = claim ->> 'leaseId', lease_until = (claim ->> 'leaseUntil')::bigint + shift,
        updated_at = (claim ->> 'now')::bigint
      WHERE ctid = ANY (due)
      RETURNING business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round, next_attempt_at, deadline_at, lease_id, lease_until, response_code, created_at, updated_at
    )
    SELECT json_agg(json_build_array(delivery.business_id, delivery.id, delivery.subscriber_kind, delivery.subscriber_id, delivery.event_id, delivery.event_type, delivery.status, delivery.attempts, delivery.attempts_in_round, delivery.next_attempt_at, delivery.deadline_at, delivery.lease_id, delivery.lease_until, delivery.response_code, delivery.created_at, delivery.updated_at, bodies.body, bodies.origin)
      ORDER BY delivery.next_attempt_at, delivery.id) INTO leased
    FROM leased AS delivery CROSS JOIN LATERAL (
      SELECT body, origin FROM @delivery_bodies AS stored
      WHERE stored.business_id = delivery.business_id AND stored.delivery_id = delivery.id LIMIT 1
    ) AS bodies;

    PERFORM @keep_queues(chosen);
    -- A call that is made must not be forgotten: a claim that leased something waits for the disk.
    IF leased IS NOT NULL THEN PERFORM set_config('synchronous_commit', durability, true); END IF;
    RETURN coalesce(leased, '[]');
  END $$;

  -- A delivery that somebody is at work on is being cancelled or taken over: its lease is lost.
  CREATE FUNCTION @settle_deliveries(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    held tid[];
    places bigint[];
  BEGIN
    SELECT array_agg(locked.at), array_agg(locked.place) INTO held, places FROM (
      SELECT delivery.at, given.place
      FROM ROWS FROM (jsonb_to_recordset(arguments) AS (business_id bigint, id bigint, lease_id text))
        WITH ORDINALITY AS given (business_id, id, lease_id, place)
      CROSS JOIN LATERAL (
        SELECT deliveries.ctid AS at FROM @deliveries AS deliveries
        WHERE deliveries.business_id = given.business_id AND deliveries.id = given.id
          AND deliveries.lease_id = given.lease_id
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS delivery
    ) AS locked;
    WITH given AS MATERIALIZED (
      SELECT locked.at, locked.place, settlement.*
      FROM unnest(held, places) AS locked (at, place)
      JOIN ROWS FROM (jsonb_to_recordset(arguments) AS (business_id bigint, id bigint, lease_id text, taken_back integer, status text, next_attempt_at bigint, settled_at bigint, clock text, attempt_number integer, started_at bigint, duration_ms bigint, response_code integer, error text, response_body text))
        WITH ORDINALITY AS settlement (business_id, id, lease_id, taken_back, status, next_attempt_at, settled_at, clock, attempt_number, started_at, duration_ms, response_code, error, response_body, turn) ON settlement.turn = locked.place
    ), settled AS (
      UPDATE @deliveries AS deliveries SET
        status = given.status,
        next_attempt_at = given.next_attempt_at + @clock_shift(given.clock, given.settled_at),
        lease_id = NULL, lease_until = NULL, updated_at = given.settled_at,
        attempts = deliveries.attempts - given.taken_back,
        attempts_in_round = deliveries.attempts_in_round - given.taken_back,
        response_code = CASE WHEN given.attempt_number IS NULL THEN deliveries.response_code ELSE given.response_code END
      FROM given WHERE deliveries.ctid = given.at
      RETURNING given.place, deliveries.business_id, deliveries.id, deliveries.subscriber_kind, deliveries.subscriber_id
    ), attempted AS (
      INSERT INTO @attempts (business_id, delivery_id, number, started_at, duration_ms, response_code, error, response_body)
      SELECT given.business_id, given.id, attempt_number, started_at, duration_ms, response_code, error, response_body
      FROM given JOIN settled USING (place) WHERE attempt_number IS NOT NULL
    ), changed AS (
      INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
      SELECT DISTINCT business_id, subscriber_kind, subscriber_id FROM settled
    )
    SELECT array_agg(place) INTO places FROM settled;
    RETURN @told(arguments, places, 'written', 'lost');
  END $$;


  CREATE FUNCTION @cancel_deliveries(business bigint, kind text, subscriber bigint, now bigint, how_many integer)
  RETURNS integer LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  DECLARE
    waiting record;
    cancelled integer := 0;
  BEGIN
    FOR waiting IN
      SELECT id FROM @deliveries WHERE business_id = business AND subscriber_kind = kind AND subscriber_id = subscriber AND status IN ('pending', 'retrying')
      ORDER BY next_attempt_at, id LIMIT how_many FOR NO KEY UPDATE
    LOOP
      UPDATE @deliveries
      SET status = 'cancelled', next_attempt_at = NULL, lease_id = NULL, lease_until = NULL, updated_at = now
      WHERE business_id = business AND id = waiting.id;
      cancelled := cancelled + 1;
    END LOOP;
    IF cancelled > 0 THEN INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    VALUES (business, kind, subscriber); END IF;
    RETURN cancelled;
  END $$;

  CREATE FUNCTION @restart_delivery(argument jsonb) RETURNS jsonb LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    business bigint := (argument ->> 'business_id')::bigint;
    delivery bigint := (argument ->> 'id')::bigint;
    given_at bigint := (argument ->> 'now')::bigint;
    kind text;
    subscriber bigint;
  BEGIN
    PERFORM FROM @deliveries WHERE business_id = business AND id = delivery AND finished_at IS NOT NULL
    FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 'false'; END IF;
    UPDATE @deliveries
    SET status = 'pending', attempts_in_round = 0,
      next_attempt_at = given_at + @clock_shift((argument ->> 'clock'), given_at), deadline_at = (argument ->> 'deadlineAt')::bigint,
      lease_id = NULL, lease_until = NULL, updated_at = given_at
    WHERE business_id = business AND id = delivery
    RETURNING subscriber_kind, subscriber_id INTO kind, subscriber;
    INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    VALUES (business, kind, subscriber);
    RETURN 'true';
  END $$;

  -- Gives the places of what it began anew, in their order.
  CREATE FUNCTION @restart_undelivered(
    business bigint, kind text, subscriber bigint, after_moment bigint, after_id bigint,
    now bigint, deadline bigint, how_many integer, clock text
  ) RETURNS json LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  DECLARE
    undelivered record;
    places json[] := '{}';
  BEGIN
    FOR undelivered IN
      SELECT created_at, id FROM @deliveries
      WHERE business_id = business AND subscriber_kind = kind AND subscriber_id = subscriber AND status IN ('failed', 'cancelled') AND event_id IS NOT NULL AND (created_at, id) > (after_moment, after_id)
      ORDER BY created_at, id LIMIT how_many FOR NO KEY UPDATE
    LOOP
      UPDATE @deliveries SET status = 'pending', attempts_in_round = 0,
      next_attempt_at = now + @clock_shift(clock, now), deadline_at = deadline,
      lease_id = NULL, lease_until = NULL, updated_at = now
      WHERE business_id = business AND id = undelivered.id;
      places := places || json_build_array(undelivered.created_at, undelivered.id);
    END LOOP;
    IF cardinality(places) > 0 THEN INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    VALUES (business, kind, subscriber); END IF;
    RETURN array_to_json(places);
  END $$;

  CREATE FUNCTION @prune_deliveries(before bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan SET enable_sort = off AS $$
  DECLARE
    old record;
    pruned integer := 0;
  BEGIN
    FOR old IN
      SELECT business_id, id FROM @deliveries WHERE finished_at < before
      ORDER BY finished_at LIMIT how_many FOR UPDATE SKIP LOCKED
    LOOP
      DELETE FROM @attempts WHERE business_id = old.business_id AND delivery_id = old.id;
      DELETE FROM @delivery_bodies WHERE business_id = old.business_id AND delivery_id = old.id;
      DELETE FROM @deliveries WHERE business_id = old.business_id AND id = old.id;
      pruned := pruned + 1;
    END LOOP;
    FOR old IN
      SELECT events.business_id, events.sequence FROM @events AS events
      WHERE events.occurred_at < before AND (
        SELECT true FROM @undispatched_events AS waiting
        WHERE waiting.business_id = events.business_id AND waiting.sequence = events.sequence
      ) IS NULL
      ORDER BY events.occurred_at LIMIT how_many FOR UPDATE SKIP LOCKED
    LOOP
      DELETE FROM @events WHERE business_id = old.business_id AND sequence = old.sequence;
      pruned := pruned + 1;
    END LOOP;
    RETURN pruned;
  END $$;


  CREATE FUNCTION @perform(call text, arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    argument jsonb;
    answer jsonb;
    answers jsonb[] := '{}';
  BEGIN
    CASE call
      WHEN 'insert_budgets' THEN RETURN @insert_budgets(arguments);
      WHEN 'fan_out' THEN RETURN @fan_out(arguments);
      WHEN 'insert_deliveries' THEN RETURN @insert_deliveries(arguments);
      WHEN 'settle_deliveries' THEN RETURN @settle_deliveries(arguments);
      ELSE NULL;
    END CASE;
    FOR argument IN SELECT value FROM jsonb_array_elements(arguments) LOOP
      CASE call
      WHEN 'append_audit' THEN answer := @append_audit(argument);
      WHEN 'claim_key' THEN answer := @claim_key(argument);
      WHEN 'release_claim' THEN answer := @release_claim(argument);
      WHEN 'replace_budget' THEN answer := @replace_budget(argument);
      WHEN 'record_payment' THEN answer := @record_payment(argument);
      WHEN 'insert_business' THEN answer := @insert_business(argument);
      WHEN 'set_business_tier' THEN answer := @set_business_tier(argument);
      WHEN 'insert_user' THEN answer := @insert_user(argument);
      WHEN 'replace_password_hash' THEN answer := @replace_password_hash(argument);
      WHEN 'reset_password_hash' THEN answer := @reset_password_hash(argument);
      WHEN 'insert_session' THEN answer := @insert_session(argument);
      WHEN 'rotate_refresh' THEN answer := @rotate_refresh(argument);
      WHEN 'end_session' THEN answer := @end_session(argument);
      WHEN 'insert_key' THEN answer := @insert_key(argument);
      WHEN 'replace_key' THEN answer := @replace_key(argument);
      WHEN 'touch_key' THEN answer := @touch_key(argument);
      WHEN 'begin_key_change' THEN answer := @begin_key_change(argument);
      WHEN 'insert_customer' THEN answer := @insert_customer(argument);
      WHEN 'replace_customer' THEN answer := @replace_customer(argument);
      WHEN 'insert_product' THEN answer := @insert_product(argument);
      WHEN 'replace_product' THEN answer := @replace_product(argument);
      WHEN 'insert_package' THEN answer := @insert_package(argument);
      WHEN 'replace_package' THEN answer := @replace_package(argument);
      WHEN 'insert_attachment' THEN answer := @insert_attachment(argument);
      WHEN 'remove_attachment' THEN answer := @remove_attachment(argument);
      WHEN 'insert_integration' THEN answer := @insert_integration(argument);
      WHEN 'replace_integration' THEN answer := @replace_integration(argument);
      WHEN 'delete_integration' THEN answer := @delete_integration(argument);
      WHEN 'add_usage' THEN answer := @add_usage(argument);
      WHEN 'insert_endpoint' THEN answer := @insert_endpoint(argument);
      WHEN 'replace_endpoint' THEN answer := @replace_endpoint(argument);
      WHEN 'delete_endpoint' THEN answer := @delete_endpoint(argument);
      WHEN 'restart_delivery' THEN answer := @restart_delivery(argument);
      END CASE;
      answers := answers || answer;
    END LOOP;
    RETURN to_jsonb(answers);
  END $$;
  