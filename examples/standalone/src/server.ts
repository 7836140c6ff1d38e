import { createBudgetService, directoryBlobStore } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { attachmentsFolder } from "./attachments-folder.js";
import { type FirstOwner, makeFirstOwner } from "./first-start.js";
import { frameworks } from "./frameworks.js";
import { createHttpServer } from "./http-server.js";
import { generateSecret, type KeptSecrets, keepSecrets } from "./secret-file.js";
import type { Settings } from "./settings.js";
import { StartFailure } from "./start-failure.js";

const GRACE_MS = 10_000;

export interface RunningServer {
  readonly url: string; // of the socket
  readonly publicUrl: string; // where public links lead
  readonly firstOwner: FirstOwner | null; // null = there were users already
  readonly hasNewSecret: boolean;
  /** Finishes the requests under way and lets go of the data. */
  stop(): Promise<void>;
}

/** Starts to serve. Throws a StartFailure for what the operator can mend. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const http = createHttpServer();
  const url = addressOf(settings.HOST, await http.listen(settings.PORT, settings.HOST));
  const publicUrl = settings.BUDGETKIT_PUBLIC_URL ?? url;
  const { secrets, isNew } = secretsOf(settings);
  const store = openStore(settings.DATABASE_URL);
  const attachments = attachmentsFolder(settings);
  const service = createBudgetService({
    store,
    blobs: directoryBlobStore(attachments.path),
    secret: secrets,
    publicBaseUrl: publicUrl,
    references: settings.BUDGETKIT_REFERENCES,
    trustedProxies: settings.BUDGETKIT_TRUSTED_PROXIES,
    allowPrivateDestinations: settings.BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS,
  });
  await service.start().catch(refuseDatabase);
  const firstOwner = await makeFirstOwner(service, settings);
  http.serve({ listener: frameworks[settings.BUDGETKIT_FRAMEWORK](service), isReady: service.isReady });
  return {
    url,
    publicUrl,
    firstOwner,
    hasNewSecret: isNew,
    stop: async () => {
      await http.close(GRACE_MS);
      await service.stop();
      await store.close();
      attachments.end();
    },
  };
}

/** Those of the environment, or else those of the file beside the database; a database in memory needs no file. */
function secretsOf({ BUDGETKIT_SECRET: given, DATABASE_URL: path }: Settings): KeptSecrets {
  if (given !== null) return { secrets: given, isNew: false };
  if (path === null) return { secrets: [generateSecret()], isNew: true };
  return keepSecrets(`${path}-secret`);
}

function openStore(path: string | null): ReturnType<typeof sqliteStore> {
  try {
    return sqliteStore(path ?? ":memory:");
  } catch (error) {
    return refuseDatabase(error);
  }
}

function refuseDatabase(error: unknown): never {
  throw new StartFailure(`DATABASE_URL cannot be used: ${error instanceof Error ? error.message : String(error)}`);
}

const EVERY_ADDRESS = ["0.0.0.0", "::"];

/** The address to type in: of a server that listens on every address, the one of this machine. */
function addressOf(host: string, port: number): string {
  if (EVERY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
