CREATE TABLE budgetkit_migrations (version INTEGER PRIMARY KEY, checksum TEXT NOT NULL) STRICT;
CREATE TABLE budgetkit_ids (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        next INTEGER NOT NULL
      ) STRICT;
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
CREATE TABLE budgetkit_endpoints (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
CREATE INDEX budgetkit_endpoints_by_creation ON budgetkit_endpoints (business_id, created_at, id);
CREATE INDEX budgetkit_keys_with_webhook ON budgetkit_keys (business_id, id)
      WHERE document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL;
CREATE TABLE budgetkit_undispatched_events (
      sequence INTEGER PRIMARY KEY,
      business_id INTEGER NOT NULL
    ) STRICT;
CREATE INDEX budgetkit_events_by_age ON budgetkit_events (occurred_at);
CREATE TABLE budgetkit_deliveries (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      subscriber_kind TEXT NOT NULL,
      subscriber_id INTEGER NOT NULL,
      event_id TEXT,
      event_type TEXT NOT NULL,
      status TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      attempts_in_round INTEGER NOT NULL,
      next_attempt_at INTEGER,
      deadline_at INTEGER NOT NULL,
      lease_id TEXT,
      lease_until INTEGER,
      response_code INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      -- From when on it may be claimed; null = never, as it stands.
      due_at INTEGER AS (
        CASE WHEN status IN ('pending', 'retrying') THEN max(next_attempt_at, coalesce(lease_until, next_attempt_at)) END
      ) VIRTUAL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
CREATE INDEX budgetkit_deliveries_unfinished
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, due_at, id)
      WHERE status IN ('pending', 'retrying');
CREATE INDEX budgetkit_deliveries_finished ON budgetkit_deliveries (updated_at)
      WHERE status IN ('delivered', 'failed', 'cancelled');
CREATE INDEX budgetkit_deliveries_by_creation ON budgetkit_deliveries (business_id, created_at, id, event_type);
CREATE INDEX budgetkit_deliveries_by_status
      ON budgetkit_deliveries (business_id, status, created_at, id, event_type);
CREATE INDEX budgetkit_deliveries_of_subscriber
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, created_at, id, status, event_type);
CREATE TABLE budgetkit_delivery_bodies (
      business_id INTEGER NOT NULL,
      delivery_id INTEGER NOT NULL,
      body TEXT NOT NULL, origin TEXT,
      PRIMARY KEY (business_id, delivery_id)
    ) STRICT;
