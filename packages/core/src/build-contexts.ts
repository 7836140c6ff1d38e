import type { AccessContext } from "./access/access-context.js";
import type { AttachmentContext } from "./attachments/attachment-context.js";
import { openLogo } from "./attachments/logo.js";
import { createLogoReduction } from "./attachments/logo-reduction.js";
import { listShared } from "./attachments/shared-attachments.js";
import type { BudgetContext } from "./budgets/budget-context.js";
import { MAIL_DEADLINE_MS } from "./budgets/mail.js";
import { createMailWorker, type MailWorker } from "./budgets/mailing/mail-worker.js";
import { endpointMail } from "./budgets/notices/endpoint-mail.js";
import { replayedBudget } from "./budgets/reading/read-budgets.js";
import { createViewCounter } from "./budgets/sharing/count-view.js";
import type { CatalogContext } from "./catalog/resource.js";
import { createRunCommit, type RunCommit } from "./commit/run-commit.js";
import type { DomainEvent } from "./events/event.js";
import { createEventListeners } from "./events/event-listeners.js";
import { createEventFollowers } from "./events/follow-events.js";
import { createPendingEvents } from "./events/pending-events.js";
import { BudgetReplies } from "./http/budget-replies.js";
import { createPdfContext, type PdfContext } from "./http/pdf/pdf-context.js";
import type { IntegrationContext } from "./integrations/manage-integrations.js";
import type { Actor } from "./kernel/actor.js";
import type { ContextFor, HostConnection } from "./kernel/call.js";
import { createIdSource, type IdSource } from "./kernel/ids.js";
import { createOneAtATime } from "./kernel/one-at-a-time.js";
import { deriveSecrets } from "./kernel/secret-box.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import { steadyRateLimits } from "./limits/steady-rate-limits.js";
import { createLostCommits } from "./lost-commits.js";
import type { ServiceSettings } from "./service-options.js";
import { createSigningKeys } from "./signing/signing-keys.js";
import type { Condition, TransactionStore, Write } from "./store.js";
import { isWatched, storeChannel } from "./telemetry/channels.js";
import { observedCalls } from "./telemetry/observed-calls.js";
import { createUsageRecorder } from "./usage/recorder.js";
import type { UsageContext } from "./usage/statistics.js";
import { cancelWaiting } from "./webhooks/deliveries/bounded-steps.js";
import { createDispatcher, type Dispatcher } from "./webhooks/dispatch/dispatcher.js";
import type { WebhookContext } from "./webhooks/webhook-context.js";

export type Contexts = ReturnType<typeof buildContexts>;

