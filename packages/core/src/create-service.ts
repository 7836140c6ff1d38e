import { type AccessOperations, createAccessOperations } from "./access/access-operations.js";
import { agreedClock } from "./agreed-clock.js";
import { type AttachmentOperations, createAttachmentOperations } from "./attachments/attachment-operations.js";
import { createLogoOperations, type LogoOperations } from "./attachments/logo.js";
import { type BudgetOperations, createBudgetOperations } from "./budgets/budget-operations.js";
import { buildContexts, type Contexts } from "./build-contexts.js";
import { type CatalogOperations, createCatalogOperations } from "./catalog/catalog-operations.js";
import { createEventOperations } from "./events/event-operations.js";
import { type FetchConnection, toFetchHandler } from "./http/fetch.js";
import type { HttpContext } from "./http/http-context.js";
import { lazyDocument, lazyInterface, loadInterface } from "./http/lazy-interface.js";
import type { ApiRequest, ApiResponse } from "./http/message.js";
import type { PdfContext } from "./http/pdf/pdf-context.js";
import { createPdfOperations, type PdfOperations } from "./http/pdf/pdf-operations.js";
import {
  type BusinessPreviews,
  createBusinessPreviews,
  createDocumentPreviews,
  type DocumentPreviews,
} from "./http/previews/preview-operations.js";
import { type ServiceSite, serviceSite } from "./http/service-site.js";
import { createIntegrationOperations, type IntegrationOperations } from "./integrations/integration-operations.js";
import { type ContextFor, createCall, type HostConnection } from "./kernel/call.js";
import { memoizedSingleFlight } from "./kernel/single-flight.js";
import { createLedgerOperations, type LedgerOperations } from "./ledger/ledger-operations.js";
import { createMaintenance } from "./maintenance.js";
import { migrateStore } from "./migrate-store.js";
import { checkServiceOptions } from "./option-names.js";
import { type ServiceEventLog, typedEventLog } from "./service-event-log.js";
import { type ServiceEvents, typedEvents } from "./service-events.js";
import { type BudgetServiceOptions, type ServiceSettings, settingsOf } from "./service-options.js";
import { createSigningKeyOperations, loadJose, type SigningKeyOperations } from "./signing/signing-keys.js";
import { createUsageOperations, type UsageOperations } from "./usage/usage-operations.js";
import { createWebhookOperations, type WebhookOperations } from "./webhooks/webhook-operations.js";
import type { Backlog } from "./webhooks/webhook-store.js";

/** Budgets, keys, users, limits and webhooks over one store. Mount it by an adapter, or call the operations. */
export interface BudgetService extends Omit<AccessOperations, "businesses">, CatalogOperations, ServiceEvents {
  /** Operations on businesses, and on their logos. */
  readonly businesses: AccessOperations["businesses"] & LogoOperations & BusinessPreviews;
  /** Operations on budgets, payments and revisions. */
  readonly budgets: BudgetOperations & PdfOperations & DocumentPreviews;
  /** Operations on files beside a budget. */
  readonly attachments: AttachmentOperations;
  /** The event log and the audit trail. */
  readonly events: ServiceEventLog;
  /** The chain of events and audit entries: its checks and checkpoints. */
  readonly ledger: LedgerOperations;
  /** Operations on webhook endpoints and deliveries. */
  readonly webhooks: WebhookOperations;
  /** Statistics of keys and of the business. */
  readonly usage: UsageOperations;
  /** Operations on records of connected systems. */
  readonly integrations: IntegrationOperations;
  /** The keys that sign the evidence of acceptances. */
  readonly signingKeys: SigningKeyOperations;
  /** For a web page that the host serves beside the service, as `@budgetkit/dashboard` does. */
  readonly site: ServiceSite;
  /** Handles one request; adapters call it. Never rejects. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Handles a web-standard Request: for Next.js, Bun, Deno and workers. A Request has no client address: without
   * `peerAddress`, keys with an allow-list are refused and all clients share the login limit of an account.
   */
  fetch(request: Request, connection?: FetchConnection): Promise<Response>;
  /**
   * Call it after you commit the transaction on `connection`: the events of its calls are then delivered at once instead
   * of within a few seconds. Harmless after a rollback. Never rejects.
   */
  afterCommit(connection: HostConnection): Promise<void>;
  /**
   * Runs one round of maintenance: expires overdue budgets, sends queued mails, writes counted
   * requests and removes lapsed data. For tests
   * and hosts with a scheduler, which also call `webhooks.tick`.
   */
  tick(): Promise<void>;
  /** Migrates the store, then delivers events and runs maintenance every few seconds until {@link BudgetService.stop}. */
  start(): Promise<void>;
  /**
   * Stops maintenance and deliveries, and waits for commits and for running webhook calls, of at most 30 seconds each.
   * Deliveries not called yet are released, so that other processes take them at once. Writes the counted requests. The
   * store stays open: its owner closes it.
   */
  stop(): Promise<void>;
  /** The number of events to fan out and deliveries to send, each counted up to 100,000: for metrics. */
  backlog(): Promise<Backlog>;
  /** True when the store can serve, writes included. */
  isReady(): Promise<boolean>;
  /** Why the store cannot serve, for an operator; null = it can. */
  findOutage(): Promise<string | null>;
}

