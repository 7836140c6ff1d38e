import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask } from "../programs/api-client.js";
import { runCommand } from "../programs/command-line.js";
import { startMailServer } from "../programs/mail-server.js";
import { temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";
import { noBrowser, openBrowser } from "./browser.js";

const WAIT = { timeout: 60_000 };
const password = "correct horse battery";
const PROFILE = {
  name: "Norte Joinery",
  legalName: "Norte Joinery Ltd.",
  taxId: "30-71234567-1",
  email: "sales@norte.example",
  accentColor: "#b3541e",
  locale: "en-US",
  terms: "The wood is guaranteed for two years.",
  paymentInstructions: "By transfer to the account 0001-2345.",
} as const;
const CHAIR = { description: "Chair", quantity: 4, unitPrice: 80 };
const ITEMS = [
  { kind: "heading", description: "Furniture" },
  { description: "Oak table", quantity: 1, unitPrice: 500, discountRate: 0.1 },
  CHAIR,
  { kind: "subtotal", description: "Furniture in all" },
  { kind: "heading", description: "Work" },
  { description: "Assembly", quantity: 2.5, unit: "h", unitPrice: 40 },
];

/** A server of a business that sends mails, and what the business calls it with. */
async function business() {
  const mails: string[] = [];
  const { url: smtp } = await startMailServer((_, mail) =>
    mails.push(mail.replace(/=\r\n/g, "").replaceAll("=3D", "=")),
  );
  const { url } = await serveHere({
    DATABASE_URL: `file:${join(temporaryFolder(), "b.db")}`,
    BUDGETKIT_ADMIN_PASSWORD: password,
    SMTP_URL: smtp,
    MAIL_FROM: "Budgets <budgets@example.org>",
  });
  const { body: login } = await ask(url, "", "POST", "/auth/login", { email: "admin@example.com", password });
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS", "WRITE_CUSTOMERS"];
  const { body: made } = await ask(url, login.access_token, "POST", "/api-keys", { name: "office", scopes });
  const call = async (method: string, path: string, body?: unknown, credential = made.key) => {
    const answer = await ask(url, credential, method, `/api${path}`, body);
    expect(answer.status, `${method} ${path}`).toBeLessThan(300);
    return answer.body.data ?? answer.body;
  };
  await call("PUT", "/developer/business", PROFILE, login.access_token);
  const download = async (path: string, type: string) => {
    const answer = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${made.key}`, accept: type } });
    expect(answer.status, path).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  return { call, download, mails };
}

const linkIn = (mail = "") => /http:\S+\/p\/[\w-]{43}/.exec(mail)?.[0] ?? "no link";

async function get(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

async function sign(page: Page): Promise<void> {
  await page.locator("#signature-pad summary").click();
  const pad = page.locator(".pad-field");
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (box === null) throw new Error("no pad");
  await page.mouse.move(box.x + 20, box.y + 30);
  await page.mouse.down();
  for (let step = 1; step <= 10; step += 1) await page.mouse.move(box.x + 20 + step * 18, box.y + 30 + (step % 3) * 12);
  await page.mouse.up();
}

const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

describe.skipIf(noBrowser !== null)("a business and its customer", () => {
  it("a quote goes by mail, over a change request, to a signature that anyone can verify", async () => {
    const { call, download, mails } = await business();
    await call("POST", "/public/customers", { id: "ana", name: "Ana Ruiz", email: "ana@example.com" });
    const offer = { customerId: "ana", taxRate: 0.21, items: ITEMS };
    const { id, total } = await call("POST", "/public/budgets", offer);
    expect(total).toBe(1_052.7); // (450 + 320 + 100) × 1.21
    await call("POST", `/public/budgets/${id}/send`, { message: "As we discussed on the phone." });
    await expect.poll(() => mails.length, WAIT).toBe(1);
    expect(mails[0]).toMatch(/^To: ana@example\.com\r$/m);
    const link = linkIn(mails[0]);

    const page = await (await openBrowser()).newPage({ viewport: { width: 360, height: 740 }, locale: "en-US" });
    await page.goto(link);
    const text = () => page.locator("main").textContent();
    for (const shown of ["Norte Joinery", "Oak table", "10%", "Furniture in all", "2.5 h", "1,052.70"]) {
      expect(await text()).toContain(shown);
    }
    await page.locator("summary", { hasText: "Ask for a change" }).click();
    await page.locator("form[action*='request-change'] [name=name]").fill("Ana Ruiz");
    await page.locator("form[action*='request-change'] [name=message]").fill("Six chairs, please.");
    await page.locator("form[action*='request-change'] button").click();
    await page.locator(".chip").waitFor();

    const [wish] = await call("GET", `/public/budgets/${id}/change-requests`);
    expect(wish).toMatchObject({ requestedBy: "customer:Ana Ruiz", message: "Six chairs, please." });
    const { items } = await call("GET", `/public/budgets/${id}`);
    const changed = items.map((item: typeof CHAIR) => (item.description === "Chair" ? { ...item, quantity: 6 } : item));
    await call("PUT", `/public/budgets/${id}`, { items: changed });
    await call("POST", `/public/budgets/${id}/send`, {});
    await expect.poll(() => mails.length, WAIT).toBe(2);
    expect(linkIn(mails[1])).toBe(link);

    await page.goto(link);
    expect(await text()).toContain("1,246.30"); // (450 + 480 + 100) × 1.21
    expect(await page.locator(".chip").count()).toBe(0);
    await sign(page);
    await page.fill("#accept-name", "Ana Ruiz");
    await page.keyboard.press("Enter");
    await page.locator(".drawn").waitFor();
    expect(await text()).toContain(PROFILE.paymentInstructions);
    expect(await page.evaluate(isWide)).toBe(false);

    const evidence = await get(`${link}/evidence.json`);
    expect(await download(`/api/public/budgets/${id}/evidence`, "application/json")).toEqual(evidence);
    const pdf = await get(`${link}.pdf`);
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    const own = await download(`/api/public/budgets/${id}/pdf`, "application/pdf");
    expect(own.subarray(0, 5).toString()).toBe("%PDF-");
    expect(own.length).toBeLessThan(pdf.length); // without the link of the customer and its QR code

    const folder = temporaryFolder(); // another machine: it has these files and no database
    writeFileSync(join(folder, "evidence.json"), evidence);
    writeFileSync(join(folder, "shown.json"), await get(link));
    writeFileSync(join(folder, "jwks.json"), await get(link.replace(/\/p\/.*/, "/.well-known/jwks.json")));
    const verify = "verify evidence.json --jwks jwks.json --shown shown.json --json".split(" ");
    const { code, out } = await runCommand(verify, { folder });
    expect(code).toBe(0);
    expect(JSON.parse(out).signed).toMatchObject({
      budgetId: id,
      content: { total: 1_246.3, business: { name: PROFILE.name } },
      acceptance: { name: "Ana Ruiz", channel: "link", signature: expect.stringMatching(/^M/) },
    });
  });
});
