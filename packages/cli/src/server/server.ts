import { type BudgetService, createBudgetService, directoryBlobStore, systemClock } from "@budgetkit/core";
import { referencePage } from "@budgetkit/reference";
import { attachmentsFolder } from "../settings/attachments-folder.js";
import { type OpenLimiter, openLimiter } from "../settings/open-limiter.js";
import { mailOptions } from "../settings/open-mailer.js";
import { openStore, refuseDatabase } from "../settings/open-store.js";
import { secretsOf } from "../settings/secret-file.js";
import { quotasOf, type Settings } from "../settings/settings.js";
import { createFailureLog } from "./failure-log.js";
import { endFirstOwner, type FirstOwner, makeFirstOwner } from "./first-start.js";
import { frameworks } from "./frameworks.js";
import { createHttpServer } from "./http-server.js";
import { listeningUrl } from "./listening-url.js";

const GRACE_MS = 10_000;

export interface RunningServer {
  readonly url: string; // of the listening socket
  readonly publicUrl: string; // where public links lead
  readonly referenceUrl: string | null; // of the reference page; null = it is turned off
  readonly firstOwner: FirstOwner | null; // null = users exist already
  readonly hasNewSecret: boolean;
  /** Finishes open requests and closes the database. */
  stop(): Promise<void>;
}

/** Starts to serve. Throws a StartFailure for a problem that the operator can fix. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const http = createHttpServer();
  const url = listeningUrl(settings.HOST, await http.listen(settings.PORT, settings.HOST));
  const publicUrl = settings.BUDGETKIT_PUBLIC_URL ?? url;
  const { secrets, isNew } = secretsOf(settings);
  const store = await openStore(settings.DATABASE_URL);
  const limiter = settings.REDIS_URL === null ? null : await openLimiter(settings.REDIS_URL);
  const attachments = attachmentsFolder(settings);
  const findOutage = async () => (await service.findOutage()) ?? (await limiterOutage(limiter));
  const failures = createFailureLog({
    isReady: async () => (await findOutage()) === null,
    print: (line) => process.stderr.write(`${line}\n`),
    clock: systemClock,
  });
  const service: BudgetService = createBudgetService({
    store,
    onError: failures.report,
    ...(limiter === null ? {} : { rateLimits: limiter.rateLimits }),
    ...(attachments === null ? {} : { blobs: directoryBlobStore(attachments.path) }),
    ...(settings.BUDGETKIT_DOCS ? { reference: referencePage() } : {}),
    ...mailOptions(settings),
    secret: secrets,
    publicBaseUrl: publicUrl,
    references: settings.BUDGETKIT_REFERENCES,
    quotas: quotasOf(settings),
    trustedProxies: settings.BUDGETKIT_TRUSTED_PROXIES,
    allowPrivateDestinations: settings.BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS,
  });
  const endMetrics = settings.METRICS_PORT === null ? null : await collectMetrics(service);
  await service.start().catch(refuseDatabase);
  const firstOwner = await makeFirstOwner(service, store, settings).catch(refuseDatabase);
  http.serve({ listener: await frameworks[settings.BUDGETKIT_FRAMEWORK](service), findOutage });
  return {
    url,
    publicUrl,
    referenceUrl: settings.BUDGETKIT_DOCS ? `${url}/v1/docs` : null,
    firstOwner,
    hasNewSecret: isNew,
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
