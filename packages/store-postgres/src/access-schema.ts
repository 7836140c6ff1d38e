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

export const ACCESS_FUNCTIONS = "";

export const ACCESS_CALLS: readonly string[] = [];
