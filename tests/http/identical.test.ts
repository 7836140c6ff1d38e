import { createBudgetService, scryptHasher } from "@budgetkit/core";
import {
  type HostRequest,
  type HostResponse,
  manualClock,
  memoryBlobStore,
  memoryStore,
  plainPdfs,
  type Send,
  type StartHost,
  seededRandom,
} from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { hosts } from "../hosts/http-hosts.js";

/** What the hosts add of their own. */
const HOST_HEADERS = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
  "x-powered-by",
]);

const PASSWORD = "correct horse battery";

/** What every receiver answers. */
const NO_CONTENT = {
  kind: "answered",
  responseCode: 204,
  responseBody: "",
  retryAfterSeconds: null,
  durationMs: 5,
} as const;

/** One request and what it was answered, but for what the host adds. */
interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

describe("the hosts", () => {
  it("all hosts answer alike, byte for byte", async () => {
    const [first, ...others] = await Promise.all(Object.values(hosts).map(transcriptBehind));
    expect(first?.length).toBeGreaterThanOrEqual(150);
    for (const other of others) expect(other).toEqual(first);
  });
});

/** Makes the same requests of the same service; only the host differs. */
async function transcriptBehind(start: StartHost): Promise<Exchange[]> {
  const store = memoryStore();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(5);
  const service = createBudgetService({
    store,
    clock,
    random,
    secret: "a secret for tests that is long enough",
    passwordHasher: scryptHasher(random, { cost: 2 }),
    publicBaseUrl: "https://quotes.example/v1",
    trustedProxies: ["127.0.0.0/8"],
    onError: () => {},
    webhooks: { sender: { send: async () => NO_CONTENT } },
    blobs: memoryBlobStore(),
    pdf: plainPdfs,
  });
  const host = await start(service);
  const transcript: Exchange[] = [];
  try {
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const user = { email: "olga@example.com", password: PASSWORD, displayName: "Olga", role: "OWNER" } as const;
    (await service.users.create({ ...user, businessId: business.id }))._unsafeUnwrap();
    const key = (
      await service.keys.create(actor, {
        name: "Shop",
        scopes: ["READ_BUDGETS", "WRITE_BUDGETS", "WEBHOOKS", "WRITE_CUSTOMERS", "READ_PRODUCTS", "WRITE_PRODUCTS"],
        webhookUrl: "https://hooks.example/key",
      })
    )._unsafeUnwrap();
    const local = await service.keys.create(actor, {
      name: "Local",
      scopes: ["READ_BUDGETS"],
      allowedIps: ["127.0.0.0/8", "203.0.113.0/24"],
    });
    await play(recording(host.send, transcript), clock, { full: key.key, local: local._unsafeUnwrap().key });
  } finally {
    await host.close();
    await store.close();
  }
  return transcript;
}

function recording(send: Send, transcript: Exchange[]): Send {
  return async (request: HostRequest): Promise<HostResponse> => {
    const response = await send(request);
    const headers = Object.entries(response.headers).filter(([name]) => !HOST_HEADERS.has(name));
    transcript.push({
      request: `${request.method} ${request.path} ${JSON.stringify(request.headers)}`,
      status: response.status,
      headers: Object.fromEntries(headers.sort()),
      body: response.text,
    });
    return response;
  };
}

const BUDGETS = "/v1/api/public/budgets";
const JSON_BODY = { "content-type": "application/json" };
const item = { description: "Oak table", quantity: 2, unitPrice: 150.5 };
const budget = { customerId: "c-1", items: [item], taxRate: 0.21 };
const offer = {
  currency: "ARS",
  issueDate: "2026-03-01",
  expirationDate: "2026-04-01",
  customerId: 501,
  sellerId: 7,
  minimumPaymentToConfirm: 100,
  subtotal: 1_000,
  total: 1_210,
  iva: 210,
  items: [{ productId: 700, quantity: 2, unitPrice: 500 }],
};

