import type { CreateBudget } from "@budgetkit/core";
import { SCALE } from "@budgetkit/testing";
import type { Browser, Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { launchBrowser, noBrowser } from "./browser.js";
import { clipped, openPage, picture, untilShown, violations } from "./customer-page.js";
import { ITEMS, offer, PROFILE } from "./offered-budget.js";

/** Widths in px with the languages that are shown at each. A small run has each language on the smallest phone. */
const LANGUAGES = ["en", "es", "pt", "de", "fr", "it", "nl", "ja", "ar", "he"];
const SHOWN: readonly (readonly [width: number, languages: readonly string[]])[] =
  SCALE === "full"
    ? [320, 360, 390, 768, 1280, 1920].map((width) => [width, LANGUAGES])
    : [
        [320, ["de"]], // 1,280 px at 400 %
        [360, LANGUAGES],
        [390, ["en"]],
        [640, ["ar"]], // 1,280 px at 200 %
        [1280, ["es", "he"]],
        [1920, ["en"]],
      ];
const LONGEST_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2);
const SECTIONS = [
  { kind: "heading", description: "Furniture" },
  { description: "Oak table\nSolid oak, oiled", quantity: 1, unitPrice: 185_000, unit: "pcs", discountRate: 0.1 },
  { description: "Chair", quantity: 6, unitPrice: 32_500.5, discountAmount: 15_000 },
  { kind: "subtotal", description: "Furniture in total" },
  { kind: "heading", description: "Work" },
  { kind: "text", description: "We work on weekdays, from eight to five." },
  { description: "Assembly and fitting", quantity: 4.5, unitPrice: 12_000, unit: "h" },
  { kind: "subtotal" },
] satisfies CreateBudget["items"];

let browser: Browser;
let page: Page; // the same for all tests: a new one takes several times as long as to show a link in it
beforeAll(async () => {
  if (noBrowser !== null) return;
  browser = await launchBrowser();
  page = await (await browser.newContext({ locale: "en-US" })).newPage();
});
afterAll(() => browser?.close());

const offered = async (items?: CreateBudget["items"]) => (await offer(items)).url;

/** Shows a link as on a phone, in light colours. */
async function show(url: string, { width = 390, height = 844 } = {}): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.goto(url);
}

