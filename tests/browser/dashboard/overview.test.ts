import { describe, expect, it } from "vitest";
import { violations } from "../customer-page.js";
import { type DashboardOptions, isLeftToNights, isTooWide, openDashboard } from "./harness.js";
import { sellBudgets } from "./sales-budgets.js";

const filled: DashboardOptions = { fill: (service, businessId) => sellBudgets(service, businessId, 2) };

describe.skipIf(isLeftToNights)("the overview of the dashboard", () => {
  it("the strip shows what waits, what was won and what is to collect, and the period in the address", async () => {
    const { page, open, complaints } = await openDashboard(filled);
    await open("/");
    await page.getByText("Waiting for an answer").waitFor();
    const strip = await page.getByRole("main").locator("dl").first().textContent();
    expect(strip).toContain("Waiting for an answerARS 400.004 budgets");
    expect(strip).toContain("100%");
    await page.getByRole("button", { name: "Year" }).click();
    await page.getByText("Won, last year").waitFor();
    expect(new URL(page.url()).search).toBe("?weeks=52");
    await page.reload();
    await page.getByText("Won, last year").waitFor();
    expect(complaints).toEqual([]);
  });

  it("the bars are read by arrow keys, by the pointer and as a table", async () => {
    const { page, open } = await openDashboard(filled);
    await open("/");
    const chart = page.getByRole("group", { name: /^Sent by week/ });
    await chart.focus();
    await page.keyboard.press("End");
    const tip = page.locator("figure").getByRole("status");
    await expect.poll(() => tip.textContent()).toMatch(/Sent, 5 budgetsARS 500.00/);
    await page.keyboard.press("Escape");
    await expect.poll(() => tip.textContent()).toBe("");
    const box = await chart.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 20, (box?.y ?? 0) + 100);
    await expect.poll(() => tip.textContent()).toContain("Won");
    const table = page.getByRole("table", { name: /^Sent by week/ });
    expect(await table.getByRole("row").count()).toBe(13);
    expect(await table.getByRole("row").last().textContent()).toContain("ARS 400.00");
  });

  it("a button reminds of an offer that ends soon, once", async () => {
    const { page, open } = await openDashboard(filled);
    await open("/");
    const row = page.getByRole("row").filter({ hasText: "Reception desk" });
    await row.getByText("in 2 days").waitFor();
    await row.getByRole("button", { name: /^Remind/ }).click();
    await page.getByText("1 reminder sent").waitFor();
    expect(await row.getByRole("button").isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Open as a view" }).click();
    await page.waitForURL(/view=expiring/);
  });

  it("the activity says in sentences what happened, with links, in the language of the person", async () => {
    const { page, open } = await openDashboard({ ...filled, language: "es-AR" });
    await open("/");
    const activity = page.getByRole("main").getByRole("listitem");
    await activity.filter({ hasText: "El servicio envió P-0004" }).waitFor();
    await activity
      .filter({ hasText: /fue aceptado/ })
      .getByRole("link")
      .click();
    await page.waitForURL(/\/budgets\/\d+$/);
  });

  it("an empty overview leads a new business step by step, and an integrator to key and webhook", async () => {
    const { page, open, service, actor } = await openDashboard();
    await open("/");
    await page.getByRole("heading", { name: "To your first offer" }).waitFor();
    const present = page.locator("[aria-current=step]");
    expect(await present.textContent()).toContain("Set up your profile");
    expect(await violations(page)).toEqual([]);
    (await service.businesses.update(actor, { email: "sales@roble.example" }))._unsafeUnwrap();
    (await service.customers.create(actor, { name: "Ana" }))._unsafeUnwrap();
    await page.reload();
    await expect.poll(() => present.textContent()).toContain("Write the offer");
    await page.getByRole("link", { name: "New endpoint" }).click();
    await page.waitForURL(/\/webhooks$/);
  });

  it.each([
    { dark: false, size: { width: 1_440, height: 900 } },
    { dark: true, size: { width: 390, height: 844 } },
  ])("the overview can be used by everybody and fits the screen, with hostile texts: %o", async (look) => {
    const { page, open, complaints } = await openDashboard({ ...filled, ...look });
    await open("/");
    await page.getByText("Reception desk").waitFor();
    await page.getByText("<img src=x").first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(complaints).toEqual([]);
  });
});
