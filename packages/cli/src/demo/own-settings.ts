import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../settings/settings.js";

/** Where a demonstration keeps its data, until it ends. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "budgetkit-demo-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * The settings with a database of its own, and nothing of what another server's environment names: this one would sweep its
 * attachments, send its mails and charge its limits.
 */
export function ownSettings(settings: Settings, folder: string): Settings {
  return {
    ...settings,
    DATABASE_URL: { kind: "file", path: join(folder, "demo.db") },
    REDIS_URL: null,
    METRICS_PORT: null,
    SMTP_URL: null,
    BUDGETKIT_SECRET: null,
    BUDGETKIT_PUBLIC_URL: null,
    BUDGETKIT_ATTACHMENTS_DIR: null,
    BUDGETKIT_DASHBOARD: true,
  };
}
