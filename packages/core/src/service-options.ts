import type { Mailer } from "./access/mailer.js";
import { type PasswordHasher, scryptHasher } from "./access/password.js";
import type { BlobStore } from "./attachments/blob-store.js";
import { canonicalOrigin } from "./http/headers/trusted-origins.js";
import type { ResolveUser } from "./http/http-context.js";
import { checkedPublicPage, type PublicPageOptions } from "./http/pages/page-options.js";
import type { PdfRenderer } from "./http/pdf/pdf-renderer.js";
import type { ReferencePage } from "./http/reference-page.js";
import { SCOPES, type Scope } from "./kernel/actor.js";
import { type Clock, DAY_MS, SECOND_MS, systemClock } from "./kernel/clock.js";
import type { Rounding } from "./kernel/decimal.js";
import { canonicalRange } from "./kernel/ip-allow-list.js";
import { type Random, systemRandom } from "./kernel/random.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import type { UserRateLimit } from "./limits/rate-limiter.js";
import type { StorageQuota } from "./limits/storage-quota.js";
import type { Store } from "./store.js";
import { failureReporter, harmlessLogger, type Logger } from "./telemetry/logger.js";
import { checkedRetention } from "./webhooks/dispatch/webhook-maintenance.js";
import type { WebhookSender } from "./webhooks/transport/sender.js";
import { undiciSender } from "./webhooks/transport/undici-sender.js";
import type { Concurrency } from "./webhooks/webhook-context.js";

/** Options of `createBudgetService`. Only the store and the secret are required. */
export interface BudgetServiceOptions {
  /** Where the data is kept. */
  readonly store: Store;
  /**
   * Signs login tokens and encrypts stored secrets; at least 32 characters. In a list, the first secret signs and
   * encrypts and all of them verify and decrypt, so that a secret can be replaced without ending sessions.
   */
  readonly secret: string | readonly string[];
  /** The address under which the service is mounted; public links begin with it. Default `http://localhost:3000/v1`. */
  readonly publicBaseUrl?: string;
  /** Whether an unknown customer, product or package id is accepted (`open`, the default) or refused (`strict`). */
  readonly references?: "open" | "strict";
  /** How half a minor unit is rounded. Default `half-up`. */
  readonly rounding?: Rounding;
  /** CIDR ranges of the proxies whose `X-Forwarded-For` is trusted. Default none. */
  readonly trustedProxies?: readonly string[];
  /**
   * Origins such as `https://app.example` whose pages may call the service with the cookie of `resolveUser`, and read the
   * responses (CORS). Default none: that of the service alone may write.
   */
  readonly trustedOrigins?: readonly string[];
  /** How many requests each user may make. */
  readonly userRateLimit?: UserRateLimitOptions;
  /** Allows webhook URLs with private addresses: for development. Default false. */
  readonly allowPrivateDestinations?: boolean;
  /** Stores attached files, such as `directoryBlobStore("attachments")`. Default none: attachments respond with 501. */
  readonly blobs?: BlobStore;
  /** Delivery of events to webhooks. */
  readonly webhooks?: WebhookOptions;
  /** Usage statistics of API keys. */
  readonly usage?: UsageOptions;
  /** The most that each business may store. Default 1,000,000 budgets and 10 GiB; null = unlimited. */
  readonly quotas?: Partial<StorageQuota>;
  /** Stores the windows of the rate limits, such as `redisLimiter(client)`. Default: the store. */
  readonly rateLimits?: RateLimitStore;
  /** The page at `/docs`: `referencePage()` of `@budgetkit/reference`. Default: no page. */
  readonly reference?: ReferencePage;
  /** Writes budgets as PDF: `pdfDocuments()` of `@budgetkit/pdf`. Default none: PDFs respond with 501. */
  readonly pdf?: PdfRenderer;
  /** Changes the customer's page: its words, its style, or the whole page. Default: the page of the service. */
  readonly publicPage?: PublicPageOptions;
  /** Returns the user of a request; replaces the service's own login. */
  readonly resolveUser?: ResolveUser;
  /**
   * What users with the role MEMBER may do on the public API; ADMIN and OWNER may do everything. Default: read all, write
   * budgets and customers.
   */
  readonly memberScopes?: readonly Scope[];
  /**
   * Logs a line per request, refusals by rate limits, failed webhooks and the failures of `onError`. A pino logger fits.
   * Default: no log.
   */
  readonly logger?: Logger;
  /**
   * Whether a request without a valid `traceparent` starts a trace, which its webhooks continue. Default false: only the
   * traces of callers are continued.
   */
  readonly startTraces?: boolean;
  /** Receives every failure that no response reports. Default: the logger, else standard error. */
  readonly onError?: (error: unknown, requestId?: string) => void;
  /** Mails of budgets to customers. */
  readonly mails?: MailOptions;
  /**
   * Sends invitations, password resets and, with `sendMessage`, budgets. Default none: hosts and operators deliver the
   * tokens.
   */
  readonly mailer?: Mailer;
  /**
   * The host's page on which a user sets a password with a one-time token, which follows as `#token=…`. Default: the
   * service's own page.
   */
  readonly passwordPageUrl?: string;
  /** Default: scrypt. */
  readonly passwordHasher?: PasswordHasher;
  /** The source of time. Default: the clock of the machine. */
  readonly clock?: Clock;
  /** The source of randomness. Default: that of the system. */
  readonly random?: Random;
}

