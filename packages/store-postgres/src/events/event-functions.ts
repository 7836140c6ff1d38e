import type { ClaimOutcome } from "@budgetkit/core/store";
import { asOneOf, asText, fieldOf } from "@budgetkit/store-kit";
import { asNothing, type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { StoreClock } from "../engine/connection.js";
import { ALONG_INDEXES } from "../engine/planner-settings.js";
import { columnsAt, lengthOf, type TextRow } from "../engine/text-rows.js";

/** The columns of an event whose row is sent as texts. */
export const EVENT_TYPES = {
  id: "text",
  type: "text",
  occurred_at: "bigint",
  subject_id: "text",
  document: "text",
};

/** The columns of events as arrays, as `@append_entries` takes them. */
const EVENT_ARRAYS = `array_agg(id) AS ids, array_agg(type) AS types, array_agg(occurred_at) AS moments,
      array_agg(subject_id) AS subjects, array_agg(document) AS documents`;

export const EVENT_FUNCTIONS = `
  -- The last revision of a subject, whose entries may have been removed; 0 = it has had none.
  CREATE OR REPLACE FUNCTION @last_revision(business bigint, entry_type text, subject text) RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    subject_kind text := split_part(entry_type, '.', 1);
    stored bigint;
  BEGIN
    SELECT revision INTO stored FROM @events
    WHERE business_id = business AND subject_id = subject AND split_part(type, '.', 1) = subject_kind
    ORDER BY sequence DESC LIMIT 1;
    IF FOUND THEN RETURN stored; END IF;
    SELECT former.revision INTO stored FROM @former_revisions AS former
    WHERE former.business_id = business AND former.kind = subject_kind AND former.subject_id = subject;
    RETURN coalesce(stored, 0);
  END $$;

  -- Whether events of the business wait for a fan-out, if their deliveries are not planned. The caller holds the lock of
  -- the business, which every write of an endpoint or key holds too. A host's snapshot may be older than the lock, so that
  -- its events always wait.
  CREATE OR REPLACE FUNCTION @may_have_subscribers(business bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    RETURN current_setting('transaction_isolation') <> 'read committed'
      OR EXISTS (SELECT FROM @endpoints WHERE business_id = business AND status = 'ACTIVE')
      OR EXISTS (SELECT FROM @keys WHERE business_id = business AND status = 'ACTIVE' AND webhook_url IS NOT NULL);
  END $$;

  -- Appends entries of a business, whose lock the caller holds, so that they are numbered in the order of the commits. A
  -- rollback returns the sequences, so that the series has no gap. The hash of an entry is that of entryHash in core.
  -- Returns the bytes of the deliveries that were planned: the caller counts them.
  CREATE OR REPLACE FUNCTION @append_entries(business bigint, ids text[], types text[], moments bigint[],
    subjects text[], documents text[], waits boolean, plans jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    last bigint;
    last_link text;
    revisions bigint[];
    hashes text[] := '{}';
  BEGIN
    SELECT last_sequence, last_hash INTO last, last_link FROM @event_counters WHERE business_id = business;
    last := coalesce(last, 0);
    -- Only the first entry of a budget creates it.
    SELECT array_agg(
      CASE type WHEN 'budget.created' THEN 0 ELSE @last_revision(business, type, subject) END + place_in_subject
      ORDER BY place
    ) INTO revisions FROM (
      SELECT type, subject, place,
        row_number() OVER (PARTITION BY split_part(type, '.', 1), subject ORDER BY place) AS place_in_subject
      FROM unnest(types, subjects) WITH ORDINALITY AS given (type, subject, place)
    ) AS placed;
    FOR place IN 1 .. cardinality(ids) LOOP
      last_link := encode(sha256(convert_to('{"entry":' || documents[place] || ',"previous":'
        || coalesce('"' || last_link || '"', 'null') || ',"revision":' || revisions[place] || ',"sequence":'
        || last + place || '}', 'UTF8')), 'hex');
      hashes := hashes || last_link;
    END LOOP;
    INSERT INTO @event_counters (business_id, last_sequence, last_hash)
    VALUES (business, last + cardinality(ids), last_link)
    ON CONFLICT (business_id) DO UPDATE SET last_sequence = excluded.last_sequence, last_hash = excluded.last_hash;
    INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document, revision, hash)
    SELECT business, last + place, id, type, moment, subject, document, revision, hash
    FROM unnest(ids, types, moments, subjects, documents, revisions, hashes) WITH ORDINALITY
      AS given (id, type, moment, subject, document, revision, hash, place);
    IF waits THEN
      INSERT INTO @undispatched_events (business_id, sequence, position)
      SELECT business, last + place, nextval('@event_positions')
      FROM generate_series(1, cardinality(ids)) AS place
      WHERE plans IS NULL OR jsonb_typeof(plans -> place - 1) = 'null' ORDER BY place;
    END IF;
    IF plans IS NULL THEN RETURN 0; END IF;
    RETURN @add_planned(business, last, revisions, ids, types, documents, plans);
  END $$;

  -- Appends the events of the arguments at the places, in their order, and returns the bytes of their documents and of their
  -- deliveries. Their rows follow in the texts after so many others of their argument, and "events" has the plan of each. A plan for other
  -- subscribers than those of the business is left out.
  CREATE OR REPLACE FUNCTION @write_event_rows(business bigint, arguments jsonb, places bigint[], texts text[],
    before integer) RETURNS bigint[] LANGUAGE plpgsql AS $$
  DECLARE
    given record;
    delivery_bytes bigint;
  BEGIN
    -- One scan of a function, which keeps the order.
    SELECT ${EVENT_ARRAYS}, count(nullif(plan, 'null')) > 0 AS are_planned,
      jsonb_agg(plan) AS plans, sum(octet_length(document)) AS bytes
    INTO given
    FROM (
      SELECT ${columnsAt(EVENT_TYPES, "first")}, plan
      FROM (
        SELECT first_text + before + ${lengthOf(EVENT_TYPES)} * generate_series(0, jsonb_array_length(events) - 1) AS first,
          jsonb_array_elements(events) AS plan
        FROM ROWS FROM (jsonb_to_recordset(arguments) AS (first_text integer, events jsonb)) WITH ORDINALITY
          AS argument (first_text, events, place)
        WHERE place = ANY (places)
      ) AS row
    ) AS event;
    IF given.ids IS NULL THEN RETURN '{0,0}'; END IF;
    delivery_bytes := @append_entries(business, given.ids, given.types, given.moments, given.subjects, given.documents,
      @may_have_subscribers(business), CASE WHEN given.are_planned THEN @plans_for_subscribers(business, given.plans) END);
    RETURN ARRAY[given.bytes, delivery_bytes];
  END $$;

  -- Appends the events of an argument, and counts their bytes.
  CREATE OR REPLACE FUNCTION @append_events(argument jsonb) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    given record;
    delivery_bytes bigint;
  BEGIN
    SELECT min(business_id) AS business, ${EVENT_ARRAYS}, count(plan) > 0 AS are_planned, jsonb_agg(plan) AS plans,
      sum(octet_length(document)) AS bytes
    INTO given
    FROM jsonb_to_recordset(argument -> 'events') AS event (business_id bigint, id text, type text, occurred_at bigint,
      subject_id text, document text, plan jsonb);
    IF given.ids IS NULL THEN RETURN; END IF;
    delivery_bytes := @append_entries(given.business, given.ids, given.types, given.moments, given.subjects,
      given.documents, @may_have_subscribers(given.business),
      CASE WHEN given.are_planned THEN @plans_for_subscribers(given.business, given.plans) END);
    PERFORM @count_storage(given.business, 0, given.bytes, 0, delivery_bytes);
  END $$;

  -- An audit entry is stored among the events. It never waits for a fan-out, so that no subscriber receives it.
  CREATE OR REPLACE FUNCTION @append_audit(argument jsonb) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    entry @events := jsonb_populate_record(NULL::@events, argument);
  BEGIN
    PERFORM @append_entries(entry.business_id, ARRAY[entry.id], ARRAY[entry.type], ARRAY[entry.occurred_at],
      ARRAY[entry.subject_id], ARRAY[entry.document], false, NULL);
    PERFORM @count_storage(entry.business_id, 0, octet_length(entry.document), 0, 0);
  END $$;

  -- Appends the audit entries of a change.
  CREATE OR REPLACE FUNCTION @append_audit_of(argument jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @append_audit(value) FROM jsonb_array_elements(argument -> 'audit');
  END $$;

  -- Audit entries without a change.
  CREATE OR REPLACE FUNCTION @record_audit(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  -- Completes the claim of an idempotency record. False when the claim was lost: the change must not happen.
  CREATE OR REPLACE FUNCTION @complete_claim(record jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    IF record IS NULL OR record = 'null' THEN RETURN true; END IF;
    UPDATE @claims SET response = record ->> 'response'
    WHERE business_id = (record ->> 'business_id')::bigint AND key = record ->> 'key'
      AND claim_id = record ->> 'claim_id' AND response IS NULL;
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

/** An event, with its plan, or an audit entry. */
export type EventRow = TextRow<typeof EVENT_TYPES> & {
  readonly business_id: number;
  readonly document: string;
  readonly plan?: PlanRow; // absent = none
};

/** Commits together with audit entries. */
export interface Audited {
  readonly audit: readonly EventRow[];
}

/** The deliveries that the commit of an event makes: see `@add_planned`. */
export interface PlanRow {
  readonly subscribers: string;
  readonly planned_at: number;
  readonly origin: string | null;
  readonly clock: StoreClock;
  readonly payload: readonly string[]; // the texts around the data, the id of the delivery and the place of the event
  readonly deliveries: readonly Columns<
    "id" | "subscriber_kind" | "subscriber_id" | "deadline_at" | "ordered_subject" | "fencing_token" | "lease_until"
  >[];
}

/** An idempotency record: completes its claim in the transaction of the change. */
export type IdempotencyRow = Columns<"business_id" | "key" | "claim_id" | "response">;

interface Arguments {
  record_audit: Audited;
  claim_key: {
    claim: Columns<"business_id" | "key" | "claim_id" | "fingerprint" | "lease_until" | "expires_at">;
    now: number;
  };
  release_claim: Columns<"business_id" | "key" | "claim_id">;
}

export const EVENT_COMMITS = commitFunctions<Arguments>()({
  record_audit: asCommitted,
  claim_key: asClaimOutcome,
  release_claim: asNothing,
});

function asClaimOutcome(answer: unknown): ClaimOutcome {
  const kind = asOneOf(["claimed", "in-flight", "completed"], fieldOf(answer, "kind"));
  if (kind !== "completed") return { kind };
  return { kind, fingerprint: asText(fieldOf(answer, "fingerprint")), response: asText(fieldOf(answer, "response")) };
}