describe.skipIf(noBrowser !== null)("the customer's page in a browser", () => {
  it.each(SHOWN)("the customer's page shows everything at a width of %i px, in %s", async (width, languages) => {
    const url = await offered();
    for (const lang of languages) {
      await show(`${url}?lang=${lang}`, { width, height: 800 });
      expect(await clipped(page), lang).toEqual([]);
      if (width === 390 || lang === "he") expect(await violations(page), lang).toEqual([]);
      if (lang === "en" && width === 390) await picture(page, "link-phone");
      if (lang === "es" && width === 1280) await picture(page, "link-wide");
    }
  });

  it.each([
    [360, 640, LANGUAGES],
    [390, 844, ["en", "ar"]],
  ])("the total and the button to accept are on the first screen of %i × %i px", async (width, height, languages) => {
    const url = await offered(
      Array.from({ length: 120 }, () => ITEMS)
        .flat()
        .slice(0, 120),
    );
    for (const lang of languages) {
      await show(`${url}?lang=${lang}`, { width, height });
      for (const part of [".summary .amount", ".summary .primary"]) {
        const box = await page.locator(part).boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0), `${part} in ${lang}`).toBeLessThan(height);
      }
      expect((await page.locator(".summary .primary").boundingBox())?.height).toBeGreaterThanOrEqual(48);
    }
  });

  it("a bar with the total stands at the end of a phone's window once the card has left it", async () => {
    await show(await offered(Array.from({ length: 10 }, () => ITEMS).flat()));
    const isShown = () => page.locator(".bar").isVisible();
    expect(await isShown()).toBe(false);
    await page.locator("tbody tr").nth(15).scrollIntoViewIfNeeded();
    await expect.poll(isShown).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.locator(".bar a").click();
    await expect.poll(isShown).toBe(false);
    const form = await page.locator("#accept").boundingBox();
    expect(form?.y).toBeLessThan(300);
  });

  it("the card stays at the side of a wide screen while the offer scrolls", async () => {
    await show(await offered(Array.from({ length: 10 }, () => ITEMS).flat()), { width: 1280, height: 800 });
    const card = () => page.locator(".summary").boundingBox();
    const table = await page.locator("table").boundingBox();
    expect((await card())?.x).toBeGreaterThan((table?.x ?? 0) + (table?.width ?? 0));
    await page.locator("tbody tr").last().scrollIntoViewIfNeeded();
    expect((await card())?.y).toBeGreaterThanOrEqual(0);
    expect((await card())?.y).toBeLessThan(100);
  });

  it("the customer's page stays readable in forced colours", async () => {
    await show(await offered());
    await page.emulateMedia({ forcedColors: "active" });
    const border = "getComputedStyle(document.querySelector('.summary .primary')).borderTopStyle";
    expect(await page.evaluate(border)).toBe("solid");
    expect(await clipped(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: null });
  });

  it("a swipe over the field to sign scrolls the page and draws nothing; after a tap it signs", async () => {
    const touch = await openPage(browser, await offered(), { hasTouch: true, isMobile: true });
    await touch.locator("#signature-pad summary").tap();
    await touch.locator(".pad-field").scrollIntoViewIfNeeded();
    const scrolled = () => touch.evaluate<number>("scrollY");
    const box = async () => (await touch.locator(".pad-field").boundingBox()) ?? expect.fail("no pad");
    const devtools = await touch.context().newCDPSession(touch);
    const swipe = async (byX: number, byY: number) => {
      const { x, y, width, height } = await box();
      const at = (step: number) => [{ x: x + width / 4 + byX * step, y: y + height / 2 + byY * step }];
      await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
      for (let step = 1; step <= 10; step += 1)
        await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step) });
      await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    const drawn = () => touch.locator(".pad-field path").getAttribute("d");
    const before = await scrolled();
    await swipe(0, -12);
    await expect.poll(scrolled).toBeGreaterThan(before);
    expect(await drawn()).toBeNull();
    await touch.locator(".pad-field").tap();
    const still = await scrolled();
    await swipe(12, 2);
    expect(await scrolled()).toBe(still);
    expect(await drawn()).toMatch(/^M /);
  });

  it("the customer's page wraps the longest words and the largest amounts on the smallest phone", async () => {
    const url = await offered([{ description: LONGEST_WORD, quantity: 1_000_000.123456, unitPrice: 12_345.678901 }]);
    await show(url, { width: 360, height: 640 });
    expect(await clipped(page)).toEqual([]);
  });

  it("the customer's page shows 500 items", async () => {
    const items = Array.from({ length: 500 }, (_, index) => ({
      description: `Item ${index}`,
      quantity: 1,
      unitPrice: 100,
    }));
    await show(await offered(items));
    expect(await page.locator("tbody tr").count()).toBe(500);
    expect(await clipped(page)).toEqual([]);
  });

  it.each([360, 1280])("the page shows sections, texts, units and discounts at a width of %i px", async (width) => {
    await show(await offered(SECTIONS), { width, height: 800 });
    expect(await clipped(page)).toEqual([]);
    if (width === 360 || SCALE === "full") expect(await violations(page)).toEqual([]);
    const shown = await page.locator("main").textContent();
    for (const text of ["Furniture in total", "We work on weekdays", "4.5 h", "10%"]) expect(shown).toContain(text);
    if (width === 1280) await picture(page, "link-sections");
  });

  it("the customer's page is readable in dark mode", async () => {
    await show(await offered());
    const background = "getComputedStyle(document.body).backgroundColor";
    const light = await page.evaluate(background);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await page.evaluate(background)).not.toBe(light);
    expect(await violations(page)).toEqual([]);
    await picture(page, "link-dark");
  });

  it("prints the customer's page without its forms", async () => {
    await show(await offered(), { width: 794, height: 1123 }); // A4
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("form:visible, details:visible").count()).toBe(0);
    expect(await clipped(page)).toEqual([]);
    await picture(page, "link-print");
  });

  it("accepts by the keyboard alone, and then shows who accepted, when, and how to pay", async () => {
    await show(await offered());
    for (let presses = 0; presses < 12 && !(await page.locator("#accept-name:focus").count()); presses += 1) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("Ana Ruiz");
    await page.keyboard.press("Enter");
    await untilShown(page, ".summary", "Accepted by Ana Ruiz on March 2, 2026");
    const text = await page.locator("main").textContent();
    expect(text).toContain(PROFILE.paymentInstructions);
    expect(await page.locator("form").count()).toBe(1); // to write a message
    expect(await violations(page)).toEqual([]);
    await picture(page, "link-accepted");
  });

  it("sends a change request by the keyboard, without scripts, and shows it", async () => {
    const page = await openPage(browser, await offered(), { javaScriptEnabled: false });
    expect(await page.locator("#signature-pad:visible, .bar:visible").count()).toBe(0);
    await page.locator("summary", { hasText: "Ask for a change" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.inputValue("#request-change-name")).toBe("Ana Ruiz");
    await page.keyboard.press("Tab");
    await page.keyboard.type(`Two more chairs, please. ${LONGEST_WORD}`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await untilShown(page, ".summary", "Two more chairs, please.");
    expect(await page.locator(".chip").textContent()).toContain("Change requested");
  });

  it("counts a view once the page is displayed, shows the logo, and offers the files", async () => {
    const seen: string[] = [];
    const note = (answer: Response) =>
      seen.push(`${answer.status()} ${new URL(answer.url()).pathname.split("/").at(-1)}`);
    page.on("response", note);
    onTestFinished(() => void page.off("response", note));
    await show(`${await offered()}?c=mail`);
    await page.waitForLoadState("networkidle");
    expect(seen).toEqual(expect.arrayContaining(["200 logo", "200 seen.svg", "200 signature.js"]));
    expect(await page.evaluate("document.querySelector('.logo').naturalWidth")).toBeGreaterThan(0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("plan of the room.pdf").click(),
    ]);
    expect(download.suggestedFilename()).toBe("plan of the room.pdf");
  });

  it("accepts with a hand-drawn signature where scripts run, and shows it afterwards", async () => {
    await show(await offered());
    await page.locator("#signature-pad summary").click();
    const pad = page.locator(".pad-field");
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (box === null) throw new Error("no pad");
    await page.mouse.move(box.x + 20, box.y + 40);
    await page.mouse.down();
    for (let step = 1; step <= 12; step += 1) {
      await page.mouse.move(box.x + 20 + step * 20, box.y + 40 + 25 * Math.sin(step));
    }
    await page.mouse.up();
    expect(await clipped(page)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await picture(page, "link-signature");
    await page.focus("#accept-name");
    await page.keyboard.press("Enter");
    await untilShown(page, ".summary", "Accepted by Ana Ruiz");
    expect(await page.locator(".drawn path").getAttribute("d")).toMatch(/^M \d+ \d+(?: L \d+ \d+){5,}$/);
    expect(await violations(page)).toEqual([]);
  });

  it("declines with a reason, in the language of the link", async () => {
    await show(`${await offered()}?lang=es`);
    await page.locator("summary", { hasText: "Rechazar este presupuesto" }).click();
    await page.fill("#decline-name", "Ana");
    await page.fill("#decline-reason", "Demasiado caro");
    await page.getByRole("button", { name: "Rechazar" }).click();
    await untilShown(page, ".chip", "Rechazado");
    expect(page.url()).toMatch(/\?lang=es$/);
  });
});