export interface WebhookOptions {
  /** Makes the HTTP calls. Default: pooled connections with a guard against private destinations. */
  readonly sender?: WebhookSender;
  /** How long finished deliveries and their events are kept; an hour at least. Default 30 days. */
  readonly retentionMs?: number;
  /** How many calls may run at the same time. Default 50 in total, 15 a business, 5 a subscriber. */
  readonly concurrency?: Partial<Concurrency>;
}

export interface UserRateLimitOptions {
  /** Requests in an hour. Default: that of a key of the business's tier. */
  readonly perHour?: number;
  /** Requests in a minute. Default: 100, or a thirtieth of the hour if that is more. */
  readonly perMinute?: number;
}

export interface MailOptions {
  /** How many mails to customers a business may cause in an hour, reminders aside. Default 200. */
  readonly perHour?: number;
}

export interface UsageOptions {
  /** How long counted requests may stay in memory: a killed process loses at most these. Default 5 seconds. */
  readonly flushIntervalMs?: number;
}

const RETENTION_MS = 30 * DAY_MS;
const FLUSH_INTERVAL_MS = 5 * SECOND_MS;
const QUOTA: StorageQuota = { budgets: 1_000_000, bytes: 10 * 1024 ** 3 };
const MAILS_PER_HOUR = 200;
const MAX_MAILS_PER_HOUR = 100_000;
const MAX_USER_RATE = 100_000;
const CONCURRENCY: Concurrency = { total: 50, perBusiness: 15, perSubscriber: 5 };

const MEMBER_SCOPES = ["READ_BUDGETS", "WRITE_BUDGETS", "READ_CUSTOMERS", "WRITE_CUSTOMERS", "READ_PRODUCTS"] as const;

export type ServiceSettings = ReturnType<typeof settingsOf>;

/**
 * The checked options with their defaults. Throws a RangeError for an invalid value, and a TypeError for an object that
 * is not a store.
 */
export function settingsOf(options: BudgetServiceOptions) {
  const { clock = systemClock, random = systemRandom } = options;
  const onError = failureReporter(options.logger ?? null, options.onError);
  return {
    store: checkedStore(options.store),
    secrets: checkedSecrets(options.secret),
    publicBaseUrl: checkedBaseUrl(options.publicBaseUrl ?? "http://localhost:3000/v1"),
    references: checkedChoice("references", options.references ?? "open", ["open", "strict"]),
    rounding: checkedChoice("rounding", options.rounding ?? "half-up", ["half-up", "half-even"]),
    trustedProxies: (options.trustedProxies ?? []).map(checkedRange),
    trustedOrigins: checkedOrigins(options.trustedOrigins ?? []),
    userRateLimit: {
      perHour: checkedUserRate("perHour", options.userRateLimit?.perHour),
      perMinute: checkedUserRate("perMinute", options.userRateLimit?.perMinute),
    } satisfies UserRateLimit,
    allowPrivateDestinations: options.allowPrivateDestinations ?? false,
    blobs: options.blobs ?? null,
    sender: options.webhooks?.sender ?? undiciSender({ clock }),
    retentionMs: checkedRetention(options.webhooks?.retentionMs ?? RETENTION_MS),
    concurrency: { ...CONCURRENCY, ...options.webhooks?.concurrency },
    flushIntervalMs: options.usage?.flushIntervalMs ?? FLUSH_INTERVAL_MS,
    rateLimits: options.rateLimits ?? null, // null = the store
    quota: checkedQuota({ ...QUOTA, ...options.quotas }),
    reference: options.reference ?? null,
    pdf: options.pdf ?? null,
    publicPage: checkedPublicPage(options.publicPage ?? {}),
    resolveUser: options.resolveUser ?? null,
    memberScopes: checkedScopes(options.memberScopes ?? MEMBER_SCOPES),
    logger: harmlessLogger(options.logger ?? null, onError),
    startTraces: options.startTraces ?? false,
    onError,
    mailer: options.mailer ?? null,
    mailsPerHour: checkedMails(options.mails?.perHour ?? MAILS_PER_HOUR),
    passwordPageUrl: options.passwordPageUrl === undefined ? null : checkedPageUrl(options.passwordPageUrl),
    hasher: options.passwordHasher ?? scryptHasher(random),
    clock,
    random,
  };
}

