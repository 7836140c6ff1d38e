import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KeySet, verifyEvidence } from "@budgetkit/client/evidence";
import type { Page } from "playwright-core";
import { describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../programs/running-program.js";
import { noBrowser, openBrowser } from "./browser.js";
import { isDrawing, openPage, picture, pictureOf, untilShown } from "./customer-page.js";
import { ITEMS, offer } from "./offered-budget.js";

const noPdfTool = spawnSync("pdftoppm", ["-v"]).error === undefined ? null : "no pdftoppm on the PATH (poppler-utils)";
if (isDrawing && noPdfTool !== null) process.stderr.write(`quote-pdf.png is not renewed: ${noPdfTool}\n`);

/** Each step has a picture in docs/customer.md. */
describe.skipIf(noBrowser !== null)("a quote, from the mail to the thank-you", () => {
  it("a quote is mailed, opened, sent back for a change, revised and signed, and leaves evidence", async () => {
    const { service, actor, budget, mails, origin, url, clock } = await offer();
    const browser = await openBrowser();
    const wide = await openPage(browser, url, { viewport: { width: 1280, height: 720 } });
    expect(await wide.locator("footer").textContent()).toContain("Carpintería Norte S.R.L.");
    await picture(wide, "step-profile", { fullPage: false });

    const message = "As we discussed on the phone: the table and six chairs.";
    (await service.budgets.send(actor, budget.id, { message, lang: "en" }))._unsafeUnwrap();
    await service.tick();
    await vi.waitFor(() => expect(mails).toHaveLength(1));
    const [mail] = mails;
    expect(mail).toMatchObject({ to: "ana@example.com", html: expect.stringContaining(message) });
    const inbox = await openPage(browser, "about:blank", { viewport: { width: 600, height: 300 } });
    await inbox.setContent(mail?.html ?? "");
    await picture(inbox, "step-mail");

    const phone = await openPage(browser, `${url}?c=mail`);
    await picture(phone, "step-link");
    await askForAChange(phone);
    await pictureOf(phone.locator("details[open]"), "step-change");
    await phone.locator("#change button").click();
    await untilShown(phone, ".summary", "Eight chairs instead of six, please.");
    await pictureOf(phone.locator(".summary"), "step-asked");

    clock.advance(3_600_000);
    const items = ITEMS.map((item) => (item.description === "Chair" ? { ...item, quantity: 8 } : item));
    (await service.budgets.update(actor, budget.id, { items }))._unsafeUnwrap();
    await phone.reload();
    expect(await phone.locator(".chip").count()).toBe(0);
    expect(await phone.locator("table").textContent()).toMatch(/\$260,004\.00/);
    await phone.setViewportSize({ width: 390, height: 1_100 });
    await picture(phone, "step-revised", { fullPage: false });

    await sign(phone);
    await pictureOf(phone.locator("#accept"), "step-signed");
    await phone.locator("#accept .primary").click();
    await untilShown(phone, ".summary", "Accepted by Ana Ruiz");
    await phone.setViewportSize({ width: 390, height: 1_000 });
    await picture(phone, "step-thanks", { fullPage: false });

    const link = await phone.getByText("Proof of your acceptance").getAttribute("href");
    const evidence = await (await fetch(new URL(link ?? "", origin))).text();
    const keys: KeySet = JSON.parse(await (await fetch(`${origin}/.well-known/jwks.json`)).text());
    expect(await verifyEvidence(evidence, keys)).toMatchObject({
      ok: true,
      signed: { acceptance: { name: "Ana Ruiz" } },
    });
  });
});

async function askForAChange(page: Page): Promise<void> {
  await page.locator("summary", { hasText: "Ask for a change" }).click();
  await page.fill("#request-change-message", "Eight chairs instead of six, please.");
}

async function sign(page: Page): Promise<void> {
  await page.locator("#signature-pad summary").click();
  const pad = page.locator(".pad-field");
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (box === null) throw new Error("no pad");
  const point = (step: number) =>
    [box.x + 30 + step * 4 + 14 * Math.sin(step / 2), box.y + 50 + 28 * Math.cos(step / 2)] as const;
  await page.mouse.move(...point(0));
  await page.mouse.down();
  for (let step = 1; step <= 50; step += 1) await page.mouse.move(...point(step));
  await page.mouse.up();
}

describe.skipIf(!isDrawing || noPdfTool !== null)("the picture of a quote as PDF", () => {
  it("draws the picture of a quote from the first page of its PDF", async () => {
    const { service, actor, budget } = await offer();
    const { content } = (await service.budgets.renderPdf(actor, budget.id, { lang: "en" }))._unsafeUnwrap();
    const folder = temporaryFolder();
    writeFileSync(join(folder, "quote.pdf"), content);
    execFileSync("pdftoppm", ["-png", "-singlefile", "-r", "80", join(folder, "quote.pdf"), "docs/screens/quote-pdf"]);
  });
});
