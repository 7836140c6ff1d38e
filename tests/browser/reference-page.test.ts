import { budgetkitExpress } from "@budgetkit/adapter-express";
import { createBudgetService, SCOPES } from "@budgetkit/core";
import { referencePage } from "@budgetkit/reference";
import { memoryStore, SCALE } from "@budgetkit/testing";
import express from "express";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../hosts/http-hosts.js";
import { ask } from "../programs/api-client.js";
import { builtServer } from "../programs/build-programs.js";
import { startProgram } from "../programs/running-program.js";
import { noBrowser, openBrowser } from "./browser.js";

const password = "correct horse battery";
const OFFER = { customerId: "ana", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };
const LIST = "#operations-Budgets-listBudgets";
const CREATE = "#operations-Budgets-createBudget";

/** Operations whose examples work on their own, in the order of the calls. */
const SELF_CONTAINED = [
  ["Customers", "createCustomer", 201],
  ["Customers", "listCustomers", 200],
  ["Products", "createProduct", 201],
  ["Products", "listProducts", 200],
] as const;

/** Opens an operation and calls it with its example. @returns the answer as the page shows it */
async function tryOut(page: Page, tag: string, operation: string): Promise<string> {
  const block = `#operations-${tag}-${operation}`;
  if (!(await page.isVisible(block))) await page.click(`#operations-tag-${tag}`);
  await page.click(`${block} .opblock-summary-control`);
  await page.click(`${block} .try-out__btn`);
  await page.click(`${block} .execute`);
  return page.locator(`${block} .live-responses-table .response`).textContent().then(String);
}

/** A server with one budget, and a key to it. */
async function served() {
  const server = startProgram(await builtServer(), {
    PORT: "0",
    DATABASE_URL: "memory:",
    BUDGETKIT_ADMIN_PASSWORD: password,
  });
  const url = await server.url;
  const login = await ask(url, "", "POST", "/auth/login", { email: "admin@example.com", password });
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"];
  const { body: key } = await ask(url, login.body.access_token, "POST", "/api-keys", { name: "Reader", scopes });
  const made = await ask(url, key.key, "POST", "/api/public/budgets", OFFER);
  expect(made.status).toBe(201);
  return { url, key: String(key.key) };
}

/** An empty page, with its errors and its requests from then on. */
async function openPage() {
  const browser = await openBrowser();
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = []; // a violation of the policy is one of them
  const requested: URL[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  context.on("request", (request) => requested.push(new URL(request.url())));
  return { page, complaints, requested };
}

/** Pastes a key and lists the budgets. @returns the answer as the page shows it */
async function listBudgets(page: Page, key: string): Promise<string> {
  await page.click("button.authorize");
  await page.locator(".auth-container", { hasText: "apiKey" }).locator("input").fill(key);
  await page.locator(".auth-container", { hasText: "apiKey" }).locator("button.authorize").click();
  await page.locator(".auth-container", { hasText: "apiKey" }).locator("button.btn-done").click();
  await page.click("#operations-tag-Budgets");
  await page.click(`${LIST} .opblock-summary-control`);
  await page.click(`${LIST} .try-out__btn`);
  await page.locator(`${LIST} tr[data-param-name=status] select`).selectOption("");
  await page.click(`${LIST} .execute`);
  return page.locator(`${LIST} .live-responses-table .response`).textContent().then(String);
}

/** Lists the budgets with a pasted key, and checks what the page shows, requests and keeps. */
async function expectWorkingPage(url: string, key: string): Promise<Page> {
  const { page, complaints, requested } = await openPage();
  await page.goto(`${url}/docs/`);
  const shown = await listBudgets(page, key);
  expect(shown).toMatch(/^200/);
  expect(shown).toContain("Oak table");
  const { origin, pathname } = new URL(`${url}/api/public/budgets`);
  expect(requested.map((request) => request.pathname)).toContain(pathname);
  expect([...new Set(requested.map((request) => request.origin))]).toEqual([origin]);
  expect(complaints).toEqual([]);
  const kept = await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]");
  expect(kept).toEqual([0, 0, ""]);

  const elsewhere = url.replace("127.0.0.1", "localhost");
  await expect(page.evaluate(`fetch("${elsewhere}/", { mode: "no-cors" })`)).rejects.toThrow("Failed to fetch");
  expect(complaints.join("\n")).toContain("connect-src 'self'");
  return page;
}

describe.skipIf(noBrowser !== null)("the reference page in a browser", () => {
  // A small run leaves it out: the next test makes the same checks, and openapi/reference-page.test.ts reads the server's page.
  it.skipIf(SCALE === "small")("the reference page lists budgets, calls no other host, stores nothing", async () => {
    const { url, key } = await served();
    await expectWorkingPage(`${url}/v1`, key);
  });

  it("the reference page works below any path and public base URL, and calls only the API there", async () => {
    const service = createBudgetService({
      store: memoryStore(),
      secret: "a secret for tests that is long enough",
      publicBaseUrl: "https://quotes.example/v1",
      reference: referencePage(),
    });
    const host = await listen(express().use("/offers/v1", budgetkitExpress(service)));
    onTestFinished(() => host.close());
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const key = (await service.keys.create(actor, { name: "Shop", scopes: [...SCOPES] }))._unsafeUnwrap();
    (await service.budgets.create(actor, OFFER))._unsafeUnwrap();
    const page = await expectWorkingPage(`http://127.0.0.1:${host.port}/offers/v1`, key.key);

    const keys: (string | undefined)[] = [];
    page.on("request", (request) => keys.push(request.headers()["idempotency-key"]));
    await page.click(`${CREATE} .opblock-summary-control`);
    await page.click(`${CREATE} .try-out__btn`);
    for (const count of [2, 3]) {
      await page.click(`${CREATE} .execute`);
      await expect.poll(async () => (await service.budgets.list(actor))._unsafeUnwrap().data.length).toBe(count);
    }
    expect(new Set(keys).size).toBe(2);
    expect(keys).not.toContain(undefined);

    for (const [tag, operation, status] of SCALE === "full" ? SELF_CONTAINED : []) {
      expect(await tryOut(page, tag, operation), operation).toMatch(new RegExp(`^${status}`));
    }
  });
});
