import {
  type BudgetService,
  createBudgetService,
  directoryBlobStore,
  type PasswordHasher,
  systemClock,
} from "@budgetkit/core";
import { referencePage } from "@budgetkit/reference";
import { attachmentsFolder } from "../settings/attachments-folder.js";
import { type OpenLimiter, openLimiter } from "../settings/open-limiter.js";
import { mailOptions } from "../settings/open-mailer.js";
import { openStore, refuseDatabase } from "../settings/open-store.js";
import { secretsOf } from "../settings/secret-file.js";
import { quotasOf, type Settings, userRateLimitOf } from "../settings/settings.js";
import { StartFailure } from "../terminal/failures.js";
import { dashboardUrlOf, loadDashboard } from "./dashboard.js";
import { createFailureLog } from "./failure-log.js";
import { endFirstOwner, type FirstOwner, makeFirstOwner, warnOfName } from "./first-start.js";
import { frameworks } from "./frameworks.js";
import { createHttpServer } from "./http-server.js";
import { lazyPdfDocuments } from "./lazy-pdf.js";
import { listeningUrl, publicUrlOf } from "./listening-url.js";
import { createServerLog } from "./server-log.js";
import { welcoming } from "./welcome-page.js";

const GRACE_MS = 10_000;

export interface RunningServer {
  readonly port: number;
  readonly url: string; // of the listening socket
  readonly publicUrl: string; // where public links lead
  readonly dashboardUrl: string | null; // where a browser reaches the dashboard; null = it is turned off
  readonly referenceUrl: string | null; // of the reference page; null = it is turned off
  readonly firstOwner: FirstOwner | null; // null = users exist already
  readonly hasNewSecret: boolean;
  /** The address of the dashboard that logs this user in once. Rejects where the dashboard is turned off. */
  logInOnce(user: { readonly businessId: string; readonly userId: string }): Promise<string>;
  /** Finishes open requests and closes the database. */
  stop(): Promise<void>;
}

/**
 * Starts to serve. A process that takes part in a port that others serve, `sharedPort`, listens when it is ready, since it
 * would take requests away from them; any other listens first, to notice a port in use before it changes anything.
 * Throws a StartFailure for a problem that the operator can fix.
 */
export async function startServer(
  settings: Settings,
  sharedPort: number | null = null,
  passwordHasher: PasswordHasher | null = null, // null = the default one
): Promise<RunningServer> {
  const http = createHttpServer({
    headersMs: settings.BUDGETKIT_HEADERS_TIMEOUT_SECONDS * 1_000,
    bodyMs: settings.BUDGETKIT_BODY_TIMEOUT_SECONDS * 1_000,
  });
  const listen = () => http.listen(settings.PORT, settings.HOST);
  const port = sharedPort ?? (await listen());
  const url = listeningUrl(settings.HOST, port);
  const publicUrl = publicUrlOf(settings, port);
  const { secrets, isNew } = secretsOf(settings);
  const store = await openStore(settings.DATABASE_URL);
  const limiter = settings.REDIS_URL === null ? null : await openLimiter(settings.REDIS_URL);
  const attachments = attachmentsFolder(settings);
  const findOutage = async () => (await service.findOutage()) ?? (await limiterOutage(limiter));
  const log = createServerLog({
    level: settings.BUDGETKIT_LOG_LEVEL,
    format: settings.BUDGETKIT_LOG_FORMAT ?? (process.stderr.isTTY === true ? "pretty" : "json"),
    clock: systemClock,
    write: (line) => process.stderr.write(line),
  });
  const isReady = async () => (await findOutage()) === null;
  const failures = createFailureLog({ isReady, print: log.print, clock: systemClock });
  const service: BudgetService = createBudgetService({
    store,
    onError: failures.report,
    logger: log.logger,
    ...(limiter === null ? {} : { rateLimits: limiter.rateLimits }),
    ...(attachments === null ? {} : { blobs: directoryBlobStore(attachments.path) }),
    ...(settings.BUDGETKIT_DOCS ? { reference: referencePage() } : {}),
    ...mailOptions(settings),
    ...(passwordHasher === null ? {} : { passwordHasher }),
    pdf: lazyPdfDocuments(),
    secret: secrets,
    publicBaseUrl: publicUrl,
    references: settings.BUDGETKIT_REFERENCES,
    ...(settings.BUDGETKIT_MEMBER_SCOPES === null ? {} : { memberScopes: settings.BUDGETKIT_MEMBER_SCOPES }),
    quotas: quotasOf(settings),
    trustedProxies: settings.BUDGETKIT_TRUSTED_PROXIES,
    trustedOrigins: settings.BUDGETKIT_TRUSTED_ORIGINS,
    userRateLimit: userRateLimitOf(settings),
    allowPrivateDestinations: settings.BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS,
  });
  const endMetrics = settings.METRICS_PORT === null ? null : await collectMetrics(service);
  await service.start().catch(refuseDatabase);
  const firstOwner = await makeFirstOwner(service, store, settings).catch(refuseDatabase);
  const warning = sharedPort === null ? await warnOfName(service, settings).catch(refuseDatabase) : null;
  if (warning !== null) log.print("warn", warning);
  const dashboard = settings.BUDGETKIT_DASHBOARD ? await loadDashboard(service, publicUrl) : null;
  const listener = await frameworks[settings.BUDGETKIT_FRAMEWORK](service, dashboard);
  const offered = { dashboard: settings.BUDGETKIT_DASHBOARD, reference: settings.BUDGETKIT_DOCS };
  http.serve({ listener: welcoming(listener, offered), findOutage });
  if (sharedPort !== null) await listen();
  return {
    port,
    url,
    publicUrl,
    dashboardUrl: settings.BUDGETKIT_DASHBOARD ? dashboardUrlOf(publicUrl) : null,
    referenceUrl: settings.BUDGETKIT_DOCS ? `${url}/v1/docs` : null,
    firstOwner,
    hasNewSecret: isNew,
    logInOnce: async (user) => {
      if (dashboard === null) throw new StartFailure("BUDGETKIT_DASHBOARD turns the dashboard off.");
      return new URL(await dashboard.oneTimeLogin(user), publicUrl).href;
    },
    stop: async () => {
      await http.close(GRACE_MS);
      await service.stop();
      failures.stop();
      endMetrics?.();
      await store.close();
      limiter?.close();
      attachments?.end();
      endFirstOwner(firstOwner, settings);
    },
  };
}

async function limiterOutage(limiter: OpenLimiter | null): Promise<string | null> {
  return limiter === null || (await limiter.rateLimits.isReady()) ? null : "Redis cannot serve the rate limits";
}

/** The metrics library is loaded only when METRICS_PORT is set. */
async function collectMetrics({ backlog }: BudgetService): Promise<() => void> {
  const metrics = await import("./metrics.js");
  return metrics.collectMetrics(backlog);
}