/** Builds the contexts of the domains, and the parts that they share. */
export function buildContexts(settings: ServiceSettings) {
  const { clock, random, onError, logger, rounding, references, publicBaseUrl, allowPrivateDestinations } = settings;
  const { store, limits } = storesOf(settings);
  const ids = createIdSource(store);
  const events = eventsAfterCommits(settings, store, () => dispatcher.wakeForEvents());
  const planDeliveries = (given: readonly DomainEvent[]) => dispatcher.planDeliveries(given);
  const commit: TransactionScope["commit"] = createRunCommit({ store, planDeliveries, announce: events.announce });
  const secrets = deriveSecrets(settings.secrets, random);
  const shared = { store, commit, limits, clock, random, ids, secrets, allowPrivateDestinations, onError };
  const access = accessContextOf(settings, { ...shared, cancelCallbacks: callbackCanceller(store) });
  const { quota, sender, retentionMs, concurrency } = settings;
  const calls = { quota, sender, retentionMs, concurrency, logger, wake: () => dispatcher.wake() };
  const webhooks: WebhookContext = {
    ...shared,
    ...calls,
    readBudget: (...key) => replayedBudget(budgets, ...key),
    tellDisabled: (...given) => endpointMail(budgets, ...given),
  };
  const dispatcher = createDispatcher(webhooks);
  /** Without a connection, a call commits by itself and announces its events at once. */
  const own: TransactionScope = { store, ids, commit };
  const contextsOf = contextsOver(own, scopesIn(settings, store, ids, events.pendingEvents));
  const mailing = mailingOf(settings, limits, store, {
    wake: () => mailWorker?.wake(),
    undrawableIn: (...mail) => undrawableIn(pdf, ...mail).catch(withoutNames(onError)),
  });
  const signingKeys = createSigningKeys({ store, clock, random, box: secrets.box });
  const budgetParts = { box: secrets.box, listShared: sharedFilesOf(settings, store) };
  const budgetsFor = contextsOf(
    (scope): BudgetContext => ({
      ...{ clock, random, rounding, references, publicBaseUrl, quota, mailing, ...budgetParts },
      linkReadings: scope === own ? limits : null,
      findBusiness: (businessId) => scope.store.findBusiness(businessId),
      sign: (scope === own ? signingKeys : signingKeys.within(scope.store)).sign,
      ...scope,
    }),
  );
  const catalogFor = contextsOf(
    (scope): CatalogContext => ({
      ...{ clock, rounding, quota, ...scope },
      findBusiness: (businessId) => scope.store.findBusiness(businessId),
    }),
  );
  const budgets = budgetsFor();
  const budgetReplies = new BudgetReplies();
  const recorder = createUsageRecorder({ store, flushIntervalMs: settings.flushIntervalMs, onError });
  const attachments = attachmentContextOf(settings, { store, commit, budgets, ids });
  const findLogo = async (businessId: string) => (await openLogo({ access, attachments }, businessId)).unwrapOr(null);
  const pdf = createPdfContext(budgets, settings.pdf, settings.publicPage.words ?? {}, findLogo, onError);
  const mailWorker = mailWorkerOf(settings, pdf);
  return {
    ...events,
    lostCommits: createLostCommits(
      settings.store,
      forgetting({ ids, signingKeys, dispatcher, budgetReplies, ...events }),
    ),
    store,
    limits,
    ids,
    secrets,
    signingKeys,
    dispatcher,
    mailWorker,
    access,
    attachments,
    budgets,
    budgetsFor,
    budgetReplies,
    countView: createViewCounter(budgets, onError),
    catalog: catalogFor(),
    catalogFor,
    eventsFor: contextsOf((scope) => scope),
    integrations: { store, commit, clock, ids } satisfies IntegrationContext,
    ledger: { store, box: secrets.box, clock, sign: signingKeys.sign, publicBaseUrl, onError },
    pdf,
    usage: { store, recorder, limits, clock } satisfies UsageContext,
    webhooks,
  };
}

/** Who receives the events of this process's own commits. */
function eventsAfterCommits(
  { clock, onError }: ServiceSettings,
  store: ServiceSettings["store"],
  wakeForEvents: () => void,
) {
  const listeners = createEventListeners(onError);
  const pendingEvents = createPendingEvents(store, listeners, clock);
  const followers = createEventFollowers({ store, onError });
  const announce = (events: readonly DomainEvent[], mayWait: boolean): Promise<void> => {
    if (mayWait) wakeForEvents();
    followers.wake();
    pendingEvents.hold(null, events);
    return pendingEvents.release(null).catch(onError);
  };
  return { listeners, pendingEvents, followers, announce };
}

function sharedFilesOf({ blobs }: ServiceSettings, store: ServiceSettings["store"]): BudgetContext["listShared"] {
  return async (businessId, id) => (blobs === null ? [] : listShared(store, businessId, id));
}

/** In a transaction of the host, the events stay pending until the host has committed. */
function scopesIn(
  { clock, store: given }: ServiceSettings,
  store: ServiceSettings["store"],
  ids: ReturnType<typeof createIdSource>,
  pendingEvents: ReturnType<typeof createPendingEvents>,
) {
  return (connection: HostConnection): TransactionScope => {
    const inTransaction = store.withConnection(connection);
    const observed = isWatched(storeChannel)
      ? observedCalls(inTransaction, given.databaseSystem, clock)
      : inTransaction;
    const announce = (events: readonly DomainEvent[]) => pendingEvents.hold(connection, events);
    const commit = createRunCommit({ store: observed, planDeliveries: async () => null, announce });
    return { store: observed, ids: ids.within(observed), commit };
  };
}

function attachmentContextOf(
  { quota, blobs, pdf, clock, onError }: ServiceSettings,
  parts: Pick<AttachmentContext, "store" | "commit" | "budgets" | "ids">,
): AttachmentContext {
  const reduceLogo = createLogoReduction(pdf?.reduceLogo?.bind(pdf));
  const drawsSvg = pdf?.logoTypes?.includes("image/svg+xml") === true;
  return { ...parts, quota, blobs, clock, onError, reduceLogo, drawsSvg };
}

