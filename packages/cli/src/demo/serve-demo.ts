import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../server/server.js";
import { stopOnSignal } from "../server/stop-on-signal.js";
import type { Settings } from "../settings/settings.js";

/** A file of its own that ends with the demonstration. */
export function temporaryDatabase(): { readonly url: Settings["DATABASE_URL"]; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-demo-"));
  return {
    url: { kind: "file", path: join(folder, "demo.db") },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Owner {
  readonly businessId: string;
  readonly userId: string;
}

/** Serves the filled database until a signal. @returns the address of the dashboard that logs its owner in once */
export async function serveDemo(settings: Settings, owner: Owner, end: () => void): Promise<string> {
  const server = await startServer(settings);
  stopOnSignal(async () => {
    await server.stop();
    end();
  });
  return server.logInOnce(owner);
}
