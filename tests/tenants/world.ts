import {
  type BlobStore,
  type BudgetService,
  createBudgetService,
  ROLES,
  SCOPES,
  type Store,
  scryptHasher,
} from "@budgetkit/core";
import { insertBusinessCommit } from "@budgetkit/core/store";
import {
  aBusiness,
  type HostResponse,
  manualClock,
  memoryBlobStore,
  plainPdfs,
  seededRandom,
} from "@budgetkit/testing";
import { expect, vi } from "vitest";
import type { Route } from "../../packages/core/src/http/route.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { askDirectly } from "../hosts/direct-host.js";
import { type Names, SAMPLES } from "../operations/operation-samples.js";
import { type Caller, covers, SCOPES_BY_ROLE } from "./access.js";
import { watchedStore } from "./watched-store.js";

/** A business with a record of every kind, and its callers. */
export interface Tenant {
  readonly names: Names;
  readonly callers: readonly Caller[];
}

export interface TenantWorld {
  readonly service: BudgetService;
  readonly tenants: ReadonlyMap<string, Tenant>;
  /** URLs and bodies of the callbacks so far. */
  readonly callbacks: readonly string[];
  /** Errors that the service reported. */
  readonly errors: readonly unknown[];
  ask(caller: Caller, route: Route, request: AskedRequest): Promise<HostResponse>;
  /** Waits for what responses do not wait for, such as the entry of a failed login, which draws an id. */
  quiet(): Promise<void>;
  /**
   * Delivers until no event waits, no replay runs and no delivery is due. One tick takes one step of a replay, and leaves
   * a delivery whose row is locked at that moment.
   */
  settle(): Promise<void>;
}

export interface AskedRequest {
  readonly path: string; // below /v1, with its query
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const START = Date.UTC(2026, 2, 2, 12);

const SETTLES_WITHIN = { timeout: 30_000, interval: 1 };

/** Ids of ten digits are nothing else: no amount, no count, no part of a timestamp. Ids that are drawn have as many. */
const FIRST_BUSINESS = 7_100_000_001;

/**
 * What each business has besides its users and keys: the operation that creates it, and the names for parts of the
 * response. Bodies come from the samples. A body may use the names of the entries above it.
 */
const FURNITURE: readonly { readonly by: string; readonly names: Readonly<Record<string, string>> }[] = [
  { by: "createCustomer", names: { customerId: "data.id" } },
  { by: "createProduct", names: { productId: "data.id" } },
  { by: "createPackage", names: { packageId: "data.id" } },
  { by: "createApiKey", names: { keyId: "id" } },
  { by: "createWebhook", names: { webhookId: "id" } },
  { by: "inviteUser", names: { userId: "user.id" } },
  { by: "createIntegration", names: { integrationId: "id" } },
  { by: "createPublicBudget", names: { offerId: "budgetId", token: "publicToken" } },
  { by: "createPublicBudget", names: { acceptedId: "budgetId", acceptedToken: "publicToken" } },
  { by: "createBudget", names: { approvedId: "data.id" } },
  { by: "createBudget", names: { deletedId: "data.id" } },
  { by: "createBudget", names: { budgetId: "data.id", itemId: "data.items.0.id" } },
  { by: "uploadAttachment", names: { attachmentId: "data.id" } },
  { by: "sendBudget", names: { mailId: "data.id" } },
  { by: "recordPayment", names: { paymentId: "data.id" } },
  { by: "sendMessage", names: { messageId: "data.id" } },
  { by: "sendPublicMessage", names: { questionId: "data.id" } },
  { by: "startWebhookReplay", names: {} },
];

export interface WorldOptions {
  /** The seed of keys and tokens. Differs from the seed of the world that wrote the data of the store. Default 11. */
  readonly seed?: number;
  readonly blobs?: BlobStore;
}

/** A service with the named businesses, which get the same data one after the other. */
export async function makeTenantWorld(
  given: Store,
  filled: readonly string[],
  { seed = 11, blobs = memoryBlobStore() }: WorldOptions = {},
): Promise<TenantWorld> {
  const random = seededRandom(seed);
  const callbacks: string[] = [];
  const errors: unknown[] = [];
  const { store, quiet } = watchedStore(given);
  const clock = manualClock(START);
  const service = createBudgetService({
    store,
    blobs,
    pdf: plainPdfs,
    clock,
    random,
    secret: "a secret for tests that is long enough",
    publicBaseUrl: "https://quotes.example/v1",
    passwordHasher: scryptHasher(random, { cost: 2 }),
    onError: (error) => errors.push(error),
    mailer: { send: async () => {}, sendMessage: async () => {} },
    webhooks: {
      sender: {
        send: async ({ url, body }) => {
          callbacks.push(`${url} ${body}`);
          return { kind: "answered", responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 5 };
        },
      },
    },
  });
  await store.migrate();
  const tenants = new Map<string, Tenant>();
  const isSettled = async () => {
    const [events, replays, dueAt] = await Promise.all([
      store.findUndispatchedEvents(1),
      store.findRunningReplays(null, 1),
      store.nextDueAt(),
    ]);
    return events.length === 0 && replays.length === 0 && (dueAt === null || dueAt > clock.now());
  };
  const settle = async () => {
    await quiet();
    if (await isSettled()) return; // after most requests, and a tick asks the store many times
    await vi.waitFor(async () => {
      await service.webhooks.tick();
      expect(await isSettled()).toBe(true);
    }, SETTLES_WITHIN);
  };
  const world: TenantWorld = { service, tenants, callbacks, errors, ask: asking(service), quiet, settle };
  for (const name of filled) tenants.set(name, await fill(world, store, name));
  return world;
}

function asking(service: BudgetService): TenantWorld["ask"] {
  return ({ credential }, { method }, { path, body, headers }) => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    return askDirectly(service, {
      method,
      path: `/v1${path}`,
      headers: {
        "x-request-id": "the-same",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...headers,
      },
      body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
    });
  };
}

