import { budgetkitHono } from "@budgetkit/adapter-hono";
import {
  type BudgetService,
  type BudgetServiceOptions,
  createBudgetService,
  type Role,
  scryptHasher,
} from "@budgetkit/core";
import { dashboardHandler } from "@budgetkit/dashboard";
import { memoryBlobStore, memoryStore, rounds, seededRandom } from "@budgetkit/testing";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { listen } from "../../hosts/http-hosts.js";
import { builtServer } from "../../programs/build-programs.js";
import { noBrowser, openBrowser } from "../browser.js";

/** Whole walks through screens take minutes of two cores: they run at the full scale, at night. */
export const isLeftToNights = noBrowser !== null || rounds({ small: 0, full: 1 }) === 0;

export const PASSWORD = "a good long password";
export const EMAIL = "lucia@roble.example";

export interface DashboardOptions {
  readonly role?: Role;
  readonly language?: string;
  readonly dark?: boolean;
  /** Default: 1,440 by 900. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly service?: Partial<BudgetServiceOptions>;
  /** The path of the mount, for a browser behind a proxy. Default: `/dashboard`. */
  readonly basePath?: string;
  /** Fills the business before anybody logs in. */
  readonly fill?: (service: BudgetService, businessId: string) => Promise<void>;
}

/**
 * The dashboard of a new business in a real browser, with its owner logged in. `open(path)` shows a screen; `complaints` are
 * the errors and warnings of the browser's console: a violation of the policy is one.
 */
export async function openDashboard(options: DashboardOptions = {}) {
  const { role = "OWNER", language = "en", dark = false, size = { width: 1_440, height: 900 } } = options;
  await builtServer(); // and with it the screens
  const store = memoryStore();
  const service = createBudgetService({
    store,
    blobs: memoryBlobStore(),
    secret: "a secret of at least thirty-two characters",
    passwordHasher: scryptHasher(seededRandom(3), { cost: 2 }),
    mailer: { send: async () => {}, sendMessage: async () => {} },
    ...options.service,
  });
  onTestFinished(async () => {
    await service.stop();
    await store.close();
  });
  const { id: businessId } = (await service.businesses.create({ name: "Roble y Cía" }))._unsafeUnwrap();
  const person = { businessId, email: EMAIL, password: PASSWORD, displayName: "Lucía Ferreyra", role };
  const user = (await service.users.create(person))._unsafeUnwrap();
  await options.fill?.(service, businessId);
  const { basePath = "/dashboard" } = options;
  const dashboard = dashboardHandler({ service, basePath });
  const app = new Hono();
  app.route(basePath, budgetkitHono(dashboard));
  app.route("/v1", budgetkitHono(service));
  const { port, close } = await listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  onTestFinished(close);
  const browser = await openBrowser();
  const context = await browser.newContext({
    viewport: size,
    locale: language,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const origin = `http://localhost:${port}`;
  const url = `${origin}${basePath}`;
  const enter = async () => `${origin}${await dashboard.oneTimeLogin({ businessId, userId: String(user.id) })}`;
  await page.goto(await enter());
  return {
    page,
    context,
    service,
    businessId,
    actor: { kind: "system", businessId } as const,
    userId: String(user.id),
    url,
    complaints,
    enter,
    open: async (path: string) => {
      await page.goto(`${url}${path}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    },
  };
}

/** True when the page is wider than the window: it would scroll to the side. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
}
