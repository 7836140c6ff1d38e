import type { HostResponse } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { writeDescription } from "../../packages/core/src/http/openapi/document.js";
import { readDocumentation } from "./documented-answers.js";

const { checkAnswer } = readDocumentation(writeDescription("https://quotes.example/v1").text);

const headers = {
  "x-request-id": "mine",
  "x-content-type-options": "nosniff",
  "content-type": "application/json; charset=utf-8",
};
const good = { name: "Budgetkit", version: "1.1.0" };

function check(path: string, status: number, body: unknown, more: Readonly<Record<string, string>> = {}): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response: HostResponse = { status, headers: { ...headers, ...more }, bytes: Buffer.from(text), text };
  checkAnswer({ method: "GET", path }, response);
}

const flat = { error: "resource_not_found", message: "gone", details: {} };
const problem = { type: "about:blank", title: "Gone", status: 404, detail: "gone", code: "X", details: {} };

describe("Answers that are held to the description of the interface", () => {
  it("checkAnswer accepts an answer that matches the description, with any headers of the host", () => {
    check("/v1/", 200, good, { date: "today", "content-length": "40" });
    check("/v1/api/public/budgets/1", 404, flat, { "x-ratelimit-limit": "1000" });
    check("/v1/p/x", 404, problem, { "content-type": "application/problem+json; charset=utf-8", vary: "Accept" });
    check("/v1/p/x", 200, "<!doctype html>", { "content-type": "text/html; charset=utf-8" });
    check("/v1/openapi.json", 304, "", { etag: '"x"' });
  });

  it.each([
    ["a field more", "/v1/", 200, { ...good, build: 3 }, {}],
    ["a field less", "/v1/", 200, { name: "Budgetkit" }, {}],
    ["a field of another type", "/v1/", 200, { ...good, version: 1.1 }, {}],
    ["a field more within what is shared", "/v1/api/public/budgets/1", 404, { ...flat, stack: "at" }, {}],
    ["a status that is not documented", "/v1/", 201, good, {}],
    ["a header that is not documented", "/v1/", 200, good, { etag: '"x"' }],
    ["a header that is no number", "/v1/api/public/budgets/1", 404, flat, { "x-ratelimit-limit": "many" }],
    ["another media type", "/v1/", 200, "hello", { "content-type": "text/html; charset=utf-8" }],
    ["a body where there is none", "/v1/openapi.json", 304, "{}", {}],
    ["the other surface's error", "/v1/api-keys/1", 404, flat, {}],
  ])("checkAnswer refuses an answer with %s", (_fault, path, status, body, more) => {
    expect(() => check(path, status, body, more)).toThrow();
  });

  it("checkAnswer refuses an answer without a request id", () => {
    const { "x-request-id": _, ...rest } = headers;
    const response = { status: 200, headers: rest, bytes: Buffer.from(""), text: JSON.stringify(good) };
    expect(() => checkAnswer({ method: "GET", path: "/v1/" }, response)).toThrow();
  });
});
