import { asOneOf, asText, type ClaimOutcome, fieldOf } from "@budgetkit/core/store";
import { asNothing, type Columns, commitFunctions } from "../engine/commit-calls.js";
import { ALONG_INDEXES } from "../engine/planner-settings.js";

export const EVENT_FUNCTIONS = `
  -- Draws sequences of a business and returns the first. A rollback returns them, so that the series has no gap. The
  -- caller holds the lock of the business, so it never waits here, and batches of several businesses do not deadlock.
  CREATE OR REPLACE FUNCTION @draw_sequences(business bigint, how_many bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    last bigint;
  BEGIN
    INSERT INTO @event_counters AS counter (business_id, last_sequence) VALUES (business, how_many)
    ON CONFLICT (business_id) DO UPDATE SET last_sequence = counter.last_sequence + excluded.last_sequence
    RETURNING last_sequence INTO last;
    RETURN last - how_many + 1;
  END $$;

  -- Whether events of the business wait for a fan-out. The caller holds the lock of the business, which every write of an
  -- endpoint or key holds too. A host's snapshot may be older than the lock, so that its events always wait.
  CREATE OR REPLACE FUNCTION @may_have_subscribers(business bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    RETURN current_setting('transaction_isolation') <> 'read committed'
      OR EXISTS (SELECT FROM @endpoints WHERE business_id = business AND status = 'ACTIVE')
      OR EXISTS (SELECT FROM @keys WHERE business_id = business AND status = 'ACTIVE' AND webhook_url IS NOT NULL);
  END $$;

  -- Appends the events of the arguments at the places, in their order, and returns the bytes of their documents. All
  -- belong to one business, whose lock the caller holds, so that its events are numbered in the order of the commits. Of
  -- the documents of an argument the first is not that of an event.
  CREATE OR REPLACE FUNCTION @write_events(arguments jsonb, places bigint[], documents text[]) RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    waits boolean;
    bytes bigint;
  BEGIN
    SELECT @may_have_subscribers((event ->> 'business_id')::bigint) INTO waits
    FROM jsonb_path_query_first(arguments, '$[*].events[*]') AS event;
    WITH given AS MATERIALIZED (
      SELECT event.business_id, event.id, event.type, event.occurred_at, event.subject_id,
        coalesce(event.document, documents[argument.first_document + event.turn]) AS document,
        row_number() OVER (ORDER BY argument.place, event.turn) AS place
      FROM ROWS FROM (jsonb_to_recordset(arguments) AS (events jsonb, first_document integer)) WITH ORDINALITY
        AS argument (events, first_document, place)
      CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(argument.events) AS (
        business_id bigint, id text, type text, occurred_at bigint, subject_id text, document text
      )) WITH ORDINALITY AS event (business_id, id, type, occurred_at, subject_id, document, turn)
      WHERE argument.place = ANY (places)
    ), drawn AS MATERIALIZED (
      SELECT @draw_sequences(business_id, count(*)) AS first FROM given GROUP BY business_id
    ), appended AS (
      INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document)
      SELECT business_id, drawn.first + place - 1, id, type, occurred_at, subject_id, document FROM given, drawn
    ), marked AS (
      INSERT INTO @undispatched_events (business_id, sequence, position)
      SELECT ordered.business_id, ordered.sequence, nextval('@event_positions') FROM (
        SELECT business_id, drawn.first + place - 1 AS sequence FROM given, drawn ORDER BY place
      ) AS ordered
      WHERE waits
    )
    SELECT coalesce(sum(octet_length(document)), 0) INTO bytes FROM given;
    RETURN bytes;
  END $$;

  -- The same for events whose documents are among the arguments. Counts their bytes.
  CREATE OR REPLACE FUNCTION @append_events(arguments jsonb, places bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    business bigint := jsonb_path_query_first(arguments, '$[*].events[*].business_id')::bigint;
  BEGIN
    IF business IS NULL THEN RETURN; END IF;
    PERFORM @count_storage(business, 0, @write_events(arguments, places, '{}'), 0);
  END $$;

  -- An audit entry is stored among the events. It never waits for a fan-out, so that no subscriber receives it.
  CREATE OR REPLACE FUNCTION @append_audit(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    entry @events := jsonb_populate_record(NULL::@events, argument);
  BEGIN
    entry.sequence := @draw_sequences(entry.business_id, 1);
    INSERT INTO @events SELECT entry.*;
    PERFORM @count_storage(entry.business_id, 0, octet_length(entry.document), 0);
    RETURN 'null';
  END $$;

  -- Appends the audit entry of a change, if it has one.
  CREATE OR REPLACE FUNCTION @append_audit_of(argument jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF jsonb_typeof(argument -> 'audit') = 'object' THEN PERFORM @append_audit(argument -> 'audit'); END IF;
  END $$;

  -- Completes the claim of an idempotency record. False when the claim was lost: the change must not happen.
  CREATE OR REPLACE FUNCTION @complete_claim(receipt jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    IF receipt IS NULL OR receipt = 'null' THEN RETURN true; END IF;
    UPDATE @claims SET response = receipt ->> 'response'
    WHERE business_id = (receipt ->> 'business_id')::bigint AND key = receipt ->> 'key'
      AND claim_id = receipt ->> 'claim_id' AND response IS NULL;
    RETURN FOUND;
  END $$;

  CREATE OR REPLACE FUNCTION @claim_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
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

  CREATE OR REPLACE FUNCTION @release_claim(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @claims
    WHERE business_id = (argument ->> 'business_id')::bigint AND key = argument ->> 'key'
      AND claim_id = argument ->> 'claim_id' AND response IS NULL;
    RETURN 'null';
  END $$;

  -- Also deletes the answers of batches: no batch is repeated after an hour.
  CREATE OR REPLACE FUNCTION @prune_claims(now bigint, how_many integer) RETURNS integer
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

/** An event or an audit entry without its document. */
export type EventColumns = Columns<"business_id" | "id" | "type" | "occurred_at" | "subject_id">;

/** An event or an audit entry. */
export type EventRow = EventColumns & { readonly document: string };

/** An idempotency record: completes its claim in the transaction of the change. */
export type ReceiptRow = Columns<"business_id" | "key" | "claim_id" | "response">;

interface Arguments {
  append_audit: EventRow;
  claim_key: {
    claim: Columns<"business_id" | "key" | "claim_id" | "fingerprint" | "lease_until" | "expires_at">;
    now: number;
  };
  release_claim: Columns<"business_id" | "key" | "claim_id">;
}

export const EVENT_COMMITS = commitFunctions<Arguments>()({
  append_audit: asNothing,
  claim_key: asClaimOutcome,
  release_claim: asNothing,
});

function asClaimOutcome(answer: unknown): ClaimOutcome {
  const kind = asOneOf(["claimed", "in-flight", "completed"], fieldOf(answer, "kind"));
  if (kind !== "completed") return { kind };
  return { kind, fingerprint: asText(fieldOf(answer, "fingerprint")), response: asText(fieldOf(answer, "response")) };
}
