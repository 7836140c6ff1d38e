import { ACCESS_CALLS, ACCESS_FUNCTIONS, ACCESS_TABLES } from "./access-schema.js";
import { ATTACHMENT_CALLS, ATTACHMENT_FUNCTIONS, ATTACHMENT_TABLES } from "./attachment-schema.js";
import { BUDGET_BULK_CALLS, BUDGET_CALLS, BUDGET_FUNCTIONS, BUDGET_TABLES } from "./budget-schema.js";
import { CATALOG_CALLS, CATALOG_FUNCTIONS, CATALOG_TABLES } from "./catalog-schema.js";
import { COMMIT_TABLES, performFunction } from "./commit-schema.js";
import { EVENT_CALLS, EVENT_FUNCTIONS, EVENT_TABLES } from "./event-schema.js";
import { INTEGRATION_CALLS, INTEGRATION_FUNCTIONS, INTEGRATION_TABLES } from "./integration-schema.js";
import { KEY_CACHE_CALLS, KEY_CACHE_FUNCTIONS, KEY_CACHE_TABLES } from "./key-cache-schema.js";
import { LIMIT_CALLS, LIMIT_FUNCTIONS, LIMIT_TABLES } from "./limit-schema.js";
import type { Migration } from "./migrations.js";
import { UPLOAD_FUNCTIONS, UPLOAD_TABLES } from "./upload-schema.js";
import { USAGE_CALLS, USAGE_FUNCTIONS, USAGE_TABLES } from "./usage-schema.js";
import { WEBHOOK_BULK_CALLS, WEBHOOK_CALLS, WEBHOOK_FUNCTIONS, WEBHOOK_TABLES } from "./webhook-schema.js";

/**
 * The schema, step by step. Primary keys begin with the business, so that an engine that spreads rows over machines can
 * keep those of a business together. Text is compared by its bytes; documents are text, so that they are given back as
 * they were written.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: [
      COMMIT_TABLES,
      EVENT_TABLES,
      BUDGET_TABLES,
      ACCESS_TABLES,
      KEY_CACHE_TABLES,
      CATALOG_TABLES,
      ATTACHMENT_TABLES,
      INTEGRATION_TABLES,
      USAGE_TABLES,
      LIMIT_TABLES,
      UPLOAD_TABLES,
      WEBHOOK_TABLES,
      EVENT_FUNCTIONS,
      BUDGET_FUNCTIONS,
      ACCESS_FUNCTIONS,
      KEY_CACHE_FUNCTIONS,
      CATALOG_FUNCTIONS,
      ATTACHMENT_FUNCTIONS,
      INTEGRATION_FUNCTIONS,
      USAGE_FUNCTIONS,
      LIMIT_FUNCTIONS,
      UPLOAD_FUNCTIONS,
      WEBHOOK_FUNCTIONS,
      performFunction({
        bulk: [...BUDGET_BULK_CALLS, ...WEBHOOK_BULK_CALLS],
        single: [
          ...EVENT_CALLS,
          ...BUDGET_CALLS,
          ...ACCESS_CALLS,
          ...KEY_CACHE_CALLS,
          ...CATALOG_CALLS,
          ...ATTACHMENT_CALLS,
          ...INTEGRATION_CALLS,
          ...USAGE_CALLS,
          ...LIMIT_CALLS,
          ...WEBHOOK_CALLS,
        ],
      }),
    ].join("\n"),
  },
];
