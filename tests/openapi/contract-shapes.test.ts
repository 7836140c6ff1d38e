import { describe, expect, it } from "vitest";
import { statusesOf } from "../../packages/core/src/http/error-schemas.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { asDescribed, type DescribedSchema, describedSchema } from "../operations/described-schema.js";

/**
 * The fields of the contract, operation by operation, as `type`, `type?` where it may be left out, `type|null` where it
 * may be null. What an operation really answers is held to these schemas, field by field, by the HTTP suite.
 */
type Fields = Readonly<Record<string, string>>;

const BUDGET_ENTRY: Fields = {
  id: "string",
  customerId: "string",
  status: "string",
  total: "number",
  subtotal: "number",
  tax: "number",
  currency: "string",
  validUntil: "string|null",
  notes: "string|null",
  createdAt: "string",
  updatedAt: "string",
  customer: "object",
  "customer.id": "string",
  "customer.name": "string|null",
  "customer.email": "string|null",
  items: "array",
};

const BUDGET: Fields = {
  ...BUDGET_ENTRY,
  discount: "number",
  metadata: "object",
  approvedAt: "string|null",
  approvedBy: "string|null",
  "customer.phone": "string|null?",
  "items[].id": "string",
  "items[].productId": "string?",
  "items[].description": "string",
  "items[].quantity": "number",
  "items[].unitPrice": "number",
  "items[].total": "number",
  "items[].tax": "number",
  "items[].discount": "number",
  "items[].product": "object?",
  "items[].product.id": "string",
  "items[].product.name": "string|null",
  "items[].product.sku": "string|null",
};

const PAGINATION: Fields = {
  "pagination.page": "integer",
  "pagination.limit": "integer",
  "pagination.total": "integer",
  "pagination.totalPages": "integer",
  "pagination.hasMore": "boolean",
};

const API_KEY: Fields = {
  id: "string",
  name: "string",
  description: "string|null",
  scopes: "array",
  rateLimitPerHour: "integer",
  allowedIps: "array|null",
  expiresAt: "string|null",
  webhookUrl: "string|null",
  keyPrefix: "string",
  status: "string",
  createdAt: "string",
};

const TEST_ANSWER: Fields = {
  "data.delivery_id": "string",
  "data.status": "string",
  "data.response_code": "integer",
  "data.response_time": "number",
  "data.delivered_at": "string",
  message: "string",
};

const STATISTICS: Fields = {
  period: "string",
  totalRequests: "integer",
  successfulRequests: "integer",
  errorRequests: "integer",
  averageResponseTime: "number",
  topEndpoints: "array",
  "topEndpoints[].endpoint": "string",
  "topEndpoints[].method": "string",
  "topEndpoints[].count": "integer",
  dailyUsage: "array",
  "dailyUsage[].date": "string",
  "dailyUsage[].requests": "integer",
  "rateLimitStats.currentUsage": "integer",
  "rateLimitStats.limit": "integer",
  "rateLimitStats.percentage": "number",
  "rateLimitStats.peakUsage": "integer",
  "rateLimitStats.peakTime": "string",
  "rateLimitStats.rateLimitHits": "integer",
  "rateLimitStats.averageRequestsPerHour": "number",
};

const ANSWERS: Readonly<Record<string, Fields>> = {
  createBudget: under("data.", BUDGET),
  getBudget: under("data.", BUDGET),
  updateBudget: under("data.", BUDGET),
  listBudgets: { data: "array", ...under("data[].", BUDGET_ENTRY), ...PAGINATION },
  deleteBudget: { "data.id": "string", "data.status": "string", "data.deletedAt": "string", message: "string" },
  createPublicBudget: {
    success: "boolean",
    message: "string",
    publicUrl: "string",
    budgetId: "integer",
    publicToken: "string",
  },
  testWebhookUrl: TEST_ANSWER,
  testWebhook: TEST_ANSWER,
  login: {
    access_token: "string",
    "user.id": "integer",
    "user.email": "string",
    "user.displayName": "string",
    "user.avatarUrl": "string|null",
    "user.businessId": "integer",
    "user.role": "string",
    "user.emailVerified": "boolean",
  },
  logout: { message: "string" },
  getApiKeyStatistics: STATISTICS,
  createApiKey: { ...API_KEY, key: "string", webhookSecret: "string" },
  getApiKey: API_KEY,
  updateApiKey: API_KEY,
  listApiKeys: { data: "array", ...under("data[].", API_KEY), ...PAGINATION },
};

/**
 * A creation needs `customerId` unless it has `customer`, and an item `unitPrice` unless it has tiers or a product with a
 * price, which the contract does not know.
 */