const MAX_COUNTED = 100_000;

/** Large libraries load once the process has had time for its first answers. */
const LOADED_AFTER_MS = 1_000;

/** Creates a service. Throws a RangeError for an invalid or unknown option, and a TypeError without a store. */
export function createBudgetService(options: BudgetServiceOptions): BudgetService {
  checkServiceOptions(options);
  const given = settingsOf(options);
  const { clock, agree, findFault } = agreedClock(given.clock, given.store);
  const settings = { ...given, clock };
  const contexts = buildContexts(settings);
  const { dispatcher, listeners, mailWorker, pendingEvents, store } = contexts;
  const { onError } = settings;
  const ready = memoizedSingleFlight(async () => {
    await migrateStore(store, settings.logger, clock);
    await agree();
    await warnOfUnsigned(store, settings.logger).catch(onError);
  });
  const context = httpContextOf(settings, contexts, ready);
  const http = lazyInterface(() => loadInterface(context), context);
  const maintenance = createMaintenance({
    ...contexts,
    sessions: store,
    upkeep: store,
    idempotency: store,
    clock,
    agree,
    onError,
  });
  const call = createCall(ready, contexts.ids.dropBlocks);
  const findOutage = async () =>
    (await store.findOutage()) ?? (await findFault().catch(() => "the clock of the database cannot be read"));
  return {
    ...operationsOf(settings, contexts, call),
    ...typedEvents(listeners),
    site: serviceSite(context),
    handle: http.handle,
    fetch: toFetchHandler(http.handle),
    afterCommit: async (connection) => {
      dispatcher.wakeForEvents();
      contexts.followers.wake();
      await pendingEvents.release(connection).catch((error: unknown) => onError(error));
    },
    tick: () => call.plain(null, () => maintenance.tick().finally(() => mailWorker?.tick())),
    ...backgroundOf(settings, contexts, { maintenance, http, ready }),
    backlog: () => call.plain(null, () => store.countBacklog(clock.now(), MAX_COUNTED)),
    isReady: async () => (await findOutage()) === null,
    findOutage,
  };
}

interface BackgroundParts {
  readonly maintenance: ReturnType<typeof createMaintenance>;
  readonly http: ReturnType<typeof lazyInterface>;
  readonly ready: () => Promise<void>;
}

