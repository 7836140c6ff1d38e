import { ALONG_INDEXES } from "./planner-settings.js";

/** Businesses, their users, the sessions of those and their API keys. */
export const ACCESS_TABLES = `
  CREATE TABLE @businesses (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    tier text COLLATE "C" NOT NULL,
    time_zone text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL
  );

  CREATE TABLE @users (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    email text COLLATE "C" NOT NULL,
    email_key text COLLATE "C" NOT NULL,
    display_name text COLLATE "C" NOT NULL,
    avatar_url text COLLATE "C",
    role text COLLATE "C" NOT NULL,
    email_verified boolean NOT NULL,
    password_hash text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (business_id, id)
  );
  CREATE UNIQUE INDEX users_by_email ON @users (email_key);

  CREATE TABLE @sessions (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    refresh_hash text COLLATE "C" NOT NULL,
    refresh_expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    ended_at bigint -- null = live
  );
  CREATE INDEX sessions_by_end ON @sessions (least(ended_at, refresh_expires_at)); -- least passes over null
  ALTER TABLE @sessions ADD PRIMARY KEY (business_id, id);

  CREATE TABLE @keys (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    expires_at bigint,
    webhook_url text COLLATE "C",
    key_hash text COLLATE "C" NOT NULL,
    previous_key_hash text COLLATE "C",
    created_at bigint NOT NULL,
    last_used_at bigint, -- in the place of the document's, so that a use rewrites neither that nor an index
    previous_webhook_secret_until bigint,
    document text NOT NULL
  ) WITH (fillfactor = 70);
  CREATE UNIQUE INDEX keys_by_hash ON @keys (key_hash);
  CREATE INDEX keys_by_previous_hash ON @keys (previous_key_hash) WHERE previous_key_hash IS NOT NULL;
  CREATE INDEX keys_by_creation ON @keys (business_id, created_at, id);
  CREATE INDEX keys_by_status ON @keys (business_id, status, expires_at);
  CREATE INDEX keys_with_webhook ON @keys (business_id, id) WHERE status = 'ACTIVE' AND webhook_url IS NOT NULL;
  CREATE INDEX keys_with_former_secret ON @keys (previous_webhook_secret_until)
    WHERE previous_webhook_secret_until IS NOT NULL;
  ALTER TABLE @keys ADD PRIMARY KEY (business_id, id);
`;

