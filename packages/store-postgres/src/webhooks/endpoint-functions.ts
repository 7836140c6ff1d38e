import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import { ALONG_INDEXES, IN_INDEX_ORDER } from "../engine/planner-settings.js";
import type { Audited } from "../events/event-functions.js";

/** Clears expired secrets of one table. `secret` and `until` are fields of its documents. */
function clearing(table: string, column: string, secret: string, until: string): string {
  return `FOR past IN
      SELECT business_id, id FROM ${table} WHERE ${column} <= now
      ORDER BY ${column} LIMIT how_many FOR NO KEY UPDATE SKIP LOCKED
    LOOP
      UPDATE ${table} SET ${column} = NULL,
        document = (document::jsonb || '{"${secret}": null, "${until}": null}')::text
      WHERE business_id = past.business_id AND id = past.id;
      cleared := cleared + 1;
    END LOOP;`;
}

export const ENDPOINT_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @insert_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    endpoint @endpoints := jsonb_populate_record(NULL::@endpoints, argument -> 'endpoint');
  BEGIN
    IF argument -> 'limit' <> 'null'
      AND (SELECT count(*) FROM @endpoints WHERE business_id = endpoint.business_id) >= (argument ->> 'limit')::bigint
    THEN RETURN '"webhook-limit"'; END IF;
    INSERT INTO @endpoints SELECT endpoint.*;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @replace_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    endpoint @endpoints := jsonb_populate_record(NULL::@endpoints, argument -> 'endpoint');
  BEGIN
    UPDATE @endpoints SET
      version = endpoint.version, status = endpoint.status, created_at = endpoint.created_at,
      previous_secret_until = endpoint.previous_secret_until, document = endpoint.document
    WHERE business_id = endpoint.business_id AND id = endpoint.id
      AND version = (argument ->> 'expectedVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @delete_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    DELETE FROM @endpoints
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    DELETE FROM @replays
    WHERE business_id = (argument ->> 'business_id')::bigint AND endpoint_id = (argument ->> 'id')::bigint;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  -- Skips locked rows: the next run takes them.
  CREATE OR REPLACE FUNCTION @clear_replaced_secrets(now bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    past record;
    cleared integer := 0;
  BEGIN
    ${clearing("@keys", "previous_webhook_secret_until", "previousSealedWebhookSecret", "previousWebhookSecretUntil")}
    ${clearing("@endpoints", "previous_secret_until", "previousSealedSecret", "previousSecretUntil")}
    RETURN cleared;
  END $$;
`;

type EndpointRow = Columns<
  "business_id" | "id" | "version" | "status" | "created_at" | "previous_secret_until" | "document"
>;

interface Arguments {
  insert_endpoint: { endpoint: EndpointRow; limit: number | null } & Audited; // null = no limit
  replace_endpoint: { endpoint: EndpointRow; expectedVersion: number } & Audited;
  delete_endpoint: Columns<"business_id" | "id"> & Audited;
}

export const ENDPOINT_COMMITS = commitFunctions<Arguments>()({
  insert_endpoint: asCommitted,
  replace_endpoint: asCommitted,
  delete_endpoint: asCommitted,
});
