import { ATTACHMENT_MIGRATION } from "./attachment-schema.js";
import { CATALOG_MIGRATION } from "./catalog-schema.js";
import { DELIVERY_ORIGIN_MIGRATION } from "./delivery-origin-schema.js";
import { INTEGRATION_MIGRATION } from "./integration-schema.js";
import { KEY_CAPS_MIGRATION } from "./key-caps-schema.js";
import type { Migration } from "./migrations.js";
import { PAYMENT_MIGRATION } from "./payment-schema.js";
import { PRODUCT_SUMMARY_MIGRATION } from "./product-summary-schema.js";
import { REVISION_MIGRATION } from "./revision-schema.js";
import { USAGE_MIGRATION } from "./usage-schema.js";
import { WEBHOOK_CAPS_MIGRATION } from "./webhook-caps-schema.js";
import { WEBHOOK_MIGRATION } from "./webhook-schema.js";

/**
 * The schema, step by step. Names carry a prefix because the database may be the host's own.
 *
 * Large documents are the last column of ordinary rowid tables: in a WITHOUT ROWID table they would sit in the nodes of
 * the index itself. The small tables, all key and little else, are WITHOUT ROWID.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE budgetkit_ids (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        next INTEGER NOT NULL
      ) STRICT;
      INSERT INTO budgetkit_ids (only_row, next) VALUES (1, 1001);

      CREATE TABLE budgetkit_budgets (
        business_id INTEGER NOT NULL,
        id INTEGER NOT NULL,
        version INTEGER NOT NULL,
        status TEXT NOT NULL,
        customer_id TEXT NOT NULL,
        currency TEXT NOT NULL,
        total REAL NOT NULL, -- in major units, as it is filtered and sorted
        created_at INTEGER NOT NULL,
        valid_until INTEGER,
        public_token_hash TEXT,
        search_text TEXT NOT NULL,
        document TEXT NOT NULL,
        PRIMARY KEY (business_id, id)
      ) STRICT;
      -- The status at the end lets lists that leave deleted budgets out, and counts, stay within the index.
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

      CREATE TABLE budgetkit_events (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        business_id INTEGER NOT NULL,
        id TEXT NOT NULL,
        type TEXT NOT NULL,
        occurred_at INTEGER NOT NULL,
        subject_id TEXT NOT NULL,
        document TEXT NOT NULL
      ) STRICT;
      CREATE INDEX budgetkit_events_of_business ON budgetkit_events (business_id, sequence);
      CREATE INDEX budgetkit_events_of_subject ON budgetkit_events (business_id, subject_id, sequence);

      CREATE TABLE budgetkit_claims (
        business_id INTEGER NOT NULL,
        key TEXT NOT NULL,
        claim_id TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        lease_until INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        response TEXT, -- null until the claim is completed
        PRIMARY KEY (business_id, key)
      ) STRICT;
      CREATE INDEX budgetkit_claims_by_expiry ON budgetkit_claims (expires_at);

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

      CREATE TABLE budgetkit_customers (
        business_id INTEGER NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        email TEXT,
        phone TEXT,
        PRIMARY KEY (business_id, id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE budgetkit_products (
        business_id INTEGER NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        sku TEXT,
        PRIMARY KEY (business_id, id)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  WEBHOOK_MIGRATION,
  CATALOG_MIGRATION,
  USAGE_MIGRATION,
  ATTACHMENT_MIGRATION,
  PAYMENT_MIGRATION,
  INTEGRATION_MIGRATION,
  REVISION_MIGRATION,
  WEBHOOK_CAPS_MIGRATION,
  PRODUCT_SUMMARY_MIGRATION,
  DELIVERY_ORIGIN_MIGRATION,
  KEY_CAPS_MIGRATION,
];

/** The file of the limiter: the exact log of what was admitted, and until when each subject has anything in it. */
export const LIMIT_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE budgetkit_admissions (
        subject TEXT NOT NULL,
        at INTEGER NOT NULL,
        number INTEGER NOT NULL, -- counts the subject's admissions, without gaps
        PRIMARY KEY (subject, at, number)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE budgetkit_subjects (
        subject TEXT PRIMARY KEY,
        longest_ms INTEGER NOT NULL,
        asked_at INTEGER NOT NULL, -- at the first admission and at refusals; of the others the log itself tells
        idle_at INTEGER NOT NULL -- not idle before; admissions do not move it, the pruner does
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX budgetkit_subjects_by_idleness ON budgetkit_subjects (idle_at);
    `,
  },
];
