import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violations } from "../customer-page.js";
import { type DashboardOptions, isLeftToNights, isTooWide, openDashboard } from "./harness.js";
import { fillKitchenBusiness, writeKitchen } from "./write-kitchen.js";

const HOSTILE = "<img src=x onerror='window.broken=1'> \u202eevil";

const OFFER = {
  customer: { name: `Ana ${HOSTILE}`, email: "ana@example.com" },
  draft: true,
  taxes: ["iva21"],
  notes: HOSTILE,
  items: [
    { kind: "heading" as const, description: "Muebles" },
    { description: "Bajo mesada", quantity: 1, unitPrice: 1_480 },
    { kind: "choice" as const, key: "top", description: "Mesada" },
    { description: `Cuarzo ${HOSTILE}`, quantity: 3.2, unit: "m", unitPrice: 215, choice: "top", selected: true },
    { description: "Roble", quantity: 3.2, unit: "m", unitPrice: 140, choice: "top" },
    { description: "x".repeat(2_000), quantity: 1, unitPrice: 1, optional: true },
    {
      description: "Azulejos",
      quantity: 28,
      unit: "m²",
      unitPrice: 25_000,
      quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
    },
  ],
};

/** The editor of a saved draft. */
async function openOffer(options: DashboardOptions = {}) {
  let id = "";
  const dashboard = await openDashboard({
    ...options,
    fill: async (service, businessId) => {
      await fillKitchenBusiness(service, businessId);
      id = (await service.budgets.create({ kind: "system", businessId }, OFFER))._unsafeUnwrap().id;
    },
  });
  await dashboard.open(`/budgets/${id}/edit`);
  const { service, actor } = dashboard;
  return {
    ...dashboard,
    id,
    read: async () => (await service.budgets.get(actor, id))._unsafeUnwrap(),
    saved: () => dashboard.page.getByText(/not saved/).waitFor({ state: "detached" }),
  };
}

const descriptions = (page: Page) =>
  page
    .locator("tr[data-line] textarea")
    .evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value.slice(0, 12)));

/** What axe finds in the open dialog; what lies below it cannot be reached. */
async function violationsOfDialog(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate("axe.run('dialog[open]').then(({ violations }) => violations.map(({ id }) => id))");
}

