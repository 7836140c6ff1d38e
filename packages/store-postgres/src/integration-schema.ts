/** Integrations. */
export const INTEGRATION_TABLES = `
  CREATE TABLE @integrations (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    document text NOT NULL
  );
  CREATE INDEX integrations_by_creation ON @integrations (business_id, created_at, id);
  ALTER TABLE @integrations ADD PRIMARY KEY (business_id, id);
`;

export const INTEGRATION_FUNCTIONS = `
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
`;

export const INTEGRATION_CALLS = ["insert_integration", "replace_integration", "delete_integration"];
