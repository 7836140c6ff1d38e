import { ALONG_INDEXES } from "./planner-settings.js";

/** The events and audit entries of each business, which of them wait for their fan-out, and idempotency keys. */
export const EVENT_TABLES = `
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
`;

export const EVENT_FUNCTIONS = `
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
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
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
`;

export const EVENT_CALLS = ["append_audit", "claim_key", "release_claim"];