interface KeptOfCommits {
  readonly ids: ReturnType<typeof createIdSource>;
  readonly signingKeys: ReturnType<typeof createSigningKeys>;
  readonly dispatcher: Dispatcher;
  readonly followers: ReturnType<typeof createEventFollowers>;
  readonly budgetReplies: BudgetReplies;
}

/** Drops what a process keeps of commits that may be lost. */
function forgetting({ ids, signingKeys, dispatcher, followers, budgetReplies }: KeptOfCommits): () => void {
  return () => {
    ids.dropBlocks();
    signingKeys.forget();
    dispatcher.forget();
    followers.wake();
    budgetReplies.forget();
  };
}

/** Null = the service has no mailer for budgets. */
function mailingOf(
  { mailer, mailsPerHour: perHour, onError }: ServiceSettings,
  limits: RateLimitStore,
  store: ServiceSettings["store"],
  parts: Pick<NonNullable<BudgetContext["mailing"]>, "wake" | "undrawableIn">,
): BudgetContext["mailing"] {
  if (mailer?.sendMessage === undefined) return null;
  const findUserEmail = async (businessId: string, userId: string) => {
    const user = await store.findUser(businessId, userId);
    return user === null || user.disabledAt !== null ? null : user.email;
  };
  return { limits, perHour, findUserEmail, onError, ...parts };
}

/** In the transaction of the context. */
async function undrawableIn(
  pdf: PdfContext,
  budgets: BudgetContext,
  actor: Actor,
  budgetId: string,
  lang: string | null,
) {
  if (pdf.renderer?.undrawable === undefined) return [];
  const { listUndrawable } = await import("./http/pdf/budget-pdf.js");
  return (await listUndrawable({ ...pdf, budgets }, actor, budgetId, { asked: lang, accepted: null })).unwrapOr([]);
}

function withoutNames(onError: (error: unknown) => void) {
  return (error: unknown): readonly string[] => {
    onError(error);
    return [];
  };
}

/** Null = the service has no mailer for budgets. The pages, which write the mails, are loaded with the first one. */
function mailWorkerOf({ mailer, onError }: ServiceSettings, pdf: PdfContext): MailWorker | null {
  if (mailer?.sendMessage === undefined) return null;
  return createMailWorker({
    budgets: pdf.budgets,
    sendMessage: mailer.sendMessage.bind(mailer),
    write: async (...given) => (await import("./http/pages/budget-mail.js")).budgetMail(...given),
    attach: async (facts) => (await import("./http/pdf/budget-pdf.js")).mailedPdf(pdf, facts),
    deadlineMs: MAIL_DEADLINE_MS,
    onError,
  });
}

function callbackCanceller(store: ServiceSettings["store"]): AccessContext["cancelCallbacks"] {
  return (businessId, id, now) => cancelWaiting(store, businessId, { kind: "key", id }, now);
}

type OwnAccessParts =
  | "quota"
  | "hasher"
  | "byAccount"
  | "mailer"
  | "underWay"
  | "passwordPageUrl"
  | "publicBaseUrl"
  | "usesUnderWay";

function accessContextOf(settings: ServiceSettings, shared: Omit<AccessContext, OwnAccessParts>): AccessContext {
  const { quota, hasher, mailer, passwordPageUrl, publicBaseUrl } = settings;
  const running = { underWay: new Set<Promise<void>>(), usesUnderWay: new Set<string>() };
  const byAccount = createOneAtATime();
  return { ...shared, ...running, quota, hasher, byAccount, mailer, passwordPageUrl, publicBaseUrl };
}

/** The stores, wrapped so that the channel `budgetkit:store` reports their calls. */
function storesOf({ store, rateLimits, clock }: ServiceSettings) {
  const observed = observedCalls(store, store.databaseSystem, clock);
  const limits = rateLimits === null ? observed : observedCalls(rateLimits, rateLimits.databaseSystem, clock);
  return { store: observed, limits: steadyRateLimits(limits, clock) };
}

/** The dependencies that differ between a call that commits by itself and one in a transaction of the host. */
interface TransactionScope {
  readonly store: TransactionStore;
  readonly ids: IdSource;
  readonly commit: RunCommit<Write, Condition>;
}

/** Makes one context for `own`, and a new one for each call in a transaction of the host. */
function contextsOver(own: TransactionScope, scopeIn: (connection: HostConnection) => TransactionScope) {
  return <Context>(make: (scope: TransactionScope) => Context): ContextFor<Context> => {
    const ownContext = make(own);
    return (options) => (options?.connection === undefined ? ownContext : make(scopeIn(options.connection)));
  };
}
