import type { AccessContext } from "./access/access-context.js";
import { type AccessOperations, createAccessOperations } from "./access/access-operations.js";
import { loadJose } from "./access/access-token.js";
import { type PasswordHasher, scryptHasher } from "./access/password.js";
import type { AttachmentContext } from "./attachments/attachment-context.js";
import { type AttachmentOperations, createAttachmentOperations } from "./attachments/attachment-operations.js";
import type { BlobStore } from "./attachments/blob-store.js";
import type { BudgetContext } from "./budgets/budget-context.js";
import { type BudgetOperations, createBudgetOperations } from "./budgets/budget-operations.js";
import type { CatalogContext } from "./catalog/catalog-context.js";
import { type CatalogOperations, createCatalogOperations } from "./catalog/catalog-operations.js";
import { checkedBaseUrl, checkedChoice, checkedRange, checkedSecrets, checkedStore } from "./checked-options.js";
import type { DomainEvent } from "./events/event.js";
import { createEventListeners, type EventListeners } from "./events/event-listeners.js";
import { createEventOperations, type EventOperations } from "./events/event-operations.js";
import { createHeldEvents } from "./events/held-events.js";
import { contextsOver } from "./host-contexts.js";
import { answerLater, loadInterface } from "./http/answer-later.js";
import { describeOnce } from "./http/describe-once.js";
import { type FetchConnection, toFetchHandler } from "./http/fetch.js";
import type { HttpContext, ResolveUser } from "./http/http-context.js";
import type { ApiRequest, ApiResponse } from "./http/message.js";
import type { ReferencePage } from "./http/reference-page.js";
import { createClaimRelease } from "./idempotency/claim-release.js";
import type { IntegrationContext } from "./integrations/integration-context.js";
import { createIntegrationOperations, type IntegrationOperations } from "./integrations/integration-operations.js";
import { createCall } from "./kernel/call.js";
import { type Clock, DAY_MS, SECOND_MS, systemClock } from "./kernel/clock.js";
import type { Rounding } from "./kernel/decimal.js";
import type { HostConnection } from "./kernel/host-connection.js";
import { createIdSource } from "./kernel/ids.js";
import { once } from "./kernel/once.js";
import { type Random, systemRandom } from "./kernel/random.js";
import { deriveSecrets } from "./kernel/secret-box.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import { createMaintenance } from "./maintenance.js";
import type { Store } from "./store.js";
import { isWatched, storeChannel } from "./telemetry/channels.js";
import { failureReporter, harmlessLogger, type Logger } from "./telemetry/logger.js";
import { observedCalls } from "./telemetry/observed-calls.js";
import { createUsageRecorder } from "./usage/recorder.js";
import type { UsageContext } from "./usage/usage-context.js";
import { createUsageOperations, type UsageOperations } from "./usage/usage-operations.js";
import { createDispatcher } from "./webhooks/dispatcher.js";
import type { WebhookSender } from "./webhooks/sender.js";
import { undiciSender } from "./webhooks/undici-sender.js";
import type { Concurrency, WebhookContext } from "./webhooks/webhook-context.js";
import { createWebhookOperations, type WebhookOperations } from "./webhooks/webhook-operations.js";
import type { Backlog } from "./webhooks/webhook-store.js";
import { checkedRetention } from "./webhooks/webhook-upkeep.js";