async function fill(world: TenantWorld, store: Store, name: string): Promise<Tenant> {
  const { service } = world;
  const mark = `zqx${name}zqx`;
  const known = new Map([
    ["mark", mark],
    ["email", `${mark}@example.com`],
    ["password", passwordOf(mark)],
    ["revision", "2"],
  ]);
  const names: Names = (wanted) => {
    const value = known.get(wanted);
    if (value === undefined) throw new Error(`${name} has nothing named ${wanted}`);
    return value;
  };
  const businessId = String(FIRST_BUSINESS + world.tenants.size);
  await store.commit(
    insertBusinessCommit(aBusiness({ id: businessId, name: mark, tier: "ENTERPRISE", createdAt: START })),
  );
  known.set("businessId", businessId);
  known.set("sellerId", `42${businessId.slice(2)}`); // a budget names its seller; the service does not look it up
  const keys = await makeKeys(service, businessId, mark);
  known.set("usedKeyId", keys.usedKeyId);
  const callers = [...keys.callers, ...(await makeUsers(service, businessId, mark))];
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${mark}</title></svg>`;
  (await service.businesses.setLogo({ kind: "system", businessId }, Buffer.from(logo)))._unsafeUnwrap();
  const session = (await service.sessions.login({ email: names("email"), password: passwordOf(mark) }))._unsafeUnwrap();
  known.set("refreshToken", session.refresh_token);
  const tenant: Tenant = { names, callers: [...callers, ANONYMOUS] };

  const system = { kind: "system", businessId } as const;
  for (const [index, { by, names: picked }] of FURNITURE.entries()) {
    const answer = await askOwn(world, tenant, by, { "idempotency-key": `the-same-${index}` });
    if (answer.status !== 201) throw new Error(`${by} made nothing: ${answer.text}`);
    for (const [each, path] of Object.entries(picked)) known.set(each, textAt(JSON.parse(answer.text), path));
    await world.settle(); // deliveries draw ids too: before the next request, not beside it
  }
  (await service.budgets.update(system, names("approvedId"), { status: "APPROVED" }))._unsafeUnwrap();
  const answer = { version: 2, name: names("mark") };
  const asked = { version: 1, name: names("mark"), message: names("mark") };
  (await service.budgets.requestChange(names("acceptedToken"), asked))._unsafeUnwrap();
  await world.settle();
  (await service.budgets.answerPublicLink(names("acceptedToken"), "accept", answer))._unsafeUnwrap();
  await world.settle();
  (await service.budgets.delete(system, names("deletedId")))._unsafeUnwrap();
  await world.settle();
  (await service.budgets.update(system, names("budgetId"), { notes: `changed by ${mark}` }))._unsafeUnwrap();
  await world.settle();
  for (const [each, of] of [
    ["deliveryId", "listDeliveriesOfWebhook"],
    ["keyDeliveryId", "listDeliveriesOfApiKey"],
  ] as const) {
    known.set(each, textAt(JSON.parse((await askOwn(world, tenant, of)).text), "data.0.id"));
  }
  return tenant;
}

function passwordOf(mark: string): string {
  return `the password of ${mark}`;
}

const ANONYMOUS: Caller = { name: "an anonymous caller", credential: null, scopes: [], role: null };

/** A key with every scope, which most requests use, and a key for each scope. */
async function makeKeys(
  service: BudgetService,
  businessId: string,
  mark: string,
): Promise<{ callers: Caller[]; usedKeyId: string }> {
  const callers: Caller[] = [];
  const ids: string[] = [];
  for (const scopes of [[...SCOPES], ...SCOPES.map((scope) => [scope])]) {
    const created = await service.keys.create(
      { kind: "system", businessId },
      { name: mark, scopes, rateLimitPerHour: 1_000_000, webhookUrl: `https://${mark}.example/${scopes[0]}` },
    );
    const name = `a key with ${scopes.length === 1 ? scopes[0] : "every scope"}`;
    const { id, key } = created._unsafeUnwrap();
    ids.push(id);
    callers.push({ name, credential: key, scopes, role: null });
  }
  return { callers, usedKeyId: ids[0] ?? "" };
}

