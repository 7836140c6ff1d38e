import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** A page without scripts, as the service sends it. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US", ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Waits for the page that answers a form. It has the address of the page with the form, but another text. */
export async function untilShown(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector, { hasText: text }).first().waitFor();
}

/** Elements with text that a reader cannot see in full: outside the window, or wider than their box. */
export function clipped(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll("main *")]
    .filter((each) => each.checkVisibility() && each.closest("thead, .unseen") === null)
    .filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      return left < -0.5 || right > document.documentElement.clientWidth + 0.5 || each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline";
    })
    .map((each) => each.outerHTML.slice(0, 120))`);
}

/** The violations that axe-core finds. */
export async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))",
  );
}

/** Whether the pictures of the documentation are renewed. */
export const isDrawing = process.env.UPDATE_SCREENS !== undefined;

/** Writes a screenshot for the documentation, on request. */
export async function picture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (isDrawing) await page.screenshot({ path: screenAt(name), fullPage });
}

/** The same of one element. */
export async function pictureOf(element: Locator, name: string): Promise<void> {
  if (isDrawing) await element.screenshot({ path: screenAt(name) });
}

const screenAt = (name: string) => join("docs/screens", `${name}.png`);
