import { budgetkitExpress } from "@budgetkit/adapter-express";
import { createBudgetService } from "@budgetkit/core";
import { referencePage } from "@budgetkit/reference";
import { memoryStore } from "@budgetkit/testing";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { dashboardOf } from "../../packages/dashboard/src/server/dashboard-handler.js";
import { makeAppFolder } from "../dashboard/app-folder.js";
import { listen } from "../hosts/http-hosts.js";
import { builtServer } from "../programs/build-programs.js";
import { noBrowser, openBrowser } from "./browser.js";

const LIST = "#operations-Budgets-listBudgets";

/** The dashboard of a service with one budget and one owner, and a page with what it complains about. */
async function served() {
  await builtServer(); // and with it the viewer of the reference page
  const service = createBudgetService({
    store: memoryStore(),
    secret: "a secret of at least thirty-two characters",
    reference: referencePage(),
  });
  const { id: businessId } = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
  const login = { email: "ana@example.com", password: "correct horse battery", displayName: "Ana" };
  const ana = (await service.users.create({ businessId, role: "OWNER", ...login }))._unsafeUnwrap();
  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
  (await service.budgets.create({ kind: "system", businessId }, { customerId: "ana", items }))._unsafeUnwrap();
  const folder = makeAppFolder();
  onTestFinished(folder.remove);
  const dashboard = dashboardOf({ service }, folder.path);
  const { port, close } = await listen(express().use("/dashboard", budgetkitExpress(dashboard)));
  onTestFinished(close);
  const page = await (await (await openBrowser()).newContext()).newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = []; // a violation of the policy is one of them
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const enter = async () =>
    `http://localhost:${port}${await dashboard.oneTimeLogin({ businessId, userId: String(ana.id) })}`;
  return { url: `http://localhost:${port}/dashboard`, page, complaints, enter };
}

/** Another site, which is the same machine by its address. @returns its port */
async function elsewhere(html: string): Promise<number> {
  const { port, close } = await listen((_, response) => {
    response.setHeader("content-type", "text/html").end(html);
  });
  onTestFinished(close);
  return port;
}

describe.skipIf(noBrowser !== null)("the dashboard in a browser", () => {
  it("a link that logs in once signs in after a click on another site, and leaves nothing for scripts", async () => {
    const { url, page, complaints, enter } = await served();
    const link = await enter();
    const port = await elsewhere(`<link rel="icon" href="data:,"><a href="${link}">open</a>`);
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.click("a");
    await page.waitForURL(`${url}/`);
    await page.getByText("form ana@example.com").waitFor();
    expect(await page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]")).toEqual(["", 0, 0]);
    expect(complaints).toEqual([]);
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ path: "/dashboard", httpOnly: true, sameSite: "Strict" });
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.click("a");
    await page.getByText("form ana@example.com").waitFor();
  });

  it("a page of another site can neither read nor write with the cookie of the dashboard", async () => {
    const { url, page, enter } = await served();
    await page.goto(await enter());
    await page.getByText("form ana@example.com").waitFor();
    const port = await elsewhere("another site");
    await page.goto(`http://127.0.0.1:${port}/`);
    const write = `fetch("${url}/session", { method: "DELETE", credentials: "include", headers: { "x-budgetkit-dashboard": "1" } })`;
    await expect(page.evaluate(write)).rejects.toThrow("Failed to fetch");
    await expect(
      page.evaluate(`fetch("${url}/session", { credentials: "include", mode: "no-cors" })`),
    ).rejects.toThrow();
    await page.goto(`${url}/`);
    await page.getByText("form ana@example.com").waitFor();
  });

  it("the reference page below the dashboard calls operations for the signed-in user, without a key", async () => {
    const { url, page, complaints, enter } = await served();
    await page.goto(await enter());
    await page.getByText("form ana@example.com").waitFor();
    await page.goto(`${url}/service/docs`);
    await page.click("#operations-tag-Budgets");
    await page.click(`${LIST} .opblock-summary-control`);
    await page.click(`${LIST} .try-out__btn`);
    await page.locator(`${LIST} tr[data-param-name=status] select`).selectOption("");
    await page.click(`${LIST} .execute`);
    const shown = String(await page.locator(`${LIST} .live-responses-table .response`).textContent());
    expect(shown).toMatch(/^200/);
    expect(shown).toContain("Oak table");
    const create = "#operations-Customers-createCustomer";
    await page.click("#operations-tag-Customers");
    await page.click(`${create} .opblock-summary-control`);
    await page.click(`${create} .try-out__btn`);
    await page.click(`${create} .execute`);
    expect(await page.locator(`${create} .live-responses-table .response`).textContent()).toMatch(/^201/);
    expect(complaints).toEqual([]);
  });
});
