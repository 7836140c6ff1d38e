import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../programs/running-program.js";
import { noBrowser, openBrowser } from "./browser.js";
import { clipped, isDrawing, openPage, picture, untilShown, violations } from "./customer-page.js";
import { kitchen } from "./kitchen-offer.js";
import { offerOf } from "./offered-budget.js";

const AS_OFFERED = "ARS 3,979,000.00";
const WITH_ISLAND = "ARS 4,699,000.00";
const ISLAND = "Island with drawers";

const noPdfTool = spawnSync("pdftoppm", ["-v"]).error === undefined ? null : "no pdftoppm on the PATH (poppler-utils)";

/** Every place of the page that names the total. */
async function totalsOn(page: Page): Promise<readonly string[]> {
  const parts = [".summary .amount", ".totals .total dd", "#accept .consent", "#accept .primary"];
  const texts = await Promise.all(parts.map(async (part) => (await page.locator(part).textContent()) ?? ""));
  return texts.map((text) => /ARS\s[\d,.]*\d/.exec(text)?.[0].replace(/\s/g, " ") ?? text);
}

async function untilTotal(page: Page, total: string): Promise<void> {
  await expect.poll(() => totalsOn(page)).toEqual([total, total, total, total]);
}

/** Waits for the script that computes totals: it removes the buttons. */
async function untilLive(page: Page): Promise<void> {
  await expect.poll(() => page.locator("button.update").count()).toBe(0);
}

const lineWith = (page: Page, text: string) => page.locator(".option, tr", { hasText: text }).last();