function checkedStore(store: Store): Store {
  if (typeof store?.migrate === "function") return store;
  throw new TypeError('store must be a store, such as sqliteStore("budgets.db")');
}

const MIN_SECRET_LENGTH = 32;

function checkedSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  if (secrets.length === 0 || secrets.some((each) => each.length < MIN_SECRET_LENGTH)) {
    throw new RangeError(`secret must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  return secrets;
}

/** A public link adds `/p/` and a token. It is also the issuer of evidence, which verifiers take for an address alone. */
const HTTP_URL = /^https?:\/\/[^\s?#@\\]+$/i;

/** The URL without a trailing slash. */
function checkedBaseUrl(url: string): string {
  if (typeof url === "string" && HTTP_URL.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
  throw new RangeError(
    `publicBaseUrl must be the text of an http or https URL without user, query and fragment, not ${String(url)}`,
  );
}

function checkedPageUrl(url: string): string {
  if (typeof url === "string" && /^https?:\/\/[^\s#]+$/i.test(url) && URL.canParse(url)) return url;
  throw new RangeError(`passwordPageUrl must be an http or https URL without fragment, not ${String(url)}`);
}

function checkedChoice<Value extends string>(option: string, given: Value, values: readonly Value[]): Value {
  if (values.includes(given)) return given;
  throw new RangeError(`${option} must be ${values.join(" or ")}: ${String(given)}`);
}

function checkedScopes(scopes: readonly Scope[]): readonly Scope[] {
  const isKnown = Array.isArray(scopes) && scopes.every((scope) => SCOPES.includes(scope));
  if (!isKnown) throw new RangeError(`memberScopes must be a list of ${SCOPES.join(", ")}: ${String(scopes)}`);
  return [...scopes];
}

function checkedQuota(quota: StorageQuota): StorageQuota {
  for (const [name, limit] of Object.entries(quota)) {
    if (limit === null || (Number.isSafeInteger(limit) && limit >= 0)) continue;
    throw new RangeError(`quotas.${name} must be a whole number, or null for no limit: ${String(limit)}`);
  }
  return quota;
}

function checkedMails(perHour: number): number {
  if (Number.isSafeInteger(perHour) && perHour >= 1 && perHour <= MAX_MAILS_PER_HOUR) return perHour;
  throw new RangeError(`mails.perHour must be a whole number from 1 to ${MAX_MAILS_PER_HOUR}: ${String(perHour)}`);
}

function checkedOrigins(origins: readonly string[]): readonly string[] {
  if (Array.isArray(origins)) return origins.map(checkedOrigin);
  throw new RangeError(`trustedOrigins must be a list of origins: ${String(origins)}`);
}

function checkedOrigin(text: string): string {
  const origin = canonicalOrigin(String(text));
  if (origin !== null) return origin;
  throw new RangeError(`trustedOrigins must be origins such as https://app.example: ${String(text)}`);
}

function checkedUserRate(name: keyof UserRateLimit, limit: number | undefined): number | null {
  if (limit === undefined) return null;
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_USER_RATE) return limit;
  throw new RangeError(`userRateLimit.${name} must be a whole number from 1 to ${MAX_USER_RATE}: ${String(limit)}`);
}

/** The canonical form of an address range. */
function checkedRange(text: string): string {
  const range = canonicalRange(text);
  if (range === null) throw new RangeError(`trustedProxies must be addresses or CIDR ranges: ${text}`);
  return range;
}
