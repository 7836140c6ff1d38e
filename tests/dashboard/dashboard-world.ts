import { budgetkitExpress } from "@budgetkit/adapter-express";
import { budgetkitHono } from "@budgetkit/adapter-hono";
import {
  type BudgetService,
  type BudgetServiceOptions,
  createBudgetService,
  type Role,
  type Store,
  scryptHasher,
} from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { type Dashboard, dashboardOf } from "../../packages/dashboard/src/server/dashboard-handler.js";
import type { DashboardOptions } from "../../packages/dashboard/src/server/options.js";
import { listen } from "../hosts/http-hosts.js";
import { makeAppFolder } from "./app-folder.js";

export const PASSWORD = "a good long password";
export const ANA = "ana@example.com";

type Send = (request: Request) => Promise<Response>;

/** Answers requests whose path begins with the mount, as each kind of host does. */
export const mounts: Readonly<Record<string, (dashboard: Dashboard, path: string) => Promise<Send>>> = {
  fetch: async (dashboard) => (request) => dashboard(request, { peerAddress: "127.0.0.1" }),
  Hono: async (dashboard, path) => {
    const app = new Hono();
    app.route(path, budgetkitHono(dashboard));
    return overSocket(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  },
  Express: async (dashboard, path) => {
    const app = express();
    app.use(path, budgetkitExpress(dashboard));
    return overSocket(app);
  },
};

async function overSocket(listener: Parameters<typeof listen>[0]): Promise<Send> {
  const { port, close } = await listen(listener);
  onTestFinished(close);
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`http://127.0.0.1:${port}${pathname}${search}`, request), { redirect: "manual" });
  };
}

export const stores: Readonly<Record<string, () => Store>> = {
  memory: () => memoryStore(),
  SQLite: () => sqliteStore(":memory:"),
};

export interface WorldOptions {
  readonly store?: Store;
  readonly mount?: string;
  readonly service?: Partial<BudgetServiceOptions>;
  readonly dashboard?: Omit<DashboardOptions, "service">;
}

/** A service with a business and a user, the dashboard over it, and what plays the browser. */
export async function dashboardWorld({
  store = memoryStore(),
  mount = "fetch",
  service: given = {},
  dashboard: options = {},
}: WorldOptions = {}) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const errors: unknown[] = [];
  const serviceOptions: BudgetServiceOptions = {
    store,
    secret: "a secret of at least 32 characters for tests",
    passwordHasher: scryptHasher(seededRandom(3), { cost: 2 }),
    clock,
    onError: (error) => errors.push(error),
    ...given,
  };
  const service = createBudgetService(serviceOptions);
  onTestFinished(async () => {
    await service.stop();
    await store.close();
  });
  const business = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
  const addUser = async (email: string, role: Role = "OWNER") =>
    (
      await service.users.create({ businessId: business.id, email, password: PASSWORD, displayName: "Ana", role })
    )._unsafeUnwrap();
  const ana = await addUser(ANA);
  const folder = makeAppFolder();
  onTestFinished(folder.remove);
  const mountAnother = async (of: BudgetService = service, more: Partial<typeof options> = {}) => {
    const dashboard = dashboardOf({ service: of, ...options, ...more }, folder.path);
    const path = more.basePath ?? options.basePath ?? "/dashboard";
    const send = await mountWith(mount, dashboard, path.replace(/\/$/, ""));
    return { dashboard, send };
  };
  const { dashboard, send } = await mountAnother();
  return {
    clock,
    service,
    serviceOptions,
    businessId: business.id,
    userId: String(ana.id),
    addUser,
    dashboard,
    send,
    mountAnother,
    errors,
    browser: () => new Browser(send),
  };
}

function mountWith(name: string, dashboard: Dashboard, path: string): Promise<Send> {
  const mount = mounts[name];
  if (mount === undefined) throw new Error(`no such mount: ${name}`);
  return mount(dashboard, path);
}

export interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Keeps cookies and sends what a page of the dashboard would send. */
export class Browser {
  cookies = new Map<string, string>();
  /** The last cookie as it was set, with its attributes. */
  lastSet: string | null = null;

  constructor(
    private readonly send: Send,
    private readonly base = "/dashboard",
    private readonly origin = "http://localhost:3000",
  ) {}

  async ask(path: string, { method = "GET", body, headers = {} }: Sent = {}): Promise<Response> {
    const jar = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(`${this.origin}${this.base}${path}`, {
      method,
      redirect: "manual",
      headers: {
        "sec-fetch-site": "same-origin",
        ...(method === "GET" ? {} : { "x-budgetkit-dashboard": "1" }),
        ...(jar === "" ? {} : { cookie: jar }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await this.send(request);
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    return response;
  }

  logIn(credentials: object = {}): Promise<Response> {
    return this.ask("/session", { method: "POST", body: { email: ANA, password: PASSWORD, ...credentials } });
  }

  #keep(set: string): void {
    this.lastSet = set;
    const [pair = "", ...attributes] = set.split("; ");
    const [name = "", value = ""] = pair.split("=");
    if (attributes.includes("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