/** What a service is made of. Only the store and the secret have no default. */
export interface BudgetServiceOptions {
  readonly store: Store;
  /**
   * Signs login tokens and encrypts what is kept secret; at least 32 characters. Of a list the first signs and
   * encrypts and all verify and decrypt, so that a secret can be replaced without ending sessions.
   */
  readonly secret: string | readonly string[];
  /** Where public links lead: the address under which the service is mounted. Default `http://localhost:3000/v1`. */
  readonly publicBaseUrl?: string;
  /** Whether a customer, product or package that the catalog has not is kept (`open`, the default) or refused. */
  readonly references?: "open" | "strict";
  /** How half a minor unit is rounded. Default `half-up`. */
  readonly rounding?: Rounding;
  /** CIDR ranges of the proxies whose `X-Forwarded-For` is believed. Default none. */
  readonly trustedProxies?: readonly string[];
  /** Lets webhook URLs lead to private addresses: for development. Default false. */
  readonly allowPrivateDestinations?: boolean;
  /**
   * Where the files of attachments are kept, `directoryBlobStore("attachments")` for one. Default nowhere: attachments
   * are then answered 501.
   */
  readonly blobs?: BlobStore;
  /** How events reach their subscribers. */
  readonly webhooks?: WebhookOptions;
  /** How requests of API keys are counted. */
  readonly usage?: UsageOptions;
  /** Keeps the windows of the rate limits, `redisLimiter(client)` for one. Default: the store. */
  readonly rateLimits?: RateLimitStore;
  /** Shows the interface to people at `/docs`: `referencePage()` of `@budgetkit/reference`. Default: nothing is there. */
  readonly reference?: ReferencePage;
  /** Answers who calls the management routes, in place of the service's own login. */
  readonly resolveUser?: ResolveUser;
  /**
   * Takes a line a request, and warnings of refusals by limits and of webhooks that were not delivered; and the failures
   * below. A pino logger is one. Default: no lines.
   */
  readonly logger?: Logger;
  /**
   * Whether a request without a valid `traceparent` begins a trace, which its webhooks carry on. Default false: traces of
   * callers are carried on, and no others.
   */
  readonly startTraces?: boolean;
  /** Told of every failure that is not an answer to the client. Default: the logger, else standard error. */
  readonly onError?: (error: unknown, requestId?: string) => void;
  readonly passwordHasher?: PasswordHasher;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface WebhookOptions {
  /** Makes the calls. Default: over pooled connections, with the guard against private destinations. */
  readonly sender?: WebhookSender;
  /** How long finished deliveries and the events behind them are kept; an hour at least. Default 30 days. */
  readonly retentionMs?: number;
  /** How many calls may be under way at once. Default 50 in all, 15 a business, 5 a subscriber. */
  readonly concurrency?: Partial<Concurrency>;
}

export interface UsageOptions {
  /** How long counted requests may stay in memory: what a process that is killed loses at most. Default 5 seconds. */
  readonly flushIntervalMs?: number;
}

/** Budgets, keys, users, limits and webhooks over one store; mount `handle` by an adapter, or call the operations. */
export interface BudgetService extends AccessOperations, CatalogOperations, Pick<EventListeners, "on"> {
  readonly budgets: BudgetOperations;
  readonly attachments: AttachmentOperations;
  readonly events: EventOperations;
  readonly webhooks: WebhookOperations;
  readonly usage: UsageOperations;
  readonly integrations: IntegrationOperations;
  /** Answers one request; adapters call it. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /**
   * The same for hosts that speak the web standard: Next.js, Bun, Deno, workers. A Request does not say who is
   * connected: without `peerAddress` keys with an allow-list are refused and logins are limited by account alone.
   */
  fetch(request: Request, connection?: FetchConnection): Promise<Response>;
  /**
   * Says that the transaction on `connection`, in which calls were carried out, has been committed: its events leave at
   * once and not only when they are looked for, within some seconds. Harmless after a rollback. Never rejects.
   */
  afterCommit(connection: HostConnection): Promise<void>;
  /**
   * One round of upkeep: expires overdue budgets, writes counted requests and forgets what has lapsed. For tests and hosts with a scheduler, who
   * also call `webhooks.tick`.
   */
  tick(): Promise<void>;
  /** Makes the store ready, delivers events and keeps up a round of upkeep every few seconds, until {@link BudgetService.stop}. */
  start(): Promise<void>;
  /**
   * Ends upkeep and deliveries, waiting for what is under way: a call of a receiver takes 30 seconds at most. Deliveries
   * that were not called yet are given back, and other processes that share the store take them at once. Writes the requests that were counted until then. The store stays open: whoever opened it closes it.
   */
  stop(): Promise<void>;
  /** What waits to be fanned out and to be sent, counted up to 100,000 each: for metrics. */
  backlog(): Promise<Backlog>;
  /** True when the store can serve. */
  isReady(): Promise<boolean>;
}

const MAX_COUNTED = 100_000;
const RETENTION_MS = 30 * DAY_MS;
const FLUSH_INTERVAL_MS = 5 * SECOND_MS;
const CONCURRENCY: Concurrency = { total: 50, perBusiness: 15, perSubscriber: 5 };

/**
 * Puts a service together. Throws a RangeError for a secret that is too short and for settings out of their range, and a
 * TypeError for a store that is none.
 */
export function createBudgetService(options: BudgetServiceOptions): BudgetService {
  const { clock = systemClock, random = systemRandom } = options;
  const { databaseSystem } = checkedStore(options.store);
  const store = observedCalls(options.store, databaseSystem, clock);
  const onError = failureReporter(options.logger ?? null, options.onError);
  const logger = harmlessLogger(options.logger ?? null, onError);
  const secrets = deriveSecrets(checkedSecrets(options.secret), random);
  const ids = createIdSource(store);
  const ready = once(() => store.migrate());
  const limits: RateLimitStore =
    options.rateLimits === undefined
      ? store
      : observedCalls(options.rateLimits, options.rateLimits.databaseSystem, clock);
  const access: AccessContext = {
    store,
    limits,
    clock,
    random,
    ids,
    secrets,
    hasher: options.passwordHasher ?? scryptHasher(random),
    allowPrivateDestinations: options.allowPrivateDestinations ?? false,
    usesUnderWay: new Set(),
    onError,
  };
  const webhooks: WebhookContext = {
    store,
    limits,
    clock,
    random,
    ids,
    secrets,
    sender: options.webhooks?.sender ?? undiciSender({ clock }),
    allowPrivateDestinations: options.allowPrivateDestinations ?? false,
    retentionMs: checkedRetention(options.webhooks?.retentionMs ?? RETENTION_MS),
    concurrency: { ...CONCURRENCY, ...options.webhooks?.concurrency },
    logger,
    onError,
    wake: () => dispatcher.wake(),
  };
  const dispatcher = createDispatcher(webhooks);
  const listeners = createEventListeners(onError);
  const heldEvents = createHeldEvents(store, listeners, clock);
  const rounding = checkedChoice("rounding", options.rounding ?? "half-up", ["half-up", "half-even"]);
  const references = checkedChoice("references", options.references ?? "open", ["open", "strict"]);
  const publicBaseUrl = checkedBaseUrl(options.publicBaseUrl ?? "http://localhost:3000/v1");
  const contextsOf = contextsOver(
    {
      store,
      ids,
      announce: (events) => {
        dispatcher.wakeForEvents();
        listeners.announce(events);
      },
    },
    (connection) => {
      const within = store.within(connection);
      const storeWithin = isWatched(storeChannel) ? observedCalls(within, databaseSystem, clock) : within;
      const announce = (events: readonly DomainEvent[]) => heldEvents.hold(connection, events);
      return { store: storeWithin, ids: ids.within(storeWithin), announce };
    },
  );
  const budgetsFor = contextsOf(
    (place): BudgetContext => ({
      clock,
      random,
      rounding,
      references,
      publicBaseUrl,
      findBusiness: (businessId) => place.store.findBusiness(businessId),
      ...place,
    }),
  );
  const catalogFor = contextsOf((place): CatalogContext => ({ clock, rounding, ...place }));
  const budgets = budgetsFor();
  const catalog = catalogFor();
  const recorder = createUsageRecorder({
    store,
    flushIntervalMs: options.usage?.flushIntervalMs ?? FLUSH_INTERVAL_MS,
    onError,
  });
  const usage: UsageContext = { store, recorder, limits, budgets, clock };
  const integrations: IntegrationContext = { store, clock, ids };
  const attachments: AttachmentContext = { store, budgets, blobs: options.blobs ?? null, clock, ids, onError };
  const claims = createClaimRelease(store, onError);
  const httpContext: HttpContext = {
    access,
    attachments,
    budgets,
    catalog,
    events: store,
    idempotency: store,
    claims,
    webhooks,
    usage,
    integrations,
    box: secrets.box,
    clock,
    random,
    trustedProxies: (options.trustedProxies ?? []).map(checkedRange),
    logger,
    startTraces: options.startTraces ?? false,
    onError,
    ready,
    describe: describeOnce(publicBaseUrl),
    ...(options.reference === undefined ? {} : { reference: options.reference }),
    ...(options.resolveUser === undefined ? {} : { resolveUser: options.resolveUser }),
  };
  const http = answerLater(() => loadInterface(httpContext), httpContext);
  const call = createCall(ready);
  const maintenance = createMaintenance({
    budgets,
    sessions: store,
    heldEvents,
    idempotency: store,
    claims,
    limits,
    webhooks,
    usage,
    attachments,
    clock,
    onError,
  });
  let stopHearing: (() => void) | undefined;
  return {
    ...createAccessOperations(access, call),
    ...createCatalogOperations(catalogFor, call),
    budgets: createBudgetOperations(budgetsFor, call),
    attachments: createAttachmentOperations(attachments, call),
    events: createEventOperations(
      contextsOf((place) => place),
      call,
    ),
    webhooks: createWebhookOperations(webhooks, dispatcher, call),
    usage: createUsageOperations(usage, call),
    integrations: createIntegrationOperations(integrations, call),
    on: listeners.on,
    handle: http.handle,
    fetch: toFetchHandler(http.handle),
    afterCommit: async (connection) => {
      dispatcher.wakeForEvents();
      await heldEvents.release(connection).catch((error: unknown) => onError(error));
    },
    tick: () => call.plain(null, maintenance.tick),
    start: async () => {
      await ready();
      // Not waited for, but not left to the first request either: a process may have no file to open left by then.
      Promise.all([http.load(), loadJose(), webhooks.sender.open?.()]).catch((error: unknown) => onError(error));
      maintenance.start();
      dispatcher.start();
      stopHearing ??= store.onWork?.(dispatcher.wake);
    },
    stop: async () => {
      stopHearing?.();
      stopHearing = undefined;
      await Promise.all([maintenance.stop(), dispatcher.stop()]);
      await recorder.flush();
      await webhooks.sender.close?.();
    },
    backlog: () => call.plain(null, () => store.countBacklog(clock.now(), MAX_COUNTED)),
    isReady: () => store.isReady(),
  };
}
