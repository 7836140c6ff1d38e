import type { Migration } from "../engine/migrations.js";

/** Businesses, users, keys, the catalog, budgets and what belongs to them. */
export const RECORDS: Migration = {
  version: 1,
  sql: `
    CREATE TABLE budgetkit_ids (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      next INTEGER NOT NULL
    ) STRICT;
    INSERT INTO budgetkit_ids (only_row, next) VALUES (1, 1001);

    CREATE TABLE budgetkit_businesses (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      tier TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE budgetkit_users (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      email TEXT NOT NULL,
      email_key TEXT NOT NULL UNIQUE,
      display_name TEXT NOT NULL,
      avatar_url TEXT,
      role TEXT NOT NULL,
      email_verified INTEGER NOT NULL,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE budgetkit_sessions (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      refresh_hash TEXT NOT NULL,
      refresh_expires_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      ended_at INTEGER,
      PRIMARY KEY (business_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE budgetkit_keys (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      previous_key_hash TEXT,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_keys_by_creation ON budgetkit_keys (business_id, created_at, id);
    CREATE INDEX budgetkit_keys_by_previous_hash ON budgetkit_keys (previous_key_hash)
      WHERE previous_key_hash IS NOT NULL;
    CREATE INDEX budgetkit_keys_with_webhook ON budgetkit_keys (business_id, id)
      WHERE document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL;
    CREATE INDEX budgetkit_keys_by_status
      ON budgetkit_keys (business_id, document ->> 'status', document ->> 'expiresAt');
    CREATE INDEX budgetkit_keys_with_former_secret ON budgetkit_keys (document ->> 'previousWebhookSecretUntil')
      WHERE document ->> 'previousWebhookSecretUntil' IS NOT NULL;
    CREATE INDEX budgetkit_keys_alive ON budgetkit_keys (business_id) WHERE document ->> 'status' <> 'REVOKED';

    CREATE TABLE budgetkit_customers (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name_key TEXT NOT NULL, -- the folded name, for sorting
      created_at INTEGER NOT NULL,
      deleted_at INTEGER,
      cuit TEXT,
      name TEXT NOT NULL,
      email TEXT,
      phone TEXT,
      search_text TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    -- deleted_at is last in the indexes, so that lists and counts without deleted records need no table access.
    CREATE INDEX budgetkit_customers_by_creation ON budgetkit_customers (business_id, created_at, id, deleted_at);
    CREATE INDEX budgetkit_customers_by_name ON budgetkit_customers (business_id, name_key, id, deleted_at);
    CREATE UNIQUE INDEX budgetkit_customers_by_cuit ON budgetkit_customers (business_id, cuit)
      WHERE cuit IS NOT NULL AND deleted_at IS NULL;

    CREATE TABLE budgetkit_products (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name_key TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      deleted_at INTEGER,
      search_text TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_products_by_creation ON budgetkit_products (business_id, created_at, id, deleted_at);
    CREATE INDEX budgetkit_products_by_name ON budgetkit_products (business_id, name_key, id, deleted_at);

    -- The SKUs that products hold. The key has the product, because older products may share a SKU.
    CREATE TABLE budgetkit_skus (
      business_id INTEGER NOT NULL,
      sku TEXT NOT NULL,
      product_id TEXT NOT NULL,
      PRIMARY KEY (business_id, sku, product_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_skus_of_product ON budgetkit_skus (business_id, product_id);

    -- The fields that budgets and packages copy from products, so that no product document is parsed.
    CREATE TABLE budgetkit_product_summaries (
      business_id INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      variant_id TEXT NOT NULL, -- '' = the product itself
      name TEXT NOT NULL,
      sku TEXT,
      unit_price REAL,
      currency TEXT NOT NULL,
      deleted_at INTEGER,
      PRIMARY KEY (business_id, product_id, variant_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE budgetkit_packages (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name_key TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      deleted_at INTEGER,
      search_text TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_packages_by_creation ON budgetkit_packages (business_id, created_at, id, deleted_at);
    CREATE INDEX budgetkit_packages_by_name ON budgetkit_packages (business_id, name_key, id, deleted_at);

    CREATE TABLE budgetkit_budgets (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      status TEXT NOT NULL,
      customer_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      total REAL NOT NULL, -- in major units, for filters and sorting
      created_at INTEGER NOT NULL,
      valid_until INTEGER,
      public_token_hash TEXT,
      search_text TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    -- status is last in the indexes, so that lists and counts without deleted budgets need no table access.
    CREATE INDEX budgetkit_budgets_by_creation ON budgetkit_budgets (business_id, created_at, id, status);
    CREATE INDEX budgetkit_budgets_by_status ON budgetkit_budgets (business_id, status, created_at, id);
    CREATE INDEX budgetkit_budgets_by_customer ON budgetkit_budgets (business_id, customer_id, created_at, id, status);
    CREATE INDEX budgetkit_budgets_by_total ON budgetkit_budgets (business_id, total, created_at, id, status);
    CREATE INDEX budgetkit_budgets_overdue ON budgetkit_budgets (valid_until)
      WHERE status = 'PENDING' AND valid_until IS NOT NULL;
    CREATE INDEX budgetkit_budgets_overdue_of_business ON budgetkit_budgets (business_id, valid_until)
      WHERE status = 'PENDING' AND valid_until IS NOT NULL;
    CREATE UNIQUE INDEX budgetkit_budgets_by_public_token ON budgetkit_budgets (public_token_hash)
      WHERE public_token_hash IS NOT NULL;

    CREATE TABLE budgetkit_budget_counts (
      business_id INTEGER NOT NULL,
      status TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (business_id, status)
    ) STRICT, WITHOUT ROWID;

    -- total = total_high * 2^26 + total_low: sums of the two parts stay exact where a sum of totals would overflow.
    CREATE TABLE budgetkit_budget_sums (
      business_id INTEGER NOT NULL,
      status TEXT NOT NULL,
      currency TEXT NOT NULL,
      budgets INTEGER NOT NULL,
      total_high INTEGER NOT NULL,
      total_low INTEGER NOT NULL,
      PRIMARY KEY (business_id, status, currency)
    ) STRICT, WITHOUT ROWID;

    -- Earlier revisions. The current one is the row of the budget.
    CREATE TABLE budgetkit_budget_revisions (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, revision)
    ) STRICT;

    CREATE TABLE budgetkit_payments (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      reference TEXT NOT NULL,
      id INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      currency TEXT NOT NULL,
      paid_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_payments_by_creation ON budgetkit_payments (business_id, budget_id, created_at, id);

    CREATE TABLE budgetkit_attachments (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_attachments_by_creation ON budgetkit_attachments (business_id, budget_id, created_at, id);
    CREATE INDEX budgetkit_attachments_by_id ON budgetkit_attachments (id);

    -- Bytes that count against the upload limit: uploads in progress and those of the last hour.
    CREATE TABLE budgetkit_uploads (
      subject TEXT NOT NULL,
      hold_id TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      leaves_at INTEGER NOT NULL,
      PRIMARY KEY (subject, hold_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_uploads_by_end ON budgetkit_uploads (leaves_at);
  `,
};
