import { describe, expect, it } from "vitest";
import { checkConformance } from "./conformance.js";
import type { HostResponse } from "./host.js";

const headers = {
  "x-request-id": "mine",
  "x-content-type-options": "nosniff",
  "content-type": "application/json; charset=utf-8",
};

function check(path: string, status: number, body: unknown, more: HostResponse["headers"] = {}): void {
  const request = { method: "GET", path, headers: {}, body: null };
  const text = JSON.stringify(body);
  checkConformance(request, { status, headers: { ...headers, ...more }, bytes: Buffer.from(text), text });
}

const flat = { error: "resource_not_found", message: "gone", details: {} };
const invalid = { error: "validation_error", message: "wrong", details: { errors: [] } };
const nested = { error: { code: "RESOURCE_NOT_FOUND", message: "gone", details: [] } };
const problem = { type: "about:blank", title: "Not found", status: 404, detail: "gone", code: "X", details: {} };

describe("an answer", () => {
  it("accepts an answer that matches the route table", () => {
    check("/v1", 200, { name: "Budgetkit", version: "1.1.0" });
    check("/v1/api/public/budgets/1", 404, flat);
    check("/v1/api/public/budgets/1", 400, invalid);
    check("/v1/api-keys/1", 404, nested);
    check("/v1/api-keys/1", 404, problem, { "content-type": "application/problem+json; charset=utf-8" });
  });

  it.each([
    ["a field more than its schema has", "/v1", 200, { name: "Budgetkit", version: "1.1.0", build: 3 }],
    ["a field less", "/v1", 200, { name: "Budgetkit" }],
    ["a field of another type", "/v1", 200, { name: "Budgetkit", version: 1.1 }],
    ["a status that its route has not", "/v1", 201, { name: "Budgetkit", version: "1.1.0" }],
    ["an error in the other surface's shape", "/v1/api/public/budgets/1", 404, nested],
    ["an error in the flat shape where people manage", "/v1/api-keys/1", 404, flat],
    ["an error with a field more", "/v1/api/public/budgets/1", 404, { ...flat, stack: "at" }],
    ["a 400 without a list of errors", "/v1/api/public/budgets/1", 400, { ...invalid, details: {} }],
    ["a 401 without the scheme to use", "/v1/api-keys/1", 401, nested],
  ] as const)("refuses an answer with %s", (_fault, path, status, body) => {
    expect(() => check(path, status, body)).toThrow();
  });

  it("refuses an answer without a request id, or with half of the rate limit headers", () => {
    const body = { name: "Budgetkit", version: "1.1.0" };
    expect(() => check("/v1", 200, body, { "x-request-id": "" })).toThrow();
    expect(() => check("/v1", 200, body, { "x-ratelimit-limit": "1000" })).toThrow();
  });
});
