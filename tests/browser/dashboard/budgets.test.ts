import { describe, expect, it } from "vitest";
import { violations } from "../customer-page.js";
import { type DashboardOptions, isLeftToNights, isTooWide, openDashboard } from "./harness.js";
import { sellBudgets } from "./sales-budgets.js";

/** The list of budgets, of a business with so many that wait. */
async function openBudgets(waiting: number, options: DashboardOptions = {}, search = "") {
  const opened = await openDashboard({
    ...options,
    fill: (service, businessId) => sellBudgets(service, businessId, waiting),
  });
  await opened.open(`/budgets${search}`);
  return opened;
}

describe.skipIf(isLeftToNights)("the budgets of the dashboard", () => {
  it("budgets are filtered by the address, by search and by chips, and kept as a view", async () => {
    const { page, complaints } = await openBudgets(3);
    const rows = page.locator("[data-row]");
    await expect.poll(() => rows.count()).toBe(7);
    await page.keyboard.press("/");
    await page.keyboard.type("shelf");
    await expect.poll(() => rows.count()).toBe(3);
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
    await page.getByLabel("Status").selectOption("PENDING");
    await page.getByLabel("Hotel Alcázar").check();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("heading", { name: "No budget matches" }).waitFor();
    await page.getByRole("button", { name: "Remove the filter Customer" }).click();
    await expect.poll(() => rows.count()).toBe(3);
    const address = new URL(page.url()).searchParams;
    expect(Object.fromEntries(address)).toEqual({ search: "shelf", status: "PENDING" });
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByLabel("Name").fill("Shelves");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: /^All/ }).click();
    await expect.poll(() => rows.count()).toBe(7);
    await page.reload();
    await page.getByRole("link", { name: "Shelves" }).click();
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole("link", { name: /Expiring soon/ }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("link", { name: /To collect/ }).click();
    await page.getByText("Headboards").waitFor();
    expect(complaints).toEqual([]);
  });

  it("rows are moved through, selected and opened by keys", async () => {
    const { page } = await openBudgets(3);
    await page.locator("[data-row]").first().waitFor();
    for (const key of ["j", "j", "x", "j", "x"]) await page.keyboard.press(key);
    const bar = page.getByRole("region", { name: "Selected budgets" });
    expect(await bar.textContent()).toContain("2 selected ARS 200.00");
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "All keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    const focused = await page.evaluate("document.activeElement.getAttribute('href')");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/budgets\/\d+$/);
    expect(new URL(page.url()).pathname).toBe(focused);
  });

  it("selected budgets are deleted together, and come back by Undo", async () => {
    const { page } = await openBudgets(3);
    const boxes = page.locator("tbody input[type=checkbox]");
    await boxes.nth(1).click();
    await boxes.nth(3).click({ modifiers: ["Shift"] });
    await page.getByText("3 selected").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("3 budgets deleted").waitFor();
    await expect.poll(() => boxes.count()).toBe(4);
    await page.keyboard.press("z");
    await page.getByText("3 budgets restored").waitFor();
    await expect.poll(() => boxes.count()).toBe(7);
  });

  it("selected budgets are extended and reminded of together, and those that are refused are named", async () => {
    const { page, service, actor } = await openBudgets(1);
    await page.getByLabel("Select all loaded ones").click();
    await page.getByRole("button", { name: "Extend…" }).click();
    await page.getByRole("button", { name: "In 30 days" }).click();
    await page.getByLabel("Valid until").fill("2099-12-31");
    await page.getByRole("button", { name: "Extend", exact: true }).click();
    const results = page.getByRole("dialog", { name: "Extend…" });
    await results.getByText("2 of 5 budgets stayed as they were.").waitFor();
    await results.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("2 selected").waitFor();
    const { data } = (await service.budgets.list(actor, { status: "PENDING" }))._unsafeUnwrap();
    expect(data.map(({ validUntil }) => validUntil?.slice(0, 4))).toEqual(["2099", "2099", "2099"]);
    await page.getByRole("button", { name: "Remind" }).click();
    await page.getByRole("button", { name: "Send reminders" }).click();
    await page.getByText("2 of 2 budgets stayed as they were.").waitFor();
  });

  it("all budgets are exported as a file whose texts compute nothing", async () => {
    const { page } = await openBudgets(45);
    await page.getByRole("button", { name: "Export" }).click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
    const stream = await (await waiting).createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(Buffer.from(part));
    const lines = Buffer.concat(parts).toString("utf8").trimEnd().split("\r\n");
    expect(lines).toHaveLength(1 + 49);
    expect(lines[0]).toContain("id,number,status");
  });

  it("rows load as they are scrolled, and keep few rows in the page", async () => {
    const { page } = await openBudgets(230);
    await page.locator("[data-row]").first().waitFor();
    await expect
      .poll(
        async () => {
          await page.mouse.move(600, 500);
          await page.mouse.wheel(0, 4_000);
          return page.getByText("P-0001", { exact: true }).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(await page.locator("[data-row]").count()).toBeLessThan(60);
    expect(await page.getByRole("status").allTextContents()).toContain("234 budgets");
  });

  it.each([
    { dark: false, size: { width: 1_440, height: 900 } },
    { dark: true, size: { width: 390, height: 844 } },
  ])("the list can be used by everybody and fits the screen, hostile texts too: %o", async (look) => {
    const { page, complaints } = await openBudgets(2, look);
    await page.getByText("<img src=x").first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Hotel Alcázar").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox").last().check();
    await page.getByText("1 selected").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.title()).toBe("Budgets · Budgetkit");
    expect(complaints).toEqual([]);
  });

  it("an empty list leads a new business to its first budget", async () => {
    const { page, open } = await openDashboard();
    await open("/budgets");
    await page.getByRole("heading", { name: "No budgets yet" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "New budget" }).last().click();
    await page.waitForURL(/\/budgets\/new/);
  });

  it("a failure is shown with the request and a way to try again", async () => {
    const { page, open } = await openDashboard();
    await page.route(/api\/public\/budgets/, (route) =>
      route.fulfill({
        status: 500,
        headers: { "x-request-id": "request-7" },
        json: { error: { code: "INTERNAL_ERROR", message: "The store is not reachable." } },
      }),
    );
    await open("/budgets");
    const alert = page.getByRole("alert").filter({ hasText: "Budgets could not be loaded" });
    await alert.waitFor();
    expect(await alert.textContent()).toContain("request-7");
    await page.unrouteAll();
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "No budgets yet" }).waitFor();
  });
});
