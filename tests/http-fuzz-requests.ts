import type { HostRequest, seededRandom } from "@budgetkit/core/testing";
import { drawInteger, drawOne } from "../packages/core/src/testing/seeded-random.js";

type Random = ReturnType<typeof seededRandom>;

/** Who sends a request; `marker` goes into what they write, "" for those without a credential. */
export interface Caller {
  readonly credential: string;
  readonly marker: string;
}

/** What earlier answers told: ids and link tokens of either business. */
export interface Known {
  readonly ids: string[];
  readonly tokens: string[];
}

const MAX_KNOWN = 200;

export function remember(known: Known, text: string): void {
  const id = /"id":"([\w.:-]+)"/.exec(text)?.[1] ?? /"budgetId":(\d+)/.exec(text)?.[1];
  const token = /"publicToken":"([\w-]{43})"/.exec(text)?.[1];
  if (id !== undefined) known.ids.push(id);
  if (token !== undefined) known.tokens.push(token);
  for (const list of [known.ids, known.tokens]) if (list.length > MAX_KNOWN) list.splice(0, MAX_KNOWN / 2);
}

/** A request that is valid in most of its parts and strange in some. */
export function fuzzRequest(
  random: Random,
  callers: readonly Caller[],
  known: Known,
): { request: HostRequest; caller: Caller } {
  const caller = drawOne(random, callers);
  const template = drawOne(random, TEMPLATES);
  const method = oneIn(random, 25) ? drawOne(random, METHODS) : template.method;
  const path = template.path
    .replace("{id}", drawOne(random, known.ids))
    .replace("{token}", drawOne(random, known.tokens));
  const body = template.body === undefined ? null : bodyText(random, template.body(caller.marker, random));
  const headers: Record<string, string> = {};
  if (caller.credential !== "") headers.authorization = `Bearer ${caller.credential}`;
  if (oneIn(random, 40)) headers.authorization = `Bearer ${mutateText(random, caller.credential)}`.slice(0, 500);
  if (body !== null) headers["content-type"] = template.type ?? "application/json";
  for (const [name, values, rarity] of HEADERS) if (oneIn(random, rarity)) headers[name] = drawOne(random, values);
  const target = oneIn(random, 15) ? mutateText(random, path) : path;
  const query = oneIn(random, 8) ? `?${drawOne(random, QUERIES)}` : "";
  return { request: { method, path: `/v1${target}${query}`, headers: latin1(headers), body }, caller };
}

interface Template {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: (marker: string, random: Random) => unknown;
}

const BUDGETS = "/api/public/budgets";
const FORM = "application/x-www-form-urlencoded";

function budgetBody(marker: string): unknown {
  return {
    customerId: "c-1",
    notes: `<${marker}>`,
    items: [
      { description: "Table", quantity: 2, unitPrice: 10.5 },
      { productId: "p-1", description: "Chair", quantity: 4, unitPrice: 5 },
    ],
    taxRate: 0.21,
    discountAmount: 1,
    validUntil: "2027-01-01",
    currency: "USD",
    metadata: { marker: `<${marker}>`, nested: { list: [1, "two", null] } },
  };
}

function offerBody(marker: string): unknown {
  return {
    currency: "USD",
    issueDate: "2026-01-01",
    expirationDate: "2027-01-01T00:00:00Z",
    customerId: 5,
    sellerId: 6,
    minimumPaymentToConfirm: 1,
    subtotal: 10,
    iva: 2.1,
    total: 12.1,
    comments: `<${marker}>`,
    items: [{ productId: 7, quantity: 1, unitPrice: 10 }],
  };
}

const keyBody = (marker: string) => ({
  name: `<${marker}>`,
  scopes: ["READ_BUDGETS"],
  description: "a key",
  rateLimitPerHour: 100,
  allowedIps: ["10.0.0.0/8", "::1"],
  expiresAt: "2027-01-01",
  webhookUrl: "https://example.com/hooks",
});

const webhookBody = (marker: string) => ({
  url: "https://example.com/hooks",
  description: `<${marker}>`,
  events: ["budget.created", "budget.approved"],
  allowedIps: ["10.0.0.0/8", "::1"],
  retryPolicy: { delaysSeconds: [0, 1, 60] },
  status: "ACTIVE",
});

const testBody = (marker: string) => ({ event: "budget.created", data: { marker: `<${marker}>` } });

const WEBHOOKS = "/api/developer/webhooks";

const update = (marker: string, random: Random) =>
  drawOne(random, [
    { notes: `<${marker}>` },
    { status: "APPROVED" },
    { status: "REJECTED" },
    { status: "EXPIRED" },
    { status: "PENDING", validUntil: "2028-01-01" },
    { items: [{ description: "New", quantity: 1.25, unitPrice: 3 }], taxRate: 0.1, discountAmount: 0.01 },
  ]);

