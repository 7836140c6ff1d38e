import type { PublicPageOptions, PublicPageStyle } from "./http/pages/page-options.js";
import { checkOptionNames, type OptionNames } from "./kernel/known-names.js";
import type { StorageQuota } from "./limits/storage-quota.js";
import type {
  BudgetServiceOptions,
  MailOptions,
  UsageOptions,
  UserRateLimitOptions,
  WebhookOptions,
} from "./service-options.js";
import type { Concurrency } from "./webhooks/webhook-context.js";

const SERVICE: OptionNames<BudgetServiceOptions> = {
  store: true,
  secret: true,
  publicBaseUrl: true,
  references: true,
  rounding: true,
  trustedProxies: true,
  trustedOrigins: true,
  userRateLimit: true,
  allowPrivateDestinations: true,
  blobs: true,
  webhooks: true,
  usage: true,
  quotas: true,
  rateLimits: true,
  reference: true,
  pdf: true,
  publicPage: true,
  resolveUser: true,
  memberScopes: true,
  logger: true,
  startTraces: true,
  onError: true,
  mailer: true,
  mails: true,
  passwordPageUrl: true,
  passwordHasher: true,
  clock: true,
  random: true,
};
const WEBHOOKS: OptionNames<WebhookOptions> = { sender: true, retentionMs: true, concurrency: true };
const CONCURRENCY: OptionNames<Concurrency> = { total: true, perBusiness: true, perSubscriber: true };
const MAILS: OptionNames<MailOptions> = { perHour: true };
const USER_RATE_LIMIT: OptionNames<UserRateLimitOptions> = { perHour: true, perMinute: true };
const USAGE: OptionNames<UsageOptions> = { flushIntervalMs: true };
const PUBLIC_PAGE: OptionNames<PublicPageOptions> = { words: true, style: true, renderPublicBudget: true };
const PAGE_STYLE: OptionNames<PublicPageStyle> = { accentColor: true, font: true, radius: true, width: true };
const QUOTAS: OptionNames<StorageQuota> = { budgets: true, bytes: true };

/** Throws a TypeError when there are no options, and a RangeError for an option that the service does not have. */
export function checkServiceOptions(options: BudgetServiceOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(
      'createBudgetService needs a store and a secret: createBudgetService({ store: sqliteStore("budgets.db"), ' +
        "secret }), with a secret of at least 32 characters",
    );
  }
  checkOptionNames("createBudgetService", options, SERVICE);
  checkOptionNames("webhooks", options.webhooks, WEBHOOKS);
  checkOptionNames("webhooks.concurrency", options.webhooks?.concurrency, CONCURRENCY);
  checkOptionNames("mails", options.mails, MAILS);
  checkOptionNames("userRateLimit", options.userRateLimit, USER_RATE_LIMIT);
  checkOptionNames("usage", options.usage, USAGE);
  checkOptionNames("publicPage", options.publicPage, PUBLIC_PAGE);
  checkOptionNames("publicPage.style", options.publicPage?.style, PAGE_STYLE);
  checkOptionNames("quotas", options.quotas, QUOTAS);
}
