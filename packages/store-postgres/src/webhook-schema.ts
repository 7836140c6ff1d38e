import { DELIVERY_FUNCTIONS } from "./delivery-functions.js";
import { DISPATCH_FUNCTIONS } from "./dispatch-functions.js";
import { ENDPOINT_FUNCTIONS } from "./endpoint-functions.js";
import { QUEUE_FUNCTIONS } from "./queue-functions.js";

/**
 * Webhooks. A delivery is narrow and rewritten by each claim, which touches no column of an index; its body, which is
 * written once and may be large, has a table of its own.
 */
export const WEBHOOK_TABLES = `
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
`;

export const WEBHOOK_FUNCTIONS = [ENDPOINT_FUNCTIONS, QUEUE_FUNCTIONS, DISPATCH_FUNCTIONS, DELIVERY_FUNCTIONS].join(
  "\n",
);

export const WEBHOOK_CALLS = ["insert_endpoint", "replace_endpoint", "delete_endpoint", "restart_delivery"];

export const WEBHOOK_BULK_CALLS = ["fan_out", "insert_deliveries", "settle_deliveries"];
