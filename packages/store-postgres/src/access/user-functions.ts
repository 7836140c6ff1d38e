import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { Audited } from "../events/event-functions.js";

export const USER_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @insert_user(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @users SELECT * FROM jsonb_populate_record(NULL::@users, argument -> 'user')
    ON CONFLICT (email_key) DO NOTHING;
    IF NOT FOUND THEN
      RETURN jsonb_build_object('taken', 'email', 'value', argument #> '{user,email_key}');
    END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @replace_password_hash(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @users SET password_hash = argument ->> 'hash', version = version + 1
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint
      AND password_hash = argument ->> 'expected_hash';
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"stale"' END;
  END $$;

  -- The condition is that of isActiveOwner in core.
  CREATE OR REPLACE FUNCTION @is_active_owner(account @users) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT account.role = 'OWNER' AND account.disabled_at IS NULL AND account.password_hash <> ''
  $$;

  -- The lock of the business orders the changes of its users.
  CREATE OR REPLACE FUNCTION @is_last_owner(account @users) RETURNS boolean LANGUAGE sql AS $$
    SELECT @is_active_owner(account) AND NOT EXISTS (
      SELECT FROM @users AS other
      WHERE other.business_id = account.business_id AND other.id <> account.id AND @is_active_owner(other)
    )
  $$;

  CREATE OR REPLACE FUNCTION @end_sessions_of(account @users, ended bigint, kept text) RETURNS void LANGUAGE sql AS $$
    UPDATE @sessions SET ended_at = ended
    WHERE business_id = account.business_id AND user_id = account.id::text AND ended_at IS NULL
      AND id IS DISTINCT FROM kept
  $$;

  CREATE OR REPLACE FUNCTION @replace_user(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    account @users := jsonb_populate_record(NULL::@users, argument -> 'user');
    stored @users;
  BEGIN
    SELECT * INTO stored FROM @users WHERE business_id = account.business_id AND id = account.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expected_version')::bigint THEN RETURN '"stale"'; END IF;
    IF (argument ->> 'keeps_owner')::boolean AND @is_last_owner(stored) THEN RETURN '"last-owner"'; END IF;
    BEGIN
      UPDATE @users SET
        email = account.email, email_key = account.email_key, display_name = account.display_name,
        avatar_url = account.avatar_url, role = account.role, email_verified = account.email_verified,
        password_hash = account.password_hash, version = account.version, disabled_at = account.disabled_at,
        one_time_token = account.one_time_token, second_factor = account.second_factor
      WHERE business_id = account.business_id AND id = account.id;
    EXCEPTION WHEN unique_violation THEN
      RETURN jsonb_build_object('taken', 'email', 'value', account.email_key);
    END;
    IF argument ->> 'sessions_end' IS NOT NULL THEN
      PERFORM @end_sessions_of(account, (argument ->> 'sessions_end')::bigint, argument ->> 'kept_session');
    END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @remove_user(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    stored @users;
  BEGIN
    SELECT * INTO stored FROM @users
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    IF NOT FOUND OR stored.version <> (argument ->> 'expected_version')::bigint THEN RETURN '"stale"'; END IF;
    IF @is_last_owner(stored) THEN RETURN '"last-owner"'; END IF;
    DELETE FROM @users WHERE business_id = stored.business_id AND id = stored.id;
    PERFORM @end_sessions_of(stored, (argument ->> 'sessions_end')::bigint, NULL);
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;
`;

type UserColumn =
  | "business_id"
  | "id"
  | "email"
  | "email_key"
  | "display_name"
  | "avatar_url"
  | "role"
  | "email_verified"
  | "password_hash"
  | "created_at"
  | "version"
  | "disabled_at"
  | "one_time_token"
  | "second_factor";

interface Arguments {
  insert_user: { user: Columns<UserColumn> } & Audited;
  replace_user: {
    user: Columns<UserColumn>;
    expected_version: number;
    keeps_owner: boolean; // refused for the only active OWNER of the business
    sessions_end: number | null; // null = the sessions stay
    kept_session: string | null; // null = none
  } & Audited;
  remove_user: Columns<"business_id" | "id" | "expected_version" | "sessions_end"> & Audited;
  replace_password_hash: Columns<"business_id" | "id" | "expected_hash" | "hash">;
}

export const USER_COMMITS = commitFunctions<Arguments>()({
  insert_user: asCommitted,
  replace_user: asCommitted,
  remove_user: asCommitted,
  replace_password_hash: asCommitted,
});