/** Good requests and bad ones; later ones build on what earlier ones were answered. */
async function play(
  send: Send,
  clock: ReturnType<typeof manualClock>,
  keys: { readonly full: string; readonly local: string },
): Promise<void> {
  const ask = (
    credential: string | null,
    method: string,
    path: string,
    body: string | Uint8Array | object | null = null,
    headers: HostRequest["headers"] = {},
  ) =>
    send({
      method,
      path,
      headers: {
        ...(body === null ? {} : JSON_BODY),
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...headers,
      },
      body: body === null || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  const full = (method: string, path: string, body: string | Uint8Array | object | null = null, headers = {}) =>
    ask(keys.full, method, path, body, headers);

  await playBudgets(full);
  clock.advance(120_000);
  await playMalformed(full);
  clock.advance(120_000);
  await playLists(full);
  clock.advance(120_000);
  await playAttachments(full);
  await playCatalog(full);
  clock.advance(120_000);

  for (const forwarded of ["203.0.113.9", "198.51.100.1", "198.51.100.1, 203.0.113.9", "203.0.113.9, nonsense", ""]) {
    await ask(keys.local, "GET", BUDGETS, null, { "x-forwarded-for": forwarded });
  }
  for (const credential of [null, "", "nonsense", `${keys.full}x`]) {
    for (const path of [BUDGETS, "/v1/api-keys", "/v1/auth/logout", "/v1/api/public/nowhere"]) {
      await ask(credential, "GET", path);
    }
  }

  const offered: { publicToken: string } = JSON.parse((await full("POST", "/v1/budgets/public", offer)).text);
  const link = `/v1/p/${offered.publicToken}`;
  const form = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
  await ask(null, "GET", link);
  await ask(null, "GET", link, null, { accept: "text/html" });
  await ask(null, "POST", `${link}/accept`, "version=nine", form);
  await ask(null, "POST", `${link}/accept`, "version=9&name=Ana", form);
  await ask(null, "POST", `${link}/accept`, "version=1&name=Ana+%3Cb%3E", form);
  await ask(null, "POST", `${link}/decline`, { version: 2, name: "Ana" });
  await ask(null, "GET", "/v1/p/none", null, { accept: "text/html" });

  await ask(null, "POST", "/v1/auth/login", { email: "olga@example.com", password: "wrong" });
  await ask(null, "POST", "/v1/auth/login", { email: "olga@example.com" });
  const login = await ask(null, "POST", "/v1/auth/login", { email: "olga@example.com", password: PASSWORD });
  const { access_token: token, refresh_token }: { access_token: string; refresh_token: string } = JSON.parse(
    login.text,
  );
  await ask(null, "POST", "/v1/auth/refresh", { refresh_token });
  const once = { "idempotency-key": "a-key" };
  const shop = { name: "Shop", scopes: ["READ_BUDGETS"] };
  const made: { id: string } = JSON.parse((await ask(token, "POST", "/v1/api-keys", shop, once)).text);
  await ask(token, "POST", "/v1/api-keys", shop, once);
  await ask(token, "POST", "/v1/api-keys", { ...shop, name: "Other" }, once);
  await ask(token, "POST", "/v1/api-keys", { name: "", scopes: ["ALL"], allowedIps: ["10/8"] });
  for (const path of ["/v1/api-keys", `/v1/api-keys/${made.id}`, `/v1/api-keys/${made.id}/webhook-secret`]) {
    await ask(token, "GET", path);
  }
  await ask(token, "PUT", `/v1/api-keys/${made.id}`, { status: "SUSPENDED" });
  await ask(token, "POST", `/v1/api-keys/${made.id}/regenerate`, { gracePeriodSeconds: 60 });
  await ask(token, "POST", `/v1/api-keys/${made.id}/regenerate`);
  await ask(token, "POST", `/v1/api-keys/${made.id}/regenerate`, null, JSON_BODY);
  await ask(token, "DELETE", `/v1/api-keys/${made.id}`);
  await ask(token, "GET", "/v1/api/developer/events?limit=100");
  await playWebhooks(full, (...request) => ask(token, ...request));
  for (const query of ["", "?period=1h", "?period=2h"]) {
    await ask(token, "GET", `/v1/api-keys/${made.id}/stats${query}`);
    await ask(token, "GET", `/v1/api/developer/dashboard/stats${query}`);
  }
  await playIntegrations((...request) => ask(token, ...request));
  await ask(token, "POST", "/v1/auth/logout");
  await ask(token, "POST", "/v1/auth/logout");
  for (let times = 0; times < 12; times += 1) {
    await ask(null, "POST", "/v1/auth/login", { email: "nobody@example.com", password: "wrong" });
  }
}

const WEBHOOKS = "/v1/api/developer/webhooks";

async function playWebhooks(full: Full, owner: Full): Promise<void> {
  const test = { event: "budget.approved", data: { a: "Ñandú" } };
  for (const body of [test, {}, { event: "budget.exploded", data: {} }]) {
    await full("POST", "/v1/api/public/webhooks/test", body);
  }
  const settings = { url: "https://hooks.example/endpoint", events: ["budget.created"] };
  const made: { id: string } = JSON.parse((await owner("POST", WEBHOOKS, settings)).text);
  await owner("POST", WEBHOOKS, { url: "http://127.0.0.1/", events: [], retryPolicy: { delaysSeconds: [1] } });
  const path = `${WEBHOOKS}/${made.id}`;
  await owner("PUT", path, { description: "Ñ", retryPolicy: { delaysSeconds: [0, 5] }, status: "DISABLED" });
  const tested: { data: { delivery_id: string } } = JSON.parse((await owner("POST", `${path}/test`)).text);
  const retry = `${path}/deliveries/${tested.data.delivery_id}/retry`;
  await owner("POST", retry);
  await owner("PUT", path, { status: "ACTIVE" });
  await owner("POST", retry);
  await owner("POST", retry);
  await owner("POST", `${path}/recover`, { since: "2026-01-01" });
  await owner("POST", `${path}/recover`, { since: "then" });
  await owner("POST", `${path}/secret/rotate`);
  for (const read of [WEBHOOKS, path, `${path}/secret`, `${path}/deliveries`, `${path}/deliveries?status=lost`]) {
    await owner("GET", read);
    await full("GET", read);
  }
  await owner("DELETE", path);
  await owner("DELETE", path);
}

async function playIntegrations(owner: Full): Promise<void> {
  const integrations = "/v1/api/developer/integrations";
  const made: { id: string } = JSON.parse((await owner("POST", integrations, { name: "Ñ", config: { a: [1] } })).text);
  await owner("POST", integrations, { name: "", webhookIds: ["1", "1"] });
  const path = `${integrations}/${made.id}`;
  await owner("PUT", path, { status: "INACTIVE", webhookIds: ["999999"] });
  await owner("PUT", path, { status: "INACTIVE" });
  for (const read of [integrations, path]) await owner("GET", read);
  await owner("DELETE", path);
  await owner("DELETE", path);
}

type Full = (
  method: string,
  path: string,
  body?: string | Uint8Array | object | null,
  headers?: HostRequest["headers"],
) => Promise<HostResponse>;

async function playBudgets(full: Full): Promise<void> {
  const created: { data: { id: string } } = JSON.parse((await full("POST", BUDGETS, budget)).text);
  const path = `${BUDGETS}/${created.data.id}`;
  for (const headers of [{}, { "if-none-match": '"v1"' }, { "if-none-match": "*" }, { "x-request-id": "mine" }]) {
    await full("GET", path, null, headers);
  }
  const { etag = "" } = (await full("GET", path)).headers;
  await full("GET", path, null, { "if-none-match": etag });
  await full("HEAD", path);
  await full("PUT", path, { notes: "Ñandú 🙂", metadata: { a: [1, { b: null }] } }, { "if-match": '"v1"' });
  await full("PUT", path, { notes: "late" }, { "if-match": '"v1"' });
  for (const rest of [
    "",
    "?page=2&limit=1",
    "/1",
    "/2",
    "/9",
    "/2/difference",
    "/2/difference?from=9",
    "/1/difference",
  ]) {
    await full("GET", `${path}/revisions${rest}`);
  }
  await full("POST", `${BUDGETS}/preview`, budget);
  await full("PUT", path, { notes: "weak" }, { "if-match": 'W/"v2"' });
  await full("PUT", path, { status: "APPROVED" });
  await full("PUT", path, { status: "REJECTED" });
  await full("PUT", path, { notes: "locked" });
  for (const act of ["complete", "archive", "submit", "withdraw", "duplicate", "public-link", "restore"]) {
    await full("POST", `${path}/${act}`, null, { "idempotency-key": `act-${act}` });
    await full("POST", `${path}/${act}`, null, { "idempotency-key": `act-${act}` });
  }
  await full("POST", `${path}/reopen`, { reason: "why" });
  for (const amount of [50, 50, 51, 0, 0.001]) await full("POST", `${path}/payments`, { amount, reference: "Ñ 1" });
  await full("GET", `${path}/payments`);
  await full("DELETE", path);
  await full("DELETE", path);
  await full("POST", `${path}/restore`);
  for (const headers of [{}, { accept: "application/problem+json" }, { accept: "text/html" }]) {
    await full("GET", `${BUDGETS}/999`, null, headers);
  }
}

async function playAttachments(full: Full): Promise<void> {
  const created: { data: { id: string } } = JSON.parse((await full("POST", BUDGETS, budget)).text);
  const path = `${BUDGETS}/${created.data.id}/attachments`;
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const part = (name: string, rest: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`;
  const file = part("file", '; filename="Ñandú.txt"', "Ñandú 🙂");
  const sent: { data: { id: string } } = JSON.parse((await full("POST", path, `${file}--b--`, type)).text);
  const one = `${path}/${sent.data.id}`;
  for (const read of [path, `${path}?page=2&limit=1`, `${path}?limit=0`, one, `${path}/999999`, `${path}/abc`]) {
    await full("GET", read);
  }
  const { etag = "" } = (await full("HEAD", one)).headers;
  await full("GET", one, null, { "if-none-match": etag });
  const texts = [
    "",
    "nonsense",
    file,
    "--b--",
    part("file", "", "x"),
    part("other", '; filename="a"', "x"),
    `${file}${file}`,
  ];
  for (const text of texts) await full("POST", path, text.endsWith("--b--") ? text : `${text}--b--`, type);
  for (const headers of [JSON_BODY, { "content-type": "multipart/form-data" }, { ...type, "content-encoding": "br" }]) {
    await full("POST", path, `${file}--b--`, headers);
  }
  await full("POST", path, file.slice(0, -9), type);
  const large = 26 * 1024 * 1024;
  await full("POST", path, new Uint8Array(large), { ...type, "content-length": String(large) });
  await full("DELETE", one);
  await full("DELETE", one);
}

async function playCatalog(full: Full): Promise<void> {
  const products = "/v1/api/public/products";
  const table = { id: "table", name: "Oak table", sku: "OAK", unitPrice: 450, variants: [{ id: "xl", name: "XL" }] };
  const set = { id: "set", name: "Set", items: [{ productId: "table", variantId: "xl", quantity: 2 }] };
  for (const body of [table, table, { ...table, id: "other" }, { name: "", variants: [{}] }]) {
    await full("POST", products, body, { "idempotency-key": `product-${JSON.stringify(body).length}` });
  }
  for (const body of [set, { name: "Empty", items: [] }, { ...set, items: [{ productId: "none", quantity: 1 }] }]) {
    await full("POST", "/v1/api/public/packages", body);
  }
  await full("POST", "/v1/api/public/customers", { name: "Ñandú", cuit: "20-30123456-3", dni: "30.123.456" });
  await full("POST", "/v1/api/public/customers", { name: "Other", cuit: "20301234563" });
  await full("GET", "/v1/api/public/customers");
  await full("GET", `${products}?sort=name&order=asc&search=oak`);
  await full("GET", "/v1/api/public/packages/set");
  await full("PUT", `${products}/table`, { unitPrice: 460.5 }, { "if-match": '"v1"' });
  await full("PUT", `${products}/table`, { unitPrice: 1 }, { "if-match": '"v1"' });
  await full("DELETE", `${products}/table`);
  await full("GET", `${products}/table`);
  await full("POST", `${products}/table/restore`);
}

async function playMalformed(full: Full): Promise<void> {
  const bodies = [
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"customerId":1,"items":{}}',
    '{"customerId":"c","items":[]}',
    JSON.stringify({ ...budget, items: [{ ...item, quantity: -1 }, { unitPrice: "1" }] }),
    JSON.stringify({ ...budget, taxRate: 2, currency: "usd", validUntil: "soon" }),
    JSON.stringify({ ...budget, validUntil: "2020-01-01" }),
    JSON.stringify({ ...budget, discountAmount: 1e6 }),
    JSON.stringify({ ...budget, total: 1 }),
    '{"metadata":{"__proto__":1}}',
    '{"notes":"\\u0000"}',
    '{"notes":"\\ud800"}',
    `${"[".repeat(50)}${"]".repeat(50)}`,
    new Uint8Array([0xff, 0xfe]),
    "x".repeat(1024 * 1024 + 1),
  ];
  for (const body of bodies) {
    await full("POST", BUDGETS, body);
    await full("POST", BUDGETS, body, { "content-type": "text/plain" });
  }
  await full("POST", BUDGETS, "{}", { "content-encoding": "gzip" });
  await full("POST", BUDGETS, budget, { "idempotency-key": "not a key" });
}

async function playLists(full: Full): Promise<void> {
  const queries = [
    "",
    "page=0",
    "page=1&page=2",
    "limit=1",
    "sort=total&order=asc",
    "search=%00",
    "search=a%zz",
    "a=b",
  ];
  for (const query of queries) await full("GET", `${BUDGETS}?${query}`);
  const paths = [
    "/v1",
    "/v1/",
    "/v1/v1",
    "/v1/v1/api-keys",
    "/v1/openapi.json",
    "/v1/nowhere",
    "/v1/p",
    "/v1/p/",
    "/v1?a=1",
    `${BUDGETS}/`,
  ];
  const odd = ["//", "/1/", "/1%2f2", "/%zz", "/%c3%28", "/1%00", "/a'b", "/a+b", "/a;b=c", "/ñ".normalize("NFC")];
  await full("GET", "/v1/openapi.json", null, { "accept-encoding": "gzip" });
  for (const path of [...paths, ...odd.map((rest) => `${BUDGETS}${encodeNonAscii(rest)}`)]) await full("GET", path);
  for (const method of ["PATCH", "OPTIONS", "DELETE", "PUT"]) await full(method, BUDGETS);
}

function encodeNonAscii(path: string): string {
  return path.replace(/[^\u0021-\u007e]/gu, encodeURIComponent);
}
