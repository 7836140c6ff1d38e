/**
 * The tables and indexes of the first release. Primary keys begin with the business, so that an engine that shards can
 * keep the rows of a business together. Text is compared by its bytes. Documents are text, so that they are returned as
 * they were written.
 */
export const FIRST_SCHEMA = `
  CREATE TABLE @ids (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    next bigint NOT NULL
  );
  INSERT INTO @ids (next) VALUES (1001);

  -- The answers of batches, for as long as a batch may be sent again after its connection was lost.
  CREATE TABLE @batches (
    id uuid PRIMARY KEY,
    answers jsonb NOT NULL,
    committed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX batches_by_age ON @batches (committed_at);

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

  -- Events without fan-out. The rows of events are never rewritten.
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
    total double precision NOT NULL, -- in major units, to filter and sort by
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
  -- Primary keys are made last where the planner is to prefer them: of indexes of equal cost it takes the newest.
  ALTER TABLE @budgets ADD PRIMARY KEY (business_id, id);

  CREATE TABLE @budget_sums (
    business_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    budgets bigint NOT NULL,
    total numeric NOT NULL, -- minor units; a sum may exceed 64 bits
    PRIMARY KEY (business_id, status, currency)
  ) WITH (fillfactor = 50); -- room for HOT updates: each change rewrites a row

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
  CREATE INDEX sessions_by_end ON @sessions (least(ended_at, refresh_expires_at)); -- least ignores null
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
    last_used_at bigint, -- kept out of the document, so that a use rewrites neither the document nor an index
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

  -- Values that no two records of a business may hold.
  CREATE TABLE @held_values (
    business_id bigint NOT NULL,
    field text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (business_id, field, value)
  );

  -- The fields of products and variants that budgets and packages show. The variant '' is the product itself.
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

  -- The fields of a customer that budgets show have columns, so that a list reads no documents.
  CREATE TABLE @customers (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the folded name, to sort by
    created_at bigint NOT NULL,
    deleted_at bigint,
    held text[] COLLATE "C" NOT NULL, -- the values of the record that no other record may have
    name text COLLATE "C" NOT NULL,
    email text COLLATE "C",
    phone text COLLATE "C",
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  -- With deleted_at as the last column, counts and lists without deleted records need the index only.
  CREATE INDEX customers_by_creation ON @customers (business_id, created_at, id, deleted_at);
  CREATE INDEX customers_by_name ON @customers (business_id, name_key, id, deleted_at);
  ALTER TABLE @customers ADD PRIMARY KEY (business_id, id);

  CREATE TABLE @products (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the folded name, to sort by
    created_at bigint NOT NULL,
    deleted_at bigint,
    held text[] COLLATE "C" NOT NULL, -- the values of the record that no other record may have
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  -- With deleted_at as the last column, counts and lists without deleted records need the index only.
  CREATE INDEX products_by_creation ON @products (business_id, created_at, id, deleted_at);
  CREATE INDEX products_by_name ON @products (business_id, name_key, id, deleted_at);
  ALTER TABLE @products ADD PRIMARY KEY (business_id, id);

  CREATE TABLE @packages (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the folded name, to sort by
    created_at bigint NOT NULL,
    deleted_at bigint,
    held text[] COLLATE "C" NOT NULL, -- the values of the record that no other record may have
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  -- With deleted_at as the last column, counts and lists without deleted records need the index only.
  CREATE INDEX packages_by_creation ON @packages (business_id, created_at, id, deleted_at);
  CREATE INDEX packages_by_name ON @packages (business_id, name_key, id, deleted_at);
  ALTER TABLE @packages ADD PRIMARY KEY (business_id, id);

  -- The bytes are in the blob store.
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
  ) WITH (fillfactor = 80); -- room for HOT updates: rows of hours and days are updated often
  CREATE INDEX usage_by_age ON @usage (grain, at);
  ALTER TABLE @usage ADD PRIMARY KEY (business_id, key_id, grain, at, path, method);

  -- The exact log of admissions, numbered from 1 per subject. The row of a subject holds its latest admissions, so that
  -- a decision reads and writes one row. A full list moves to a chunk, which never changes and is deleted when it has
  -- left the longest window. Unlogged: a decision waits for no disk, and a crash of the server empties the windows.
  CREATE UNLOGGED TABLE @rate_subjects (
    subject text COLLATE "C" PRIMARY KEY,
    idle_at bigint NOT NULL,     -- before then the subject cannot be pruned
    longest_ms bigint NOT NULL,
    asked_at bigint NOT NULL,    -- the time of the latest decision, refusals included
    admitted bigint NOT NULL,    -- the number of the last admission
    heads bigint[] NOT NULL,     -- per window: the number of the oldest admission that counts
    oldest bigint[] NOT NULL,    -- per window: the time of that admission; null = none counts
    recent bigint[] NOT NULL     -- the times of the last admissions, at least one
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX rate_subjects_by_idleness ON @rate_subjects (idle_at);

  CREATE UNLOGGED TABLE @rate_chunks (
    subject text COLLATE "C",
    first bigint,                -- the number of its first admission
    moments bigint[] NOT NULL,
    PRIMARY KEY (subject, first)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

  -- The bytes that each key uploads now and has uploaded within the window.
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
  CREATE INDEX endpoints_with_former_secret ON @endpoints (previous_secret_until)
    WHERE previous_secret_until IS NOT NULL;
  ALTER TABLE @endpoints ADD PRIMARY KEY (business_id, id);

  -- Narrow, since each claim rewrites a row. The body is written once, may be large, and has a table of its own.
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
    ) STORED -- not updated_at, which claims change: a claim updates no index
  ) WITH (fillfactor = 50); -- room for HOT updates by claims
  CREATE INDEX deliveries_finished ON @deliveries (finished_at) WHERE finished_at IS NOT NULL;
  -- For redelivery: deliveries that did not reach the receiver, without test deliveries.
  CREATE INDEX deliveries_undelivered ON @deliveries (business_id, subscriber_kind, subscriber_id, created_at, id)
    WHERE status IN ('failed', 'cancelled') AND event_id IS NOT NULL;
  -- With status and type as the last columns, every count needs an index only.
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
    origin text, -- null = unknown
    PRIMARY KEY (business_id, delivery_id)
  );

  -- When the first delivery of each subscriber is due, so that the backlog of one subscriber does not slow the claims
  -- of others.
  CREATE TABLE @delivery_queues (
    business_id bigint NOT NULL,
    subscriber_kind text COLLATE "C" NOT NULL,
    subscriber_id bigint NOT NULL,
    due_at bigint NOT NULL,
    PRIMARY KEY (business_id, subscriber_kind, subscriber_id)
  );
  CREATE INDEX delivery_queues_by_due ON @delivery_queues (due_at);

  -- Subscribers whose row in delivery_queues is out of date. Insert-only, so that writers never wait for each other.
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
`;