/** What runs between the start and the stop of a service. */
function backgroundOf(
  { onError }: ServiceSettings,
  { access, usage, webhooks, dispatcher, mailWorker, store, lostCommits, followers }: Contexts,
  { maintenance, http, ready }: BackgroundParts,
): Pick<BudgetService, "start" | "stop"> {
  const loadLibraries = (): void => {
    Promise.all([loadJose(), webhooks.sender.open?.()]).catch((error: unknown) => onError(error));
  };
  let loading: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;
  return {
    start: async () => {
      await ready();
      // Loaded in the background, before the process may run out of file descriptors.
      http.load().catch((error: unknown) => onError(error));
      loading ??= setTimeout(loadLibraries, LOADED_AFTER_MS).unref();
      maintenance.start();
      dispatcher.start();
      mailWorker?.start();
      stopListening ??= store.onWork?.(dispatcher.wake);
      lostCommits.start();
    },
    stop: async () => {
      clearTimeout(loading);
      loading = undefined;
      stopListening?.();
      stopListening = undefined;
      lostCommits.stop();
      followers.stop();
      await Promise.all([maintenance.stop(), dispatcher.stop(), mailWorker?.stop()]);
      while (access.underWay.size > 0) await Promise.all(access.underWay);
      await usage.recorder.flush();
      await webhooks.sender.close?.();
    },
  };
}

/** Signs nothing itself: who can write to the database can make a start find steps missing, and such a record. */
async function warnOfUnsigned(store: Contexts["store"], logger: ServiceSettings["logger"]): Promise<void> {
  if (logger === null || (await store.findUnsignedBeginnings(1)).length === 0) return;
  logger.warn({}, "where the chains of older ledgers begin is not signed yet: run budgetkit ledger sign-beginnings");
}

/** The operations of every domain. */
function operationsOf({ publicPage }: ServiceSettings, contexts: Contexts, call: ReturnType<typeof createCall>) {
  const { access, attachments, budgetsFor, catalogFor, eventsFor, integrations, pdf, usage, webhooks } = contexts;
  const ofAccess = createAccessOperations(access, call);
  const pdfFor: ContextFor<PdfContext> = (options) => ({ ...pdf, budgets: budgetsFor(options) });
  return {
    ...ofAccess,
    businesses: {
      ...ofAccess.businesses,
      ...createLogoOperations({ access, attachments }, call),
      ...createBusinessPreviews({ pdf, publicPage, access }, call),
    },
    ...createCatalogOperations(catalogFor, call),
    budgets: {
      ...createBudgetOperations(budgetsFor, call),
      ...createPdfOperations(pdfFor, call),
      ...createDocumentPreviews((options) => ({ pdf: pdfFor(options), publicPage }), call),
    },
    attachments: createAttachmentOperations(attachments, call),
    events: typedEventLog(createEventOperations(eventsFor, contexts.followers, call)),
    ledger: createLedgerOperations(contexts.ledger, call),
    webhooks: createWebhookOperations(webhooks, contexts.dispatcher, call),
    usage: createUsageOperations(usage, call),
    integrations: createIntegrationOperations(integrations, call),
    signingKeys: createSigningKeyOperations(contexts.signingKeys, call),
  };
}

function httpContextOf(settings: ServiceSettings, contexts: Contexts, ready: () => Promise<void>): HttpContext {
  const {
    clock,
    random,
    trustedProxies,
    trustedOrigins,
    userRateLimit,
    reference,
    resolveUser,
    memberScopes,
    publicPage,
    logger,
  } = settings;
  const { startTraces, onError } = settings;
  const { store, secrets, access, attachments, budgets, catalog, webhooks, usage, integrations, pdf, signingKeys } =
    contexts;
  return {
    access,
    attachments,
    budgets,
    budgetReplies: contexts.budgetReplies,
    catalog,
    countView: contexts.countView,
    webhooks,
    usage,
    integrations,
    pdf,
    signingKeys,
    events: store,
    ledger: contexts.ledger,
    idempotency: store,
    box: secrets.box,
    clock,
    random,
    trustedProxies,
    trustedOrigins,
    userRateLimit,
    reference,
    resolveUser,
    memberScopes,
    publicPage,
    logger,
    startTraces,
    onError,
    ready,
    dropIds: contexts.ids.dropBlocks,
    describe: lazyDocument(settings.publicBaseUrl),
  };
}
