import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/google-chrome"];
const installed = CHROMIUM.find((path) => existsSync(path));

/** Why the tests in a browser are skipped; null = they run. */
export const noBrowser = installed === undefined ? `no ${CHROMIUM.join(" and no ")}` : null;

if (noBrowser !== null) process.stderr.write(`Tests in a browser are skipped: ${noBrowser}\n`);

/** A browser with an empty profile that makes no requests by itself. It ends with the test. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  return browser;
}

/** The same; it ends when it is closed. */
export async function launchBrowser(): Promise<Browser> {
  if (installed === undefined) throw new Error("there is no browser");
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-browser-"));
  const browser = await chromium.launch({
    executablePath: installed,
    env: { ...process.env, HOME: folder },
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  browser.on("disconnected", () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}