describe.skipIf(noBrowser !== null)("the page of an offer that its customer configures", () => {
  it("an offer is configured and accepted by the keyboard alone, with every amount right at once", async () => {
    const { url, service, actor, budget } = await offerOf(kitchen());
    const page = await openPage(await openBrowser(), url);
    await untilLive(page);
    await untilTotal(page, AS_OFFERED);
    const tabTo = async (selector: string) => {
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      }
      throw new Error(`the keyboard does not reach ${selector}`);
    };
    await tabTo("[type=radio]");
    await page.keyboard.press("ArrowDown");
    await untilTotal(page, "ARS 3,819,000.00");
    await tabTo("[type=number]");
    await page.keyboard.type("40");
    await untilTotal(page, "ARS 4,007,000.00");
    expect(await lineWith(page, "Tiles, laid").textContent()).toMatch(/\$21,500\.00\s+\$860,000\.00/);
    await tabTo("[type=checkbox]");
    await page.keyboard.press("Space");
    await untilTotal(page, "ARS 4,727,000.00");
    expect(await page.locator(".totals").textContent()).toContain("$1,418,100.00");
    expect(await page.locator("#announced").textContent()).toContain("4,727,000.00");
    await tabTo("#accept .primary");
    await page.keyboard.press("Enter");
    await untilShown(page, ".summary", "Accepted by Ana Ruiz");
    const stored = (await service.budgets.get(actor, budget.id))._unsafeUnwrap();
    expect(stored).toMatchObject({ total: 4_727_000, minimumPaymentToConfirm: 1_418_100 });
    expect(await page.locator(".left-out .what").allTextContents()).toEqual(["Grey quartz", "Oiled oak"]);
    expect(await page.locator("input[type=radio], input[type=checkbox], input[type=number]").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(await clipped(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 2_040 });
    await picture(page, "configured-accepted", { fullPage: false });
  });

  it("an offer is calculated and accepted without scripts, and never for a total that was not shown", async () => {
    const { url, service, actor, budget } = await offerOf(kitchen());
    const page = await openPage(await openBrowser(), url, { javaScriptEnabled: false });
    await page.getByLabel(ISLAND).check();
    await page.locator("button.update").last().click();
    await page.waitForURL(/preview/);
    expect(await totalsOn(page)).toEqual([WITH_ISLAND, WITH_ISLAND, WITH_ISLAND, WITH_ISLAND]);
    expect(await page.getByLabel(ISLAND).isChecked()).toBe(true);

    await page.getByLabel("Oiled oak").check();
    await page.fill("#accept-name", "Ana R.");
    await page.locator("#accept .primary").click();
    await page.waitForURL(/accept/);
    expect(await page.locator(".error:visible").textContent()).toContain("Your choices change the total");
    expect((await totalsOn(page))[0]).toBe("ARS 4,459,000.00");
    expect(await page.getByLabel("Oiled oak").isChecked()).toBe(true);
    expect(await page.inputValue("#accept-name")).toBe("Ana R.");
    expect((await service.budgets.get(actor, budget.id))._unsafeUnwrap().acceptance).toBeNull();

    await page.locator("#accept .primary").click();
    await page.waitForURL(url);
    expect(await page.locator(".summary").textContent()).toContain("Accepted by Ana R.");
    expect((await service.budgets.get(actor, budget.id))._unsafeUnwrap().total).toBe(4_459_000);
  });

  it.each([true, false])(
    "a choice without a selection holds the acceptance back, at the choice (scripts: %s)",
    async (javaScriptEnabled) => {
      const { url } = await offerOf(kitchen(false));
      const page = await openPage(await openBrowser(), url, { javaScriptEnabled });
      if (javaScriptEnabled) await untilLive(page);
      await page.getByLabel(ISLAND).check();
      await page.locator("#accept .primary").click();
      const error = page.locator("fieldset .error");
      await error.waitFor();
      expect(await error.textContent()).toBe("Please choose here before you accept.");
      expect(await page.getByLabel(ISLAND).isChecked()).toBe(true);
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      await page.getByLabel("Black granite").check();
      if (javaScriptEnabled) await error.waitFor({ state: "hidden" });
      else await page.locator("button.update").first().click();
      await page.locator("#accept .primary").click();
      await untilShown(page, ".summary", "Accepted by Ana Ruiz");
    },
  );

  it("the page of an offer computes what was chosen before a slow script arrived", async () => {
    const { url } = await offerOf(kitchen());
    const page = await openPage(await openBrowser(), "about:blank");
    const waiting: (() => void)[] = [];
    const arrives = new Promise<void>((resolve) => waiting.push(resolve));
    await page.route("**/live-total.js*", async (route) => {
      await arrives;
      await route.continue();
    });
    await page.goto(url, { waitUntil: "commit" });
    await page.getByLabel(ISLAND).check();
    expect((await totalsOn(page))[0]).toBe(AS_OFFERED);
    for (const arrive of waiting) arrive();
    await untilLive(page);
    await untilTotal(page, WITH_ISLAND);
  });

  it("the page of an offer stays usable when its script cannot be loaded", async () => {
    const { url } = await offerOf(kitchen());
    const page = await openPage(await openBrowser(), "about:blank");
    await page.route("**/live-total.js*", (route) => route.abort());
    await page.goto(url);
    await page.getByLabel(ISLAND).check();
    await page.locator("button.update").first().click();
    await untilTotal(page, WITH_ISLAND);
  });

  it("the page of an offer shows the total of its controls after a visit to another page and back", async () => {
    const { url, origin } = await offerOf(kitchen());
    const page = await openPage(await openBrowser(), url);
    await untilLive(page);
    await page.getByLabel(ISLAND).check();
    await untilTotal(page, WITH_ISLAND);
    await page.goto(`${origin}/openapi.json`);
    await page.goBack();
    await untilLive(page);
    await untilTotal(page, (await page.getByLabel(ISLAND).isChecked()) ? WITH_ISLAND : AS_OFFERED);
  });

  it("the page of an offer keeps the choices of a tab whose offer has changed meanwhile, and shows another tab's acceptance", async () => {
    const { url, service, actor, budget } = await offerOf(kitchen());
    const browser = await openBrowser();
    const [first, second] = [await openPage(browser, url), await openPage(browser, url)];
    await Promise.all([untilLive(first), untilLive(second)]);
    (await service.budgets.update(actor, budget.id, { notes: "Delivery in May." }))._unsafeUnwrap();
    await first.getByLabel(ISLAND).check();
    await untilTotal(first, WITH_ISLAND);
    await first.locator("#accept .primary").click();
    await untilShown(first, ".error", "This quote changed while you answered");
    expect(await first.getByLabel(ISLAND).isChecked()).toBe(true);
    await untilTotal(first, WITH_ISLAND);
    await first.locator("#accept .primary").click();
    await untilShown(first, ".summary", "Accepted by Ana Ruiz");

    await second.locator("#accept .primary").click();
    await untilShown(second, ".error", "This quote changed while you answered");
    expect(await second.locator(".summary").textContent()).toContain("Accepted by Ana Ruiz");
  });

  it.each(["light", "dark"] as const)(
    "the page of an offer fits a phone of 360 px and has no barrier for assistive programs (%s)",
    async (colorScheme) => {
      const { url } = await offerOf(kitchen());
      const browser = await openBrowser();
      for (const locale of ["en-US", "es-AR", "de-DE", "ar-EG", "ja-JP"]) {
        const page = await openPage(browser, url, { viewport: { width: 360, height: 640 }, locale, colorScheme });
        await untilLive(page);
        expect(await clipped(page), locale).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= 360")).toBe(true);
        expect(await violations(page), locale).toEqual([]);
      }
      const plain = await openPage(browser, url, {
        viewport: { width: 360, height: 640 },
        colorScheme,
        reducedMotion: "reduce",
      });
      await plain.getByLabel(ISLAND).check();
      await untilTotal(plain, WITH_ISLAND);
      await plain.setViewportSize({ width: 390, height: 1_640 });
      await plain.evaluate("scrollTo(0, 0)");
      await picture(plain, `configured-${colorScheme === "light" ? "phone" : "dark"}`, { fullPage: false });
    },
  );

  it("an offer has its total beside the lines on a wide screen", async () => {
    const { url } = await offerOf(kitchen());
    const page = await openPage(await openBrowser(), url, { viewport: { width: 1280, height: 1_350 } });
    await untilLive(page);
    expect(await violations(page)).toEqual([]);
    expect(await clipped(page)).toEqual([]);
    await picture(page, "configured-wide", { fullPage: false });
  });
});

describe.skipIf(!isDrawing || noPdfTool !== null)("the picture of a configured offer as PDF", () => {
  it("draws the picture of a configured offer from the first page of its PDF", async () => {
    const { service, actor, budget } = await offerOf(kitchen());
    const { content } = (await service.budgets.renderPdf(actor, budget.id, { lang: "en" }))._unsafeUnwrap();
    const folder = temporaryFolder();
    writeFileSync(join(folder, "quote.pdf"), content);
    const target = "docs/screens/configured-pdf";
    execFileSync("pdftoppm", ["-png", "-singlefile", "-r", "80", join(folder, "quote.pdf"), target]);
  });
});
