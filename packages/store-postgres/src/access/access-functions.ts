import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import { ALONG_INDEXES } from "../engine/planner-settings.js";
import type { Audited, IdempotencyRow } from "../events/event-functions.js";

export const ACCESS_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @insert_business(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @businesses SELECT * FROM jsonb_populate_record(NULL::@businesses, argument);
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @replace_business(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    business @businesses := jsonb_populate_record(NULL::@businesses, argument -> 'business');
  BEGIN
    UPDATE @businesses SET
      name = business.name, time_zone = business.time_zone, profile = business.profile, version = business.version
    WHERE id = business.id AND version = (argument ->> 'expected_version')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @set_business_tier(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @businesses SET tier = argument ->> 'tier' WHERE id = (argument ->> 'id')::bigint;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  -- The lock of the business orders this and a change of the user.
  CREATE OR REPLACE FUNCTION @insert_session(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    begun @sessions := jsonb_populate_record(NULL::@sessions, argument -> 'session');
  BEGIN
    PERFORM FROM @users
    WHERE business_id = begun.business_id AND id = (argument ->> 'user')::bigint
      AND password_hash = argument ->> 'password_hash' AND disabled_at IS NULL;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    INSERT INTO @sessions SELECT begun.*;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @rotate_refresh(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @sessions SET
      refresh_hash = argument ->> 'new_hash', refresh_expires_at = (argument ->> 'new_expires_at')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = argument ->> 'id'
      AND refresh_hash = argument ->> 'expected_hash' AND ended_at IS NULL
      AND refresh_expires_at > (argument ->> 'now')::bigint;
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"stale"' END;
  END $$;

  CREATE OR REPLACE FUNCTION @end_session(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @sessions SET ended_at = (argument ->> 'now')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = argument ->> 'id' AND ended_at IS NULL;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @prune_sessions(before bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
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

  CREATE OR REPLACE FUNCTION @has_callbacks(key @keys) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT key.status = 'ACTIVE' AND key.webhook_url IS NOT NULL
  $$;

  -- Whether the business has its limit of keys with callbacks.
  CREATE OR REPLACE FUNCTION @is_full_of_callbacks(business bigint, callback_limit bigint) RETURNS boolean
  LANGUAGE sql AS $$
    SELECT callback_limit <= (
      SELECT count(*) FROM @keys WHERE business_id = business AND status = 'ACTIVE' AND webhook_url IS NOT NULL
    )
  $$;

  CREATE OR REPLACE FUNCTION @insert_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    key @keys := jsonb_populate_record(NULL::@keys, argument -> 'key');
    alive bigint;
  BEGIN
    IF argument ->> 'limit' IS NOT NULL THEN
      SELECT count(*) INTO alive FROM @keys WHERE business_id = key.business_id AND status IN ('ACTIVE', 'SUSPENDED');
      IF alive >= (argument ->> 'limit')::bigint THEN RETURN '"key-limit"'; END IF;
    END IF;
    IF argument ->> 'webhook_limit' IS NOT NULL
      AND @is_full_of_callbacks(key.business_id, (argument ->> 'webhook_limit')::bigint) THEN
      RETURN '"webhook-limit"';
    END IF;
    IF NOT @complete_claim(argument -> 'completes') THEN RETURN '"claim-lost"'; END IF;
    INSERT INTO @keys SELECT key.*;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @replace_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    key @keys := jsonb_populate_record(NULL::@keys, argument -> 'key');
    stored @keys;
  BEGIN
    SELECT * INTO stored FROM @keys WHERE business_id = key.business_id AND id = key.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expected_version')::bigint THEN RETURN '"stale"'; END IF;
    IF argument ->> 'webhook_limit' IS NOT NULL AND NOT @has_callbacks(stored)
      AND @is_full_of_callbacks(key.business_id, (argument ->> 'webhook_limit')::bigint) THEN
      RETURN '"webhook-limit"';
    END IF;
    UPDATE @keys SET
      version = key.version, status = key.status, expires_at = key.expires_at, webhook_url = key.webhook_url,
      key_hash = key.key_hash, previous_key_hash = key.previous_key_hash, created_at = key.created_at,
      previous_webhook_secret_until = key.previous_webhook_secret_until, document = key.document
    WHERE business_id = key.business_id AND id = key.id;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @touch_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    used @keys := jsonb_populate_record(NULL::@keys, argument);
  BEGIN
    UPDATE @keys SET last_used_at = used.last_used_at
    WHERE business_id = used.business_id AND id = used.id
      AND (last_used_at IS NULL OR last_used_at < used.last_used_at);
    RETURN '"written"';
  END $$;
`;

type BusinessColumn = "id" | "name" | "time_zone" | "version" | "profile";

interface Arguments {
  insert_business: Columns<BusinessColumn | "tier" | "created_at"> & Audited;
  replace_business: { business: Columns<BusinessColumn>; expected_version: number } & Audited;
  set_business_tier: Columns<"id" | "tier"> & Audited;
  insert_session: {
    session: Columns<
      "business_id" | "id" | "user_id" | "refresh_hash" | "refresh_expires_at" | "created_at" | "ended_at"
    >;
    user: number;
    password_hash: string;
  } & Audited;
  rotate_refresh: Columns<"business_id" | "id" | "expected_hash" | "new_hash" | "new_expires_at" | "now">;
  end_session: Columns<"business_id" | "id" | "now"> & Audited;
  insert_key: {
    key: Columns<KeyColumn | "last_used_at">;
    webhook_limit: number | null;
    limit: number | null;
    completes: IdempotencyRow | null;
  } & Audited;
  replace_key: { key: Columns<KeyColumn>; expected_version: number; webhook_limit: number | null } & Audited;
  touch_key: Columns<"business_id" | "id" | "last_used_at">;
}

type KeyColumn =
  | "business_id"
  | "id"
  | "version"
  | "status"
  | "expires_at"
  | "webhook_url"
  | "key_hash"
  | "previous_key_hash"
  | "created_at"
  | "previous_webhook_secret_until"
  | "document";

export const ACCESS_COMMITS = commitFunctions<Arguments>()({
  insert_business: asCommitted,
  replace_business: asCommitted,
  set_business_tier: asCommitted,
  insert_session: asCommitted,
  rotate_refresh: asCommitted,
  end_session: asCommitted,
  insert_key: asCommitted,
  replace_key: asCommitted,
  touch_key: asCommitted,
});
