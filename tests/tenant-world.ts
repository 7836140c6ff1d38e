import {
  type BlobStore,
  type BudgetService,
  createBudgetService,
  ROLES,
  SCOPES,
  type Store,
  scryptHasher,
} from "@budgetkit/core";
import { type HostResponse, manualClock, memoryBlobStore, seededRandom } from "@budgetkit/core/testing";
import type { Route } from "../packages/core/src/http/route.js";
import { routes } from "../packages/core/src/http/route-table.js";
import { askDirectly } from "./direct-host.js";
import { type Names, SAMPLES } from "./operation-samples.js";
import { type Caller, covers } from "./tenant-access.js";

/** A business with something of everything, and whoever may call for it. */
export interface Tenant {
  readonly names: Names;
  readonly callers: readonly Caller[];
}

export interface TenantWorld {
  readonly service: BudgetService;
  readonly tenants: ReadonlyMap<string, Tenant>;
  /** Bodies and addresses of the callbacks so far. */
  readonly callbacks: readonly string[];
  /** Failures that the service reported. */
  readonly errors: readonly unknown[];
  ask(caller: Caller, route: Route, request: AskedRequest): Promise<HostResponse>;
}

export interface AskedRequest {
  readonly path: string; // below /v1, with its query
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Ids of 13 digits are nothing else: no amount, no count, no part of a timestamp. */
const FIRST_ID = 7_100_000_000_000;

/**
 * What each business has besides its users and keys: the operation that makes it, what of the answer goes by which
 * name. Bodies come from the samples. A later one may use the names of those before it.
 */
const FURNITURE: readonly { readonly by: string; readonly names: Readonly<Record<string, string>> }[] = [
  { by: "createCustomer", names: { customerId: "data.id" } },
  { by: "createProduct", names: { productId: "data.id" } },
  { by: "createPackage", names: { packageId: "data.id" } },
  { by: "createApiKey", names: { keyId: "id" } },
  { by: "createWebhook", names: { webhookId: "id" } },
  { by: "createIntegration", names: { integrationId: "id" } },
  { by: "createPublicBudget", names: { offerId: "budgetId", token: "publicToken" } },
  { by: "createBudget", names: { approvedId: "data.id" } },
  { by: "createBudget", names: { deletedId: "data.id" } },
  { by: "createBudget", names: { budgetId: "data.id", itemId: "data.items.0.id" } },
  { by: "uploadAttachment", names: { attachmentId: "data.id" } },
  { by: "recordPayment", names: { paymentId: "data.id" } },
];

export interface WorldOptions {
  /** What keys and tokens are drawn from: another one than of the world that made the data of the store. Default 11. */
  readonly seed?: number;
  readonly blobs?: BlobStore;
}

/** A service in which the named businesses were filled alike, one after the other. */
export async function makeTenantWorld(
  store: Store,
  filled: readonly string[],
  { seed = 11, blobs = memoryBlobStore() }: WorldOptions = {},
): Promise<TenantWorld> {
  const random = seededRandom(seed);
  const callbacks: string[] = [];
  const errors: unknown[] = [];
  const service = createBudgetService({
    store,
    blobs,
    clock: manualClock("2026-03-02T12:00:00.000Z"),
    random,
    secret: "a secret for tests that is long enough",
    publicBaseUrl: "https://quotes.example/v1",
    passwordHasher: scryptHasher(random, { cost: 2 }),
    onError: (error) => errors.push(error),
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
  await store.reserveIds(FIRST_ID);
  const tenants = new Map<string, Tenant>();
  const world: TenantWorld = { service, tenants, callbacks, errors, ask: asking(service) };
  for (const name of filled) tenants.set(name, await fill(world, name));
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

async function fill(world: TenantWorld, name: string): Promise<Tenant> {
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
  const businessId = (await service.businesses.create({ name: mark }))._unsafeUnwrap().id;
  known.set("businessId", businessId);
  known.set("sellerId", `42${businessId.slice(2)}`); // budgets say who sells; nobody looks it up
  (await service.businesses.setTier(businessId, "ENTERPRISE"))._unsafeUnwrap();
  const keys = await makeKeys(service, businessId, mark);
  known.set("usedKeyId", keys.usedKeyId);
  const callers = [...keys.callers, ...(await makeUsers(service, businessId, mark))];
  const session = (await service.sessions.login({ email: names("email"), password: passwordOf(mark) }))._unsafeUnwrap();
  known.set("refreshToken", session.refresh_token);
  const tenant: Tenant = { names, callers: [...callers, NOBODY] };

  const system = { kind: "system", businessId } as const;
  for (const [index, { by, names: picked }] of FURNITURE.entries()) {
    const answer = await askOwn(world, tenant, by, { "idempotency-key": `the-same-${index}` });
    if (answer.status !== 201) throw new Error(`${by} made nothing: ${answer.text}`);
    for (const [each, path] of Object.entries(picked)) known.set(each, textAt(JSON.parse(answer.text), path));
  }
  (await service.budgets.update(system, names("approvedId"), { status: "APPROVED" }))._unsafeUnwrap();
  (await service.budgets.delete(system, names("deletedId")))._unsafeUnwrap();
  (await service.budgets.update(system, names("budgetId"), { notes: `changed by ${mark}` }))._unsafeUnwrap();
  await service.webhooks.tick();
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

const NOBODY: Caller = { name: "nobody", credential: null, scopes: [], role: null };

/** A key with all scopes, which is the one that is used most, and one for each alone. */
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
    callers.push({ name: `a user who is ${role}`, credential: session.access_token, scopes: [], role });
  }
  return callers;
}

/** Calls an operation for a business on what is its own. */
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
  throw new Error(`nobody may call ${route.operationId}`);
}

/** The request of an operation's sample; `namedBy` says who has what its path and its input name. */
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