const customerBody = (marker: string, random: Random) => ({
  ...(oneIn(random, 3) ? { id: drawOne(random, ["c-1", "crm:7", "5"]) } : {}),
  name: `<${marker}>`,
  email: "ana@example.com",
  dni: "30.123.456",
  cuit: drawOne(random, ["20-30123456-3", "30700000008", null]),
  metadata: { marker: `<${marker}>` },
});

const productBody = (marker: string, random: Random) => ({
  ...(oneIn(random, 3) ? { id: drawOne(random, ["p-1", "7"]) } : {}),
  name: `<${marker}>`,
  sku: drawOne(random, ["A", "B", null]),
  unitPrice: 10.5,
  options: [{ name: "Colour", values: ["red"] }],
  variants: [{ name: `<${marker}>`, sku: "A-1", options: { Colour: "red" }, unitPrice: null }],
});

const packageBody = (marker: string, random: Random) => ({
  name: `<${marker}>`,
  price: drawOne(random, [null, 99.5]),
  items: [{ productId: drawOne(random, ["p-1", "7", "none"]), quantity: 2 }],
});

const TEMPLATES: readonly Template[] = [
  { method: "GET", path: "/" },
  { method: "GET", path: BUDGETS },
  { method: "GET", path: `${BUDGETS}/{id}` },
  { method: "GET", path: `${BUDGETS}/{id}` },
  { method: "HEAD", path: `${BUDGETS}/{id}` },
  { method: "POST", path: BUDGETS, body: budgetBody },
  { method: "POST", path: BUDGETS, body: budgetBody },
  { method: "PUT", path: `${BUDGETS}/{id}`, body: update },
  { method: "PUT", path: `${BUDGETS}/{id}`, body: update },
  { method: "DELETE", path: `${BUDGETS}/{id}` },
  ...["submit", "withdraw", "complete", "archive", "restore", "duplicate", "public-link"].map((act) => ({
    method: "POST",
    path: `${BUDGETS}/{id}/${act}`,
  })),
  { method: "POST", path: `${BUDGETS}/{id}/reopen`, body: () => ({ reason: "why" }) },
  { method: "POST", path: "/api/budgets/public", body: offerBody },
  { method: "POST", path: "/budgets/public", body: offerBody },
  ...(
    [
      ["/api/public/customers", customerBody],
      ["/api/public/products", productBody],
      ["/api/public/packages", packageBody],
    ] as const
  ).flatMap(([path, body]) => [
    { method: "GET", path },
    { method: "GET", path: `${path}/{id}` },
    { method: "POST", path, body },
    { method: "PUT", path: `${path}/{id}`, body },
    { method: "DELETE", path: `${path}/{id}` },
    { method: "POST", path: `${path}/{id}/restore` },
  ]),
  { method: "GET", path: "/p/{token}" },
  { method: "POST", path: "/p/{token}/accept", body: () => ({ version: 1, name: "Ana" }) },
  { method: "POST", path: "/p/{token}/decline", type: FORM, body: () => "version=1&name=Ana&reason=" },
  {
    method: "POST",
    path: "/auth/login",
    body: () => ({ email: "north@example.com", password: "correct horse battery" }),
  },
  { method: "POST", path: "/auth/refresh", body: () => ({ refresh_token: "abc" }) },
  { method: "GET", path: "/api-keys" },
  { method: "GET", path: "/api/developer/api-keys/{id}" },
  { method: "POST", path: "/api-keys", body: keyBody },
  { method: "PUT", path: "/api-keys/999999", body: keyBody },
  { method: "GET", path: "/api-keys/{id}/webhook-secret" },
  { method: "POST", path: "/api-keys/{id}/webhook-secret/rotate", body: () => ({}) },
  { method: "GET", path: "/api/developer/events" },
  { method: "POST", path: "/api/public/webhooks/test", body: testBody },
  { method: "GET", path: WEBHOOKS },
  { method: "POST", path: WEBHOOKS, body: webhookBody },
  { method: "POST", path: WEBHOOKS, body: webhookBody },
  { method: "GET", path: `${WEBHOOKS}/{id}` },
  { method: "PUT", path: `${WEBHOOKS}/{id}`, body: webhookBody },
  { method: "DELETE", path: `${WEBHOOKS}/{id}` },
  { method: "GET", path: `${WEBHOOKS}/{id}/secret` },
  { method: "POST", path: `${WEBHOOKS}/{id}/secret/rotate`, body: () => ({ secret: "s".repeat(20) }) },
  { method: "POST", path: `${WEBHOOKS}/{id}/test`, body: testBody },
  ...[`${WEBHOOKS}/{id}`, "/api-keys/{id}", "/api/developer/api-keys/{id}"].flatMap((subscriber) => [
    { method: "GET", path: `${subscriber}/deliveries` },
    { method: "POST", path: `${subscriber}/deliveries/{id}/retry` },
    { method: "POST", path: `${subscriber}/recover`, body: () => ({ since: "2026-01-01" }) },
  ]),
];

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PURGE"];