CREATE TABLE budgetkit_delivery_queues (
      business_id INTEGER NOT NULL,
      subscriber_kind TEXT NOT NULL,
      subscriber_id INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      PRIMARY KEY (business_id, subscriber_kind, subscriber_id)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX budgetkit_delivery_queues_by_due ON budgetkit_delivery_queues (due_at);
CREATE TABLE budgetkit_attempts (
      business_id INTEGER NOT NULL,
      delivery_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL,
      response_code INTEGER,
      error TEXT,
      response_body TEXT,
      PRIMARY KEY (business_id, delivery_id, number)
    ) STRICT;
CREATE TABLE budgetkit_customers (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name_key TEXT NOT NULL, -- the folded name, as it is sorted
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
CREATE TABLE budgetkit_skus (
      business_id INTEGER NOT NULL,
      sku TEXT NOT NULL,
      product_id TEXT NOT NULL,
      PRIMARY KEY (business_id, sku, product_id)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX budgetkit_skus_of_product ON budgetkit_skus (business_id, product_id);
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
CREATE TABLE budgetkit_usage (
      business_id INTEGER NOT NULL,
      key_id INTEGER NOT NULL, -- -1 = all keys of the business
      grain TEXT NOT NULL,
      at INTEGER NOT NULL,
      method TEXT NOT NULL,
      path TEXT NOT NULL,
      requests INTEGER NOT NULL,
      errors INTEGER NOT NULL,
      refusals INTEGER NOT NULL,
      duration_us INTEGER NOT NULL,
      PRIMARY KEY (business_id, key_id, grain, at, path, method)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX budgetkit_usage_by_age ON budgetkit_usage (grain, at);
CREATE TABLE budgetkit_budget_sums (
      business_id INTEGER NOT NULL,
      status TEXT NOT NULL,
      currency TEXT NOT NULL,
      budgets INTEGER NOT NULL,
      total_high INTEGER NOT NULL,
      total_low INTEGER NOT NULL,
      PRIMARY KEY (business_id, status, currency)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX budgetkit_keys_by_status
      ON budgetkit_keys (business_id, document ->> 'status', document ->> 'expiresAt');
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
CREATE TABLE budgetkit_uploads (
      subject TEXT NOT NULL,
      hold_id TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      leaves_at INTEGER NOT NULL,
      PRIMARY KEY (subject, hold_id)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX budgetkit_uploads_by_end ON budgetkit_uploads (leaves_at);
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
CREATE TABLE budgetkit_integrations (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
CREATE INDEX budgetkit_integrations_by_creation ON budgetkit_integrations (business_id, created_at, id);
CREATE TABLE budgetkit_budget_revisions (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, revision)
    ) STRICT;
CREATE INDEX budgetkit_deliveries_undelivered
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, created_at, id)
      WHERE status IN ('failed', 'cancelled') AND event_id IS NOT NULL;
CREATE INDEX budgetkit_keys_with_former_secret ON budgetkit_keys (document ->> 'previousWebhookSecretUntil')
      WHERE document ->> 'previousWebhookSecretUntil' IS NOT NULL;
CREATE INDEX budgetkit_endpoints_with_former_secret ON budgetkit_endpoints (document ->> 'previousSecretUntil')
      WHERE document ->> 'previousSecretUntil' IS NOT NULL;
CREATE TABLE budgetkit_product_summaries (
      business_id INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      variant_id TEXT NOT NULL,
      name TEXT NOT NULL,
      sku TEXT,
      unit_price REAL,
      currency TEXT NOT NULL,
      deleted_at INTEGER,
      PRIMARY KEY (business_id, product_id, variant_id)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX budgetkit_keys_alive ON budgetkit_keys (business_id) WHERE document ->> 'status' <> 'REVOKED';
INSERT INTO budgetkit_migrations (version, checksum) VALUES (1, 'c5f157eda8f4793f26deaae66190ac053a20368a81eb42a1e87c898a30f0fa86');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (2, 'f0b5196e759b45537668963b494dfad5f0f141386b0085810a892f3d9691c2b1');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (3, '2858c3455b9bdc790be3e5ccaefa262e0936f4b864c70f7477505f4758d0ff2a');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (4, 'db42b93d618a503596ff78469f59e67491afd67805d9a1a60c6b62095f67a4f4');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (5, '1a405a9c519f5b5b34de42ef42b0a491210a0299b98ddce24a3131de4dbf7333');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (6, 'd7f9a8c0edc5fca0b5351d834627d8aa73f9b233c0e0625cdbd45e3ccb7b25cc');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (7, '5dfc2a6d1ffb179a18e2bd1279c0578a8c1dc3016991c304a5432a80672ba83a');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (8, '3ae0e5b905affbbef910998da4ccffb15026187edf4617b4d5541820dbbbe158');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (9, '8a438b79fd2789b06b81af64fde85c18ba8d23e4f7f0758593867304cf47f14e');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (10, '9cc02b3ca486d5476a07563a568422c221d355c7b101e072284cf8fa67418792');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (11, 'c95f39a7d4bc587451ebc18db5625dd0b57f29ae39718cf312516f9be6bdd168');
INSERT INTO budgetkit_migrations (version, checksum) VALUES (12, 'abe04e44729735bb423bbca379eadb1a47800f2a041e00904831c8f698dae813');
INSERT INTO budgetkit_ids (only_row, next) VALUES (1, 1501);
INSERT INTO budgetkit_budgets (business_id, id, version, status, customer_id, currency, total, created_at, valid_until, public_token_hash, search_text, document) VALUES (1, 10, 3, 'PENDING', '500', 'USD', 121, 1768478400000, NULL, NULL, 'changedoak table', '{"businessId":"1","id":"10","version":3,"revision":2,"revised":{"at":1768478400000,"by":"key:20","changes":[],"asked":true},"customerId":"500","status":"PENDING","currency":"USD","items":[{"id":"11","productId":null,"variantId":null,"packageId":null,"description":"Oak table","quantity":2,"unitPrice":50,"total":10000,"discount":0,"tax":2100}],"taxRate":0.21,"subtotal":10000,"discount":0,"tax":2100,"total":12100,"paid":5000,"notes":"changed","validUntil":null,"metadata":{"":[null,true,1e+21,-0.1,{}]},"createdAt":1768478400000,"createdBy":"key:20","updatedAt":1768478400000,"approvedAt":null,"approvedBy":null,"acceptance":null,"deletion":null,"publicTokenHash":null,"publicOffer":null}');
INSERT INTO budgetkit_budget_counts (business_id, status, n) VALUES (1, 'PENDING', 1);
INSERT INTO budgetkit_events (sequence, business_id, id, type, occurred_at, subject_id, document) VALUES (1, 1, '90', 'budget.created', 1768478400000, '10', '{"businessId":"1","id":"90","type":"budget.created","occurredAt":1768478400000,"actor":"key:20","subjectId":"10","data":{"budgetId":"10"},"change":{"fields":[],"from":null,"to":"PENDING","reason":null}}');
INSERT INTO budgetkit_events (sequence, business_id, id, type, occurred_at, subject_id, document) VALUES (2, 1, '95', 'api_key.secret_read', 1768478400000, '20', '{"businessId":"1","id":"95","type":"api_key.secret_read","occurredAt":1768478400000,"actor":"user:30","subjectId":"20","data":{},"change":{"fields":[],"from":null,"to":null,"reason":null}}');
INSERT INTO budgetkit_claims (business_id, key, claim_id, fingerprint, lease_until, expires_at, response) VALUES (1, 'client-key', 'claim-1', 'fingerprint-1', 1768478460000, 1768564800000, NULL);
INSERT INTO budgetkit_businesses (id, name, tier, time_zone, created_at) VALUES (1, 'Carpintería Norte', 'STANDARD', 'UTC', 1768478400000);
INSERT INTO budgetkit_users (business_id, id, email, email_key, display_name, avatar_url, role, email_verified, password_hash, created_at) VALUES (1, 30, 'Ana@example.com', 'ana@example.com', 'Ana', NULL, 'OWNER', 1, 'hash-of-password', 1768478400000);
INSERT INTO budgetkit_sessions (business_id, id, user_id, refresh_hash, refresh_expires_at, created_at, ended_at) VALUES (1, '40', '30', 'hash-of-refresh-1', 1771070400000, 1768478400000, NULL);
INSERT INTO budgetkit_keys (business_id, id, version, key_hash, previous_key_hash, created_at, last_used_at, document) VALUES (1, 20, 1, 'hash-of-key-20', NULL, 1768478400000, NULL, '{"businessId":"1","id":"20","version":1,"name":"Web shop","description":null,"scopes":["READ_BUDGETS","WRITE_BUDGETS"],"status":"ACTIVE","rateLimitPerHour":1000,"allowedIps":null,"expiresAt":null,"webhookUrl":"https://shop.example/?a=1&b=ñ","sealedWebhookSecret":"v1.sealed","previousSealedWebhookSecret":null,"previousWebhookSecretUntil":null,"keyPrefix":"bgk_live_abc","keyHash":"hash-of-key-20","previousKeyHash":null,"previousKeyExpiresAt":null,"createdAt":1768478400000,"updatedAt":1768478400000,"revokedAt":null,"lastUsedAt":null}');
INSERT INTO budgetkit_endpoints (business_id, id, version, status, created_at, document) VALUES (1, 60, 1, 'ACTIVE', 1768478400000, '{"businessId":"1","id":"60","version":1,"url":"https://receiver.example/hooks","description":null,"events":null,"status":"ACTIVE","disabledReason":null,"allowedIps":null,"retryDelaysSeconds":[0,60,300],"sealedSecret":"v1.sealed","previousSealedSecret":null,"previousSecretUntil":null,"failingSince":null,"healthRound":1,"createdAt":1768478400000,"updatedAt":1768478400000}');
INSERT INTO budgetkit_undispatched_events (sequence, business_id) VALUES (1, 1);
INSERT INTO budgetkit_deliveries (business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round, next_attempt_at, deadline_at, lease_id, lease_until, response_code, created_at, updated_at) VALUES (1, 70, 'endpoint', 60, '90', 'budget.created', 'retrying', 1, 1, 1768478460000, 1768564800000, NULL, NULL, 200, 1768478400000, 1768478420000);
INSERT INTO budgetkit_delivery_bodies (business_id, delivery_id, body, origin) VALUES (1, 70, '{"event":"budget.created"}', NULL);
INSERT INTO budgetkit_delivery_queues (business_id, subscriber_kind, subscriber_id, due_at) VALUES (1, 'endpoint', 60, 1768478460000);
INSERT INTO budgetkit_attempts (business_id, delivery_id, number, started_at, duration_ms, response_code, error, response_body) VALUES (1, 70, 1, 1768478400000, 120, 200, NULL, 'ok');
INSERT INTO budgetkit_customers (business_id, id, version, name_key, created_at, deleted_at, cuit, name, email, phone, search_text, document) VALUES (1, '500', 1, 'bruno', 1768478400000, NULL, NULL, 'Bruno', 'bruno@example.com', '+54 11 5555-0000', 'brunobruno@example.com+54 11 5555-0000', '{"businessId":"1","version":1,"metadata":{},"createdAt":1768478400000,"updatedAt":1768478400000,"deletedAt":null,"id":"500","name":"Bruno","email":"bruno@example.com","phone":"+54 11 5555-0000","dni":null,"cuit":null,"taxCondition":null,"address":null,"externalId":null}');
INSERT INTO budgetkit_products (business_id, id, version, name_key, created_at, deleted_at, search_text, document) VALUES (1, '700', 1, 'oak table', 1768478400000, NULL, 'oak tableoakoak table, dark', '{"businessId":"1","version":1,"metadata":{},"createdAt":1768478400000,"updatedAt":1768478400000,"deletedAt":null,"id":"700","name":"Oak table","description":null,"sku":"OAK","unitPrice":450,"currency":"USD","taxRate":null,"active":true,"options":[],"variants":[{"id":"v-1","name":"Oak table, dark","sku":null,"options":{},"unitPrice":null,"active":true}]}');
INSERT INTO budgetkit_skus (business_id, sku, product_id) VALUES (1, 'OAK', '700');
INSERT INTO budgetkit_packages (business_id, id, version, name_key, created_at, deleted_at, search_text, document) VALUES (1, '800', 1, 'dining room', 1768478400000, NULL, 'dining room', '{"businessId":"1","version":1,"metadata":{},"createdAt":1768478400000,"updatedAt":1768478400000,"deletedAt":null,"id":"800","name":"Dining room","description":null,"price":null,"currency":"USD","active":true,"items":[{"productId":"700","variantId":null,"quantity":1}]}');
INSERT INTO budgetkit_usage (business_id, key_id, grain, at, method, path, requests, errors, refusals, duration_us) VALUES (1, 20, 'minute', 1768478400000, 'GET', '/api/public/budgets/{budgetId}', 3, 1, 0, 4500);
INSERT INTO budgetkit_budget_sums (business_id, status, currency, budgets, total_high, total_low) VALUES (1, 'PENDING', 'USD', 1, 0, 12100);
INSERT INTO budgetkit_attachments (business_id, budget_id, id, created_at, document) VALUES (1, 10, 80, 1768478400000, '{"businessId":"1","budgetId":"10","id":"80","fileName":"offer.pdf","contentType":"application/pdf","size":3,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","createdAt":1768478400000,"createdBy":"key:20"}');
INSERT INTO budgetkit_uploads (subject, hold_id, bytes, leaves_at) VALUES ('key:1:20', 'hold', 10, 1768482000000);
INSERT INTO budgetkit_payments (business_id, budget_id, reference, id, amount, currency, paid_at, created_at, created_by) VALUES (1, 10, 'transfer 1', 80, 5000, 'USD', 1768478400000, 1768478400000, 'key:20');
INSERT INTO budgetkit_integrations (business_id, id, version, created_at, document) VALUES (1, 50, 1, 1768478400000, '{"businessId":"1","id":"50","version":1,"name":"Web shop","description":null,"status":"ACTIVE","apiKeyId":null,"webhookIds":[],"config":{},"createdAt":1768478400000,"updatedAt":1768478400000}');
INSERT INTO budgetkit_budget_revisions (business_id, budget_id, revision, document) VALUES (1, 10, 1, '{"businessId":"1","id":"10","version":1,"revision":1,"revised":{"at":1768478400000,"by":"key:20","changes":[],"asked":true},"customerId":"500","status":"PENDING","currency":"USD","items":[{"id":"11","productId":null,"variantId":null,"packageId":null,"description":"Oak table","quantity":2,"unitPrice":50,"total":10000,"discount":0,"tax":2100}],"taxRate":0.21,"subtotal":10000,"discount":0,"tax":2100,"total":12100,"paid":0,"notes":"ñ \"quoted\" 🪑 \\   </b>","validUntil":null,"metadata":{"":[null,true,1e+21,-0.1,{}]},"createdAt":1768478400000,"createdBy":"key:20","updatedAt":1768478400000,"approvedAt":null,"approvedBy":null,"acceptance":null,"deletion":null,"publicTokenHash":null,"publicOffer":null}');
INSERT INTO budgetkit_product_summaries (business_id, product_id, variant_id, name, sku, unit_price, currency, deleted_at) VALUES (1, '700', '', 'Oak table', 'OAK', 450, 'USD', NULL);
INSERT INTO budgetkit_product_summaries (business_id, product_id, variant_id, name, sku, unit_price, currency, deleted_at) VALUES (1, '700', 'v-1', 'Oak table, dark', 'OAK', 450, 'USD', NULL);
