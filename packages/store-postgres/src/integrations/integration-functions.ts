import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { Audited } from "../events/event-functions.js";

export const INTEGRATION_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @insert_integration(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    integration @integrations := jsonb_populate_record(NULL::@integrations, argument -> 'integration');
    present bigint;
  BEGIN
    IF argument ->> 'limit' IS NOT NULL THEN
      SELECT count(*) INTO present FROM @integrations WHERE business_id = integration.business_id;
      IF present >= (argument ->> 'limit')::bigint THEN RETURN '"integration-limit"'; END IF;
    END IF;
    INSERT INTO @integrations SELECT integration.*;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @replace_integration(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    integration @integrations := jsonb_populate_record(NULL::@integrations, argument -> 'integration');
  BEGIN
    UPDATE @integrations
    SET version = integration.version, created_at = integration.created_at, document = integration.document
    WHERE business_id = integration.business_id AND id = integration.id
      AND version = (argument ->> 'expectedVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @delete_integration(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @integrations
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;
`;

type IntegrationRow = Columns<"business_id" | "id" | "version" | "created_at" | "document">;

interface Arguments {
  insert_integration: { integration: IntegrationRow; limit: number | null } & Audited; // null = no limit
  replace_integration: { integration: IntegrationRow; expectedVersion: number } & Audited;
  delete_integration: Columns<"business_id" | "id"> & Audited;
}

export const INTEGRATION_COMMITS = commitFunctions<Arguments>()({
  insert_integration: asCommitted,
  replace_integration: asCommitted,
  delete_integration: asCommitted,
});