const HEADERS: readonly (readonly [name: string, values: readonly string[], rarity: number])[] = [
  [
    "content-type",
    ["", "text/plain", "application/json; charset=utf-8", "application/x+json", FORM, "a/b;;=", "json"],
    25,
  ],
  ["content-encoding", ["gzip", "identity", "br", ""], 60],
  ["accept", ["text/html", "application/problem+json", "*/*", "", "a,;q=x", "text/html;q=0.1,application/json"], 4],
  ["if-match", ['"v1"', '"v2"', "*", 'W/"v1"', '"v1", "v3"', "", "v1", '"v99999999999999999999"'], 10],
  ["if-none-match", ['"v1"', '"v2"', "*", 'W/"v1"', "", '"'], 5],
  ["idempotency-key", ["a", "b", "c", "d", "", "has space", "x".repeat(300), "ñ"], 6],
  ["x-request-id", ["mine", "", "has space", "x".repeat(200), "<b>"], 10],
  ["x-forwarded-for", ["1.2.3.4", "nonsense", "::1, 1.2.3.4"], 30],
];

const QUERIES = [
  "page=1&limit=5",
  "page=2&limit=100&sort=total&order=asc",
  "sort=name&order=asc&limit=2",
  "status=PENDING",
  "search=table",
  "minTotal=1&maxTotal=99999",
  "includeDeleted=true",
  "createdAfter=2026-01-01&createdBefore=2026-12-31",
  "page=NaN",
  "page=1&page=2",
  "limit=1e9",
  "status=%00",
  "search=%F0%9F%99%82%ff",
  "cursor=AAAA",
  "status=retrying&event=budget.created",
  "__proto__=1",
  "=&&=&%",
  "a[b]=c",
  `search=${"x".repeat(300)}`,
];

/** Most bodies are sent as they are; some have a value replaced, some are broken as text. */
function bodyText(random: Random, body: unknown): string | Uint8Array {
  if (typeof body === "string") return oneIn(random, 4) ? mutateText(random, body) : body;
  const changed = oneIn(random, 2) ? mutateValue(random, body) : body;
  const text = JSON.stringify(changed) ?? "";
  if (oneIn(random, 300)) return `${text.slice(0, -1)},"padding":"${"x".repeat(1024 * 1024)}"}`;
  if (oneIn(random, 40)) return random.bytes(drawInteger(random, 200));
  if (oneIn(random, 15))
    return text.replace(/-?\d+(\.\d+)?/, drawOne(random, ["NaN", "1e400", "-Infinity", "01", "1e-400", "-0"]));
  return oneIn(random, 20) ? mutateText(random, text) : text;
}

const STRANGE: readonly unknown[] = [
  null,
  true,
  "",
  " ",
  "\u0000",
  "\ud800",
  "🙂".repeat(100),
  "x".repeat(12_000),
  "2026-02-30",
  "2026-03-02T24:00:00Z",
  "0",
  0,
  -0,
  -1,
  0.1,
  0.0000001,
  1e21,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  [],
  {},
  [[[]]],
  new Array(600).fill({ description: "x", quantity: 1, unitPrice: 1 }),
  new Array(30_000).fill(0),
  { constructor: 1 },
  JSON.parse('{"__proto__":{"admin":true}}'),
  JSON.parse(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`),
  JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`),
  Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index])),
];

/** A copy in which one value, chosen by chance, is strange, gone, or has company. */
function mutateValue(random: Random, value: unknown): unknown {
  if (oneIn(random, 6) || typeof value !== "object" || value === null) return drawOne(random, STRANGE);
  if (Array.isArray(value)) {
    const index = drawInteger(random, value.length + 1);
    return [...value.slice(0, index), mutateValue(random, value[index]), ...value.slice(index + 1)];
  }
  const entries = Object.entries(value);
  const index = drawInteger(random, entries.length + 1);
  const [name, old] = entries[index] ?? [
    drawOne(random, ["unknown", "id", "status", "businessId", "", "a.b", "total"]),
    0,
  ];
  const rest = entries.filter(([each]) => each !== name);
  return Object.fromEntries(oneIn(random, 5) ? rest : [...rest, [name, mutateValue(random, old)]]);
}

const FRAGMENTS = [
  "/",
  "//",
  "..",
  "/../",
  "%2f",
  "%00",
  "%",
  "%zz",
  "?",
  "#",
  "{",
  '"',
  "\\",
  ":",
  "é",
  "/v1",
  " ",
  "'",
  ";",
];

/** Text with a piece of it gone, doubled, or something put in between. */
function mutateText(random: Random, text: string): string {
  const at = drawInteger(random, text.length + 1);
  const end = Math.min(text.length, at + drawInteger(random, 5));
  switch (drawInteger(random, 3)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, end) + text.slice(at);
    default:
      return text.slice(0, at) + drawOne(random, FRAGMENTS) + text.slice(at);
  }
}

/** Header values as a server hands them over: bytes without control characters. */
function latin1(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\u0020-\u00ff]/g, "?")]),
  );
}

function oneIn(random: Random, chances: number): boolean {
  return drawInteger(random, chances) === 0;
}