async function makeUsers(service: BudgetService, businessId: string, mark: string): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const role of ROLES) {
    const email = role === "OWNER" ? `${mark}@example.com` : `${role.toLowerCase()}-${mark}@example.com`;
    const password = passwordOf(mark);
    (await service.users.create({ businessId, email, password, displayName: mark, role }))._unsafeUnwrap();
    const session = (await service.sessions.login({ email, password }))._unsafeUnwrap();
    callers.push({
      name: `a user who is ${role}`,
      credential: session.access_token,
      scopes: SCOPES_BY_ROLE[role],
      role,
    });
  }
  return callers;
}

/** Calls an operation for a business on its own records. */
async function askOwn(
  world: TenantWorld,
  tenant: Tenant,
  operationId: string,
  headers: AskedRequest["headers"] = {},
): Promise<HostResponse> {
  const route = routes.find((each) => each.operationId === operationId);
  if (route === undefined) throw new Error(`there is no operation ${operationId}`);
  const asked = requestFor(route, tenant.names);
  return world.ask(callerFor(tenant, route), route, { ...asked, headers: { ...asked.headers, ...headers } });
}

/** The first of a business's callers who may call an operation. */
export function callerFor(tenant: Tenant, route: Route): Caller {
  for (const caller of tenant.callers) if (covers(caller, route)) return caller;
  throw new Error(`no caller may call ${route.operationId}`);
}

/** The request of an operation's sample. `namedBy` returns the names for a path parameter, or for the input. */
export function requestFor(
  route: Route,
  own: Names,
  namedBy: (place: string) => Names = () => own,
  { query = "", pattern = route.paths[0] } = {},
): AskedRequest {
  const sample = SAMPLES[route.operationId] ?? {};
  const path = pattern.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(namedBy(parameter)(sample.params?.[parameter] ?? parameter)),
  );
  return {
    path: query === "" ? path : `${path}?${query}`,
    body: sample.body?.(own, namedBy("input")),
    headers: sample.headers ?? {},
  };
}

/** The value at a path into JSON, as text. Throws where there is none. */
function textAt(value: unknown, path: string): string {
  let found: unknown = value;
  for (const step of path.split(".")) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined;
  }
  if (typeof found !== "string" && typeof found !== "number") throw new Error(`nothing at ${path}`);
  return String(found);
}