describe.skipIf(isLeftToNights)("the editor of the dashboard", () => {
  it("a kitchen is written by keyboard alone, with its totals at once, and saved as a draft", async () => {
    const { page, open, service, actor, complaints } = await openDashboard({ fill: fillKitchenBusiness });
    await open("/budgets/new");
    await writeKitchen(page);
    expect(await page.locator("output").textContent()).toBe("ARS 4,699,000.00");
    await page.keyboard.press("Control+s");
    await page.waitForURL(/\/budgets\/\d+\/edit$/);
    await page.getByText(/last saved/).waitFor();
    const [budget] = (await service.budgets.list(actor, {}))._unsafeUnwrap().data;
    expect(budget).toMatchObject({ status: "DRAFT", total: 4_699_000, customer: { email: "martin@quiroga.example" } });
    expect(budget?.items.map((line) => line.kind ?? "item")).toEqual([
      ...[
        "heading",
        "item",
        "item",
        "heading",
        "choice",
        "item",
        "item",
        "item",
        "item",
        "item",
        "heading",
        "item",
        "item",
      ],
    ]);
    await page.keyboard.press("Control+z");
    await page.getByText("1 change not saved").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("lines move by keyboard and mouse, and undo takes each move back", async () => {
    const { page } = await openOffer();
    const before = await descriptions(page);
    await page.getByLabel("Description, line 2").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByText("Bajo mesada is now line 3 of 7").waitFor({ state: "attached" });
    expect((await descriptions(page)).indexOf("Bajo mesada")).toBe(2);
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Description, line 3");
    await page.keyboard.press("Control+z");
    await expect.poll(() => descriptions(page)).toEqual(before);
    const handle = page.locator("tr[data-line]").nth(6).locator("td").first();
    await handle.hover();
    await page.mouse.down();
    await page
      .locator("tr[data-line]")
      .nth(1)
      .hover({ position: { x: 200, y: 4 } });
    await page
      .locator("tr[data-line]")
      .nth(1)
      .hover({ position: { x: 210, y: 5 } });
    await page.mouse.up();
    await expect.poll(async () => (await descriptions(page))[1]).toBe("Azulejos");
  });

  it("a number that is none yet is named at its line and keeps the rest computed", async () => {
    const { page, read } = await openOffer();
    const { version } = await read();
    await page.getByLabel("Unit price, line 2").fill("1,2,3");
    await page.getByText("Unit price: this is not a number.").waitFor();
    expect(await page.locator("output").textContent()).toBe("ARS 700,688.00");
    await page.keyboard.press("Control+s");
    await page.getByText("1 field needs your attention before this can be saved:").waitFor();
    expect((await read()).version).toBe(version);
    await page.getByLabel("Unit price, line 2").fill("1,480.50");
    await page.keyboard.press("Control+s");
    await expect.poll(async () => (await read()).items[1]).toMatchObject({ unitPrice: 1_480.5 });
  });

  it("rows of a spreadsheet are pasted as their columns are understood, in one step of undo", async () => {
    const { page } = await openOffer();
    const before = await descriptions(page);
    const cells = `Pintura\t12\tm²\t4.500,50\n${HOSTILE}\t1\t\t180.000,00`;
    await page.getByRole("combobox", { name: "New line" }).focus();
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(cells)})`);
    await page.keyboard.press("Control+v");
    await page.getByRole("dialog", { name: "Insert 2 rows" }).waitFor();
    expect(await violationsOfDialog(page)).toEqual([]);
    await page.getByRole("button", { name: "Insert rows" }).click();
    await expect.poll(() => page.getByLabel("Unit price, line 8").inputValue()).toBe("4,500.50");
    expect(await page.evaluate("window.broken")).toBeUndefined();
    await page.keyboard.press("Control+z");
    await expect.poll(() => descriptions(page)).toEqual(before);
  });

  it("a version that was saved meanwhile is merged, and what collides is asked about", async () => {
    const { page, service, actor, id, read } = await openOffer();
    await page.getByLabel("Unit price, line 7").fill("24000");
    await page.getByLabel("Notes for the customer").fill("Mine.");
    const { items } = await read();
    const theirs = items.map((line, index) => (index === 6 ? { id: line.id, unitPrice: 24_500 } : { id: line.id }));
    (await service.budgets.update(actor, id, { items: theirs, validUntil: "2099-12-31" }))._unsafeUnwrap();
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog", { name: /saved elsewhere/ });
    await dialog.getByText("1 change collides").waitFor();
    expect(await violationsOfDialog(page)).toEqual([]);
    await dialog.getByRole("radio").first().check();
    await dialog.getByRole("button", { name: "Merge and save" }).click();
    await dialog.waitFor({ state: "detached" });
    const merged = await read();
    expect(merged.items[6]).toMatchObject({ unitPrice: 24_500 });
    expect(merged).toMatchObject({ notes: "Mine.", validUntil: expect.stringMatching(/^(2099-12-31|2100-01-01)/) });
  });

  it("unsaved work is asked about before it is left, survives a reload, and waits out a lost connection", async () => {
    const { page, context, read } = await openOffer();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByLabel("Description, line 2").fill("Alacena");
    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("dialog", { name: "Leave without saving" }).getByRole("button", { name: "Cancel" }).click();
    await page.waitForFunction("Object.keys(sessionStorage).some((key) => key.startsWith('budgetkit draft'))");
    await page.reload();
    await page.getByRole("button", { name: "Restore it" }).click();
    await expect.poll(() => page.getByLabel("Description, line 2").inputValue()).toBe("Alacena");
    await context.setOffline(true);
    await page.keyboard.press("Control+s");
    await page.getByText("The budget could not be saved").waitFor();
    await page.getByText("Everything you wrote is kept in this tab.").waitFor();
    await context.setOffline(false);
    await page.keyboard.press("Control+s");
    await expect.poll(async () => (await read()).items[1]).toMatchObject({ description: "Alacena" });
  });

  it("the customer's page stands beside it and follows what is typed", async () => {
    const { page, complaints } = await openOffer();
    const shown = page.frameLocator("iframe");
    await shown.getByText("Bajo mesada").first().waitFor();
    await page.getByLabel("Description, line 2").fill("Otra alacena");
    await shown.getByText("Otra alacena").first().waitFor();
    await page.getByRole("button", { name: "Mail" }).click();
    await shown.getByRole("link").first().waitFor();
    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it("the editor has no faults of accessibility in light and dark, and fits a phone", async () => {
    const { page } = await openOffer();
    await page.getByLabel("Unit price, line 7").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Show the customer's page" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  });

  it("a budget that was accepted is not written to, and says where it can be reopened", async () => {
    const { page, service, actor, id, open } = await openOffer();
    (await service.budgets.update(actor, id, { status: "PENDING" }))._unsafeUnwrap();
    (await service.budgets.update(actor, id, { status: "APPROVED" }))._unsafeUnwrap();
    await open(`/budgets/${id}/edit`);
    await page.getByText("This budget can no longer be changed").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