export const ACCESS_FUNCTIONS = `
  CREATE FUNCTION @insert_business(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @businesses SELECT * FROM jsonb_populate_record(NULL::@businesses, argument);
    RETURN 'null';
  END $$;

  CREATE FUNCTION @set_business_tier(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @businesses SET tier = argument ->> 'tier' WHERE id = (argument ->> 'id')::bigint;
    RETURN to_jsonb(FOUND);
  END $$;

  CREATE FUNCTION @insert_user(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @users SELECT * FROM jsonb_populate_record(NULL::@users, argument)
    ON CONFLICT (email_key) DO NOTHING;
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"taken"' END;
  END $$;

  CREATE FUNCTION @replace_password_hash(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @users SET password_hash = argument ->> 'hash'
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint
      AND password_hash = argument ->> 'expected_hash';
    RETURN CASE WHEN FOUND THEN '"written"' ELSE '"stale"' END;
  END $$;

  CREATE FUNCTION @reset_password_hash(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    ended integer;
  BEGIN
    UPDATE @users SET password_hash = argument ->> 'hash'
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = (argument ->> 'id')::bigint;
    IF NOT FOUND THEN RETURN 'null'; END IF;
    UPDATE @sessions SET ended_at = (argument ->> 'now')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND user_id = argument ->> 'user_id' AND ended_at IS NULL;
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN to_jsonb(ended);
  END $$;

  -- The business is locked, as it is for whoever replaces the hash.
  CREATE FUNCTION @insert_session(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    begun @sessions := jsonb_populate_record(NULL::@sessions, argument -> 'session');
  BEGIN
    PERFORM FROM @users
    WHERE business_id = begun.business_id AND id = (argument ->> 'user')::bigint
      AND password_hash = argument ->> 'password_hash';
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    INSERT INTO @sessions SELECT begun.*;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @rotate_refresh(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @sessions SET
      refresh_hash = argument ->> 'new_hash', refresh_expires_at = (argument ->> 'new_expires_at')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = argument ->> 'id'
      AND refresh_hash = argument ->> 'expected_hash' AND ended_at IS NULL
      AND refresh_expires_at > (argument ->> 'now')::bigint;
    RETURN CASE WHEN FOUND THEN '"rotated"' ELSE '"refused"' END;
  END $$;

  CREATE FUNCTION @end_session(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @sessions SET ended_at = (argument ->> 'now')::bigint
    WHERE business_id = (argument ->> 'business_id')::bigint AND id = argument ->> 'id' AND ended_at IS NULL;
    RETURN to_jsonb(FOUND);
  END $$;

  CREATE FUNCTION @prune_sessions(before bigint, how_many integer) RETURNS integer
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

  CREATE FUNCTION @has_callbacks(key @keys) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT key.status = 'ACTIVE' AND key.webhook_url IS NOT NULL
  $$;

  -- Whether as many keys of the business have callbacks as may; no limit is null.
  CREATE FUNCTION @is_full_of_callbacks(business bigint, callback_limit bigint) RETURNS boolean LANGUAGE sql AS $$
    SELECT callback_limit IS NOT NULL AND callback_limit <= (
      SELECT count(*) FROM @keys WHERE business_id = business AND status = 'ACTIVE' AND webhook_url IS NOT NULL
    )
  $$;

  CREATE FUNCTION @insert_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    key @keys := jsonb_populate_record(NULL::@keys, argument -> 'key');
    alive bigint;
  BEGIN
    IF argument ->> 'limit' IS NOT NULL THEN
      SELECT count(*) INTO alive FROM @keys WHERE business_id = key.business_id AND status IN ('ACTIVE', 'SUSPENDED');
      IF alive >= (argument ->> 'limit')::bigint THEN RETURN '"too-many"'; END IF;
    END IF;
    IF @has_callbacks(key) AND @is_full_of_callbacks(key.business_id, (argument ->> 'webhook_limit')::bigint) THEN
      RETURN '"full"';
    END IF;
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    INSERT INTO @keys SELECT key.*;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    key @keys := jsonb_populate_record(NULL::@keys, argument -> 'key');
    stored @keys;
  BEGIN
    DELETE FROM @key_changes
    WHERE business_id = key.business_id AND key_id = key.id AND id = (argument ->> 'change')::uuid;
    IF NOT FOUND THEN RETURN '"unfenced"'; END IF;
    SELECT * INTO stored FROM @keys WHERE business_id = key.business_id AND id = key.id;
    IF NOT FOUND OR stored.version <> (argument ->> 'expected_version')::bigint THEN RETURN '"stale"'; END IF;
    IF @has_callbacks(key) AND NOT @has_callbacks(stored)
      AND @is_full_of_callbacks(key.business_id, (argument ->> 'webhook_limit')::bigint) THEN
      RETURN '"full"';
    END IF;
    UPDATE @keys SET
      version = key.version, status = key.status, expires_at = key.expires_at, webhook_url = key.webhook_url,
      key_hash = key.key_hash, previous_key_hash = key.previous_key_hash, created_at = key.created_at,
      previous_webhook_secret_until = key.previous_webhook_secret_until, document = key.document
    WHERE business_id = key.business_id AND id = key.id;
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @touch_key(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    used @keys := jsonb_populate_record(NULL::@keys, argument);
  BEGIN
    UPDATE @keys SET last_used_at = used.last_used_at
    WHERE business_id = used.business_id AND id = used.id
      AND (last_used_at IS NULL OR last_used_at < used.last_used_at);
    RETURN 'null';
  END $$;
`;

export const ACCESS_CALLS = [
  "insert_business",
  "set_business_tier",
  "insert_user",
  "replace_password_hash",
  "reset_password_hash",
  "insert_session",
  "rotate_refresh",
  "end_session",
  "insert_key",
  "replace_key",
  "touch_key",
];