const BODIES: Readonly<Record<string, Fields>> = {
  createBudget: {
    customerId: "string?",
    items: "array",
    "items[].productId": "string|null?",
    "items[].description": "string",
    "items[].quantity": "number",
    "items[].unitPrice": "number?",
    notes: "string|null?",
    validUntil: "string|null?",
    currency: "string?",
    taxRate: "number?",
    discountAmount: "number?",
    metadata: "object?",
  },
  updateBudget: {
    status: "string?",
    notes: "string|null?",
    validUntil: "string|null?",
    items: "array?",
    "items[].id": "string?",
    "items[].description": "string?",
    "items[].quantity": "number?",
    "items[].unitPrice": "number?",
    taxRate: "number?",
    discountAmount: "number?",
    metadata: "object?",
  },
  createPublicBudget: {
    currency: "string",
    issueDate: "string",
    expirationDate: "string",
    customerId: "integer?",
    sellerId: "integer",
    businessId: "integer|null?",
    minimumPaymentToConfirm: "number",
    subtotal: "number",
    total: "number",
    iva: "number",
    comments: "string|null?",
    items: "array",
    "items[].productId": "integer|null?",
    "items[].packageId": "integer|null?",
    "items[].quantity": "number",
    "items[].unitPrice": "number",
  },
  testWebhookUrl: { event: "string", data: "object" },
  login: { email: "string", password: "string", totp: "string?", recoveryCode: "string?" },
  createApiKey: {
    name: "string",
    scopes: "array",
    description: "string|null?",
    rateLimitPerHour: "integer?",
    allowedIps: "array|null?",
    expiresAt: "string|null?",
    webhookUrl: "string|null?",
    webhookSecret: "string|null?",
  },
  updateApiKey: { name: "string?", status: "string?", rateLimitPerHour: "integer?" },
};

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  listBudgets: [
    ...["page", "limit", "status", "customerId", "search", "minTotal", "maxTotal"],
    ...["createdAfter", "createdBefore", "sort", "order"],
  ],
};

/** Statuses that the contract names for an operation, apart from success. */
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  createPublicBudget: [400, 401, 403, 422],
  listBudgets: [400, 401, 403, 429],
  getBudget: [401, 403, 404],
  createBudget: [400, 401, 403, 422],
  updateBudget: [400, 401, 403, 404, 422],
  deleteBudget: [401, 403, 404],
};

describe("The contract's shapes", () => {
  it.each(Object.entries(ANSWERS))("the answers of %s have the fields of the contract", (operationId, fields) => {
    expectFields(describedSchema(routeOf(operationId).success.schema, "output"), fields);
  });

  it.each(Object.entries(BODIES))("%s accepts the fields of the contract", (operationId, fields) => {
    expectFields(describedSchema(routeOf(operationId).body.schema, "input"), fields);
  });

  it.each(Object.entries(QUERIES))("the parameters of %s are the contract's, all optional", (operationId, names) => {
    const { properties = {}, required = [] } = describedSchema(routeOf(operationId).query, "input");
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...names]));
    expect(required).toEqual([]);
  });

  it("each operation of the contract has one status of success", () => {
    const statuses = (name: string) => routeOf(name).success.status;
    const created = ["createPublicBudget", "createBudget", "login", "createApiKey"];
    for (const name of created) expect(statuses(name), name).toBe(201);
    for (const name of Object.keys(ANSWERS)) if (!created.includes(name)) expect(statuses(name), name).toBe(200);
  });

  it.each(Object.entries(STATUSES))("%s has the refusals of the contract", (operationId, statuses) => {
    expect(statusesOf(routeOf(operationId))).toEqual(expect.arrayContaining([...statuses]));
  });
});

function expectFields(schema: DescribedSchema, fields: Fields): void {
  const found = Object.keys(fields).map((path) => [path, typeAt(schema, path)]);
  expect(Object.fromEntries(found)).toEqual(fields);
}

/** What stands at a path such as `data[].customer.id`: its type, and whether it may be missing or null. */
function typeAt(schema: DescribedSchema, path: string): string {
  let here = schema;
  let isOptional = false;
  for (const step of path.split(".")) {
    const name = step.replace("[]", "");
    const { properties = {}, required = [] } = withoutNull(here);
    const next = properties[name];
    if (next === undefined) return "missing";
    here = asDescribed(next);
    isOptional = !required.includes(name);
    if (step.endsWith("[]")) {
      const { items } = withoutNull(here);
      if (items === undefined || Array.isArray(items)) return "no list";
      here = asDescribed(items);
    }
  }
  const types = [here, ...(here.anyOf ?? []).map(asDescribed)].flatMap(
    ({ type, const: fixed }) => type ?? typeof fixed,
  );
  const distinct = [...new Set<string>(types)].filter((type) => type !== "undefined");
  return `${distinct.join("|")}${isOptional ? "?" : ""}`;
}

function withoutNull(schema: DescribedSchema): DescribedSchema {
  const [value] = (schema.anyOf ?? schema.oneOf ?? []).map(asDescribed).filter(({ type }) => type !== "null");
  return value ?? schema;
}

function under(prefix: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [`${prefix}${name}`, type]));
}

function routeOf(operationId: string) {
  const route = routes.find((each) => each.operationId === operationId);
  if (route === undefined) throw new Error(`there is no operation ${operationId}`);
  return route;
}
