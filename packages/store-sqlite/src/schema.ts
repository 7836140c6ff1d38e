import type { Migration } from "./engine/migrations.js";
import { RECORDS } from "./migrations/0001-records.js";
import { EVENTS } from "./migrations/0002-events.js";
import { BUSINESS_SEQUENCES } from "./migrations/0003-business-sequences.js";
import { PEOPLE } from "./migrations/0004-people.js";
import { QUOTAS } from "./migrations/0005-quotas.js";
import { SEARCH } from "./migrations/0006-search.js";
import { LARGE_TEXTS } from "./migrations/0007-large-texts.js";
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
import { SEARCH_BLOCKS } from "./migrations/0019-search-blocks.js";
import { COUNTS_IN_SUMS } from "./migrations/0020-counts-in-sums.js";
import { INDEXES_OF_NEXT_ATTEMPTS } from "./migrations/0021-indexes-of-next-attempts.js";
import { LEDGER_BEGINNINGS } from "./migrations/0022-ledger-beginnings.js";
import { DELIVERY_BYTES } from "./migrations/0023-delivery-bytes.js";
import { FOLDED_TEXTS } from "./migrations/0024-folded-texts.js";
import { REMINDER_RECIPIENTS } from "./migrations/0025-reminder-recipients.js";
import { MESSAGES } from "./migrations/0026-messages.js";
import { CUSTOMER_EMAILS } from "./migrations/0027-customer-emails.js";
import { LINE_DEFAULTS } from "./migrations/0028-line-defaults.js";
import { SALES } from "./migrations/0029-sales.js";
import { LAST_LOGINS } from "./migrations/0030-last-logins.js";
import { RATE_LIMITS } from "./migrations/limits-0001-admissions.js";
import { RUNS } from "./migrations/limits-0002-runs.js";
import { TIME } from "./migrations/limits-0003-time.js";

/**
 * The schema, step by step. A step never changes once it is released: a change of the schema is a new step, in a file of
 * its own, with its SQL written out.
 *
 * Names have a prefix, because the database may belong to the host. Large documents are the last column of rowid tables:
 * in a WITHOUT ROWID table they would fill the index. Small tables that are mostly key are WITHOUT ROWID.
 */
export const MIGRATIONS: readonly Migration[] = [
  RECORDS,
  EVENTS,
  BUSINESS_SEQUENCES,
  PEOPLE,
  QUOTAS,
  SEARCH,
  LARGE_TEXTS,
  DELIVERY_QUEUE,
  BUSINESS_PROFILE,
  BUDGET_NUMBERS,
  SIGNING_KEYS,
  CUSTOMER_PAGE,
  MAILS,
  LEDGER,
  ORDERED_DELIVERIES,
  LEDGER_STARTS,
  REPLAYS,
  TURNS_OF_BUSINESSES,
  SEARCH_BLOCKS,
  COUNTS_IN_SUMS,
  INDEXES_OF_NEXT_ATTEMPTS,
  LEDGER_BEGINNINGS,
  DELIVERY_BYTES,
  FOLDED_TEXTS,
  REMINDER_RECIPIENTS,
  MESSAGES,
  CUSTOMER_EMAILS,
  LINE_DEFAULTS,
  SALES,
  LAST_LOGINS,
];

/** The schema of the rate limiter's file. */
export const LIMIT_MIGRATIONS: readonly Migration[] = [RATE_LIMITS, RUNS, TIME];
