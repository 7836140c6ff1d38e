import { ALONG_INDEXES, IN_INDEX_ORDER } from "./planner-settings.js";

/** Clears what is past of one table, by the names that its documents have for the secret and the end of its grace. */
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
  CREATE FUNCTION @insert_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    endpoint @endpoints := jsonb_populate_record(NULL::@endpoints, argument -> 'endpoint');
  BEGIN
    IF argument -> 'limit' <> 'null'
      AND (SELECT count(*) FROM @endpoints WHERE business_id = endpoint.business_id) >= (argument ->> 'limit')::bigint
    THEN RETURN '"full"'; END IF;
    INSERT INTO @endpoints SELECT endpoint.*;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
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

  CREATE FUNCTION @delete_endpoint(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    DELETE FROM @endpoints
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    RETURN to_jsonb(FOUND);
  END $$;

  -- A row that somebody is at work on is left for the next time.
  CREATE FUNCTION @clear_replaced_secrets(now bigint, how_many integer) RETURNS integer
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
