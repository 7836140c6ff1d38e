import { budgetkitExpress } from "@budgetkit/adapter-express";
import { createBudgetService } from "@budgetkit/core";
import { memoryStore } from "@budgetkit/core/testing";
import { referencePage } from "@budgetkit/reference";
import express from "express";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ask } from "./api-client.js";
import { noBrowser, openBrowser } from "./browser.js";
import { builtServer } from "./build-programs.js";
import { listen } from "./http-hosts.js";
import { startProgram } from "./running-program.js";

vi.setConfig({ testTimeout: 120_000 });

const password = "correct horse battery";
const LIST = "#operations-Budgets-listBudgets";

let main = "";
beforeAll(async () => {
  if (noBrowser === null) main = await builtServer();
}, 180_000);

/** A server with one budget, and a key to it. */
async function served() {
  const server = startProgram(main, { PORT: "0", DATABASE_URL: "memory:", BUDGETKIT_ADMIN_PASSWORD: password });
  const url = await server.url;
  const login = await ask(url, "", "POST", "/auth/login", { email: "admin@example.com", password });
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"];
  const { body: key } = await ask(url, login.body.access_token, "POST", "/api-keys", { name: "Reader", scopes });
  const budget = { customerId: "ana", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };
  const made = await ask(url, key.key, "POST", "/api/public/budgets", budget);
  expect(made.status).toBe(201);
  return { url, key: String(key.key) };
}

/** An empty page, and everything that went wrong in it from then on. */
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

/** Pastes a key and lists the budgets, as a person would. @returns what the page shows of the answer */
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

describe.skipIf(noBrowser !== null)("the reference page in a browser", () => {
  it("lists budgets with a key that is pasted in, asks nobody else and keeps nothing", async () => {
    const { url, key } = await served();
    const { page, complaints, requested } = await openPage();
    await page.goto(`${url}/v1/docs`);
    const shown = await listBudgets(page, key);
    expect(shown).toMatch(/^200/);
    expect(shown).toContain("Oak table");
    expect(requested.some(({ pathname }) => pathname === "/v1/api/public/budgets")).toBe(true);
    expect([...new Set(requested.map(({ origin }) => origin))]).toEqual([url]);
    expect(complaints).toEqual([]);
    const kept = await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]");
    expect(kept).toEqual([0, 0, ""]);

    const elsewhere = url.replace("127.0.0.1", "localhost");
    await expect(page.evaluate(`fetch("${elsewhere}/v1/", { mode: "no-cors" })`)).rejects.toThrow("Failed to fetch");
    expect(complaints.join("\n")).toContain("connect-src 'self'");
  });

  it("works below any path, and calls the interface there, whatever address that believes it has", async () => {
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
    const key = (await service.keys.create(actor, { name: "Reader", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const { page, complaints, requested } = await openPage();
    await page.goto(`http://127.0.0.1:${host.port}/offers/v1/docs/`);
    expect(await listBudgets(page, key.key)).toMatch(/^200/);
    expect(requested.map(({ pathname }) => pathname)).toContain("/offers/v1/api/public/budgets");
    expect([...new Set(requested.map(({ origin }) => origin))]).toEqual([`http://127.0.0.1:${host.port}`]);
    expect(complaints).toEqual([]);
  });
});
