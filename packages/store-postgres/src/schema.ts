import { SESSION_FUNCTIONS } from "./access/session-functions.js";
import { LOCK_FUNCTIONS } from "./commit/lock-functions.js";
import { TOTALS_FUNCTIONS } from "./commit/totals.js";
import { ID_FUNCTIONS } from "./engine/id-functions.js";
import type { SchemaDefinition } from "./engine/migrations.js";
import { PROBE_FUNCTION } from "./engine/write-probe.js";
import { CLAIM_FUNCTIONS } from "./events/claim-functions.js";
import { LEDGER_FUNCTIONS } from "./events/ledger-functions.js";
import { LIMIT_FUNCTIONS } from "./limits/limit-functions.js";
import { UPLOAD_FUNCTIONS } from "./limits/upload-functions.js";
import { FIRST_SCHEMA } from "./migrations/0001-first-schema.js";
import { DROP_KEY_CACHE } from "./migrations/0002-drop-key-cache.js";
import { BUSINESS_SEQUENCES } from "./migrations/0003-business-sequences.js";
import { PEOPLE } from "./migrations/0004-people.js";
import { QUOTAS } from "./migrations/0005-quotas.js";
import { SEARCH } from "./migrations/0006-search.js";
import { SEARCH_BLOCKS } from "./migrations/0007-search-blocks.js";
import { DELIVERY_QUEUE } from "./migrations/0008-delivery-queue.js";
import { BUSINESS_PROFILE } from "./migrations/0009-business-profile.js";
import { BUDGET_NUMBERS } from "./migrations/0010-budget-numbers.js";
import { SIGNING_KEYS } from "./migrations/0011-signing-keys.js";
import { CUSTOMER_PAGE } from "./migrations/0012-customer-page.js";
import { MAILS } from "./migrations/0013-mails.js";
import { LEDGER } from "./migrations/0014-ledger.js";
import { ORDERED_DELIVERIES } from "./migrations/0015-ordered-deliveries.js";
import { LEDGER_STARTS } from "./migrations/0016-ledger-starts.js";
import { REPLAYS } from "./migrations/0017-replays.js";
import { TURNS_OF_BUSINESSES } from "./migrations/0018-turns-of-businesses.js";
import { CATALOG_MARKS } from "./migrations/0019-catalog-marks.js";
import { MARKS_BY_TRIGGERS } from "./migrations/0020-marks-by-triggers.js";
import { LEDGER_BEGINNINGS } from "./migrations/0021-ledger-beginnings.js";
import { LINEAGE } from "./migrations/0022-lineage.js";
import { DELIVERY_BYTES } from "./migrations/0023-delivery-bytes.js";
import { FOLDED_TEXTS } from "./migrations/0024-folded-texts.js";
import { REMINDER_RECIPIENTS } from "./migrations/0025-reminder-recipients.js";
import { NOTES_BY_COMMITS } from "./migrations/0026-notes-by-commits.js";
import { DIRECTORY } from "./migrations/0027-directory.js";
import { MESSAGES } from "./migrations/0028-messages.js";
import { CUSTOMER_EMAILS } from "./migrations/0029-customer-emails.js";
import { LINE_DEFAULTS } from "./migrations/0030-line-defaults.js";
import { SALES } from "./migrations/0031-sales.js";
import { LAST_LOGINS } from "./migrations/0032-last-logins.js";
import { SCHEMA_VERSION } from "./schema-version.js";
import { USAGE_FUNCTIONS } from "./usage/usage-functions.js";
import { ADD_FUNCTIONS } from "./webhooks/add-functions.js";
import { DUE_FUNCTIONS } from "./webhooks/claim-functions.js";
import { DELIVERY_FUNCTIONS } from "./webhooks/delivery-functions.js";
import { TURN_FUNCTIONS } from "./webhooks/delivery-turns.js";
import { DISPATCH_FUNCTIONS } from "./webhooks/dispatch-functions.js";
import { SECRET_FUNCTIONS } from "./webhooks/secret-functions.js";
import { SETTLE_FUNCTIONS } from "./webhooks/settle-functions.js";

/** The first release recorded its tables and functions together, as step 1. */
const FORMER_CHECKSUM = "66d08ce9e6eea92c344d79594e7b37ee5c8b31540ee4162be6593b7b4b032a53";

export const SCHEMA: SchemaDefinition = {
  migrations: [
    { version: 1, sql: FIRST_SCHEMA, formerChecksums: [FORMER_CHECKSUM] },
    { version: 2, sql: DROP_KEY_CACHE },
    { version: 3, sql: BUSINESS_SEQUENCES },
    { version: 4, sql: PEOPLE },
    { version: 5, sql: QUOTAS },
    { version: 6, sql: SEARCH },
    { version: 7, sql: SEARCH_BLOCKS },
    { version: 8, sql: DELIVERY_QUEUE },
    { version: 9, sql: BUSINESS_PROFILE },
    { version: 10, sql: BUDGET_NUMBERS },
    { version: 11, sql: SIGNING_KEYS },
    { version: 12, sql: CUSTOMER_PAGE },
    { version: 13, sql: MAILS },
    { version: 14, sql: LEDGER },
    { version: 15, sql: ORDERED_DELIVERIES },
    { version: 16, sql: LEDGER_STARTS },
    { version: 17, sql: REPLAYS },
    { version: 18, sql: TURNS_OF_BUSINESSES },
    { version: 19, sql: CATALOG_MARKS },
    { version: 20, sql: MARKS_BY_TRIGGERS },
    { version: 21, sql: LEDGER_BEGINNINGS },
    { version: 22, sql: LINEAGE },
    { version: 23, sql: DELIVERY_BYTES },
    FOLDED_TEXTS,
    { version: 25, sql: REMINDER_RECIPIENTS },
    { version: 27, sql: DIRECTORY }, // before step 26, whose lock on the budgets would keep readers waiting for the scans
    { version: 26, sql: NOTES_BY_COMMITS },
    { version: 28, sql: MESSAGES },
    { version: 29, sql: CUSTOMER_EMAILS },
    { version: 30, sql: LINE_DEFAULTS },
    { version: 31, sql: SALES },
    { version: 32, sql: LAST_LOGINS },
  ],
  firstWritten: "batches",
  functionsVersion: SCHEMA_VERSION,
  functions: [
    TOTALS_FUNCTIONS,
    LOCK_FUNCTIONS,
    ID_FUNCTIONS,
    PROBE_FUNCTION,
    LEDGER_FUNCTIONS,
    CLAIM_FUNCTIONS,
    SESSION_FUNCTIONS,
    USAGE_FUNCTIONS,
    LIMIT_FUNCTIONS,
    UPLOAD_FUNCTIONS,
    SECRET_FUNCTIONS,
    DISPATCH_FUNCTIONS,
    ADD_FUNCTIONS,
    SETTLE_FUNCTIONS,
    TURN_FUNCTIONS,
    DUE_FUNCTIONS,
    DELIVERY_FUNCTIONS,
  ].join("\n"),
};
