import { describe, expect, it } from "vitest";
import { violations } from "../customer-page.js";
import { type DashboardOptions, isLeftToNights, isTooWide, openDashboard } from "./harness.js";
import { sellBudgets } from "./sales-budgets.js";

const filled: DashboardOptions = { fill: (service, businessId) => sellBudgets(service, businessId, 2) };

describe.skipIf(isLeftToNights)("the command palette", () => {
  it("the palette finds by customer, number and line, marks what matched, and opens it by Enter", async () => {
    const { page, open, complaints } = await openDashboard(filled);
    await open("/keys");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Find or do…" });
    await field.fill("alc");
    const option = page.getByRole("option", { name: /Reception desk/ });
    await option.waitFor();
    expect(await option.locator("mark").textContent()).toBe("Alc");
    await field.fill("shelf 2");
    await page.getByRole("option", { name: /Oak shelf 2/ }).waitFor();
    const active = await field.getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain("Oak shelf 2");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/budgets\/\d+$/);
    expect(complaints).toEqual([]);
  });

  it("the right arrow lists the actions of a budget, which then are done", async () => {
    const { page, open } = await openDashboard(filled);
    await open("/");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox");
    await field.fill("reception");
    await page.getByRole("option", { name: /Reception desk/ }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("option", { name: "Extend the validity…" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("option", { name: "Extend the validity…" }).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await page.getByRole("option", { name: "Copy the customer's link" }).click();
    await page.getByText("The link is copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/\/p\/[\w-]+$/);
  });

  it("Enter does commands and leads to sections, in the language of the person", async () => {
    const { page, open } = await openDashboard({ ...filled, language: "pt-BR" });
    await open("/");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("aparencia escura");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("catálogo");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/catalog$/);
  });

  it.each([
    { dark: false, size: { width: 1_440, height: 900 } },
    { dark: true, size: { width: 390, height: 844 } },
  ])("the palette can be used by everybody, shows hostile texts as texts, and closes: %o", async (look) => {
    const { page, open, complaints } = await openDashboard({ ...filled, ...look });
    await open("/keys");
    await page.keyboard.press("Control+k");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("combobox").fill("img");
    await page.getByText("<img").first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole("combobox").fill("nothing of this name");
    await page.getByText("Nothing found").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });
});
