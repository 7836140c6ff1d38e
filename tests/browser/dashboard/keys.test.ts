import { describe, expect, it } from "vitest";
import { noBrowser } from "../browser.js";
import { violations } from "../customer-page.js";
import { isTooWide, openDashboard } from "./harness.js";

const HOSTILE = `<img src=x onerror=alert(1)> ‮evil ${"x".repeat(150)}`;

describe.skipIf(noBrowser !== null)("the API keys of the dashboard", () => {
  it("a person who never made a key makes one, and the command that is shown works", async () => {
    const { page, url, open, complaints } = await openDashboard();
    await open("/keys");
    await page.getByRole("heading", { name: "No API key yet" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Give it a name, so that it can be found again.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Website");
    await page.getByText("Limit, addresses and webhook").click();
    await page.getByRole("textbox", { name: "Addresses" }).fill("127.0.0.1 host.example");
    await page.getByText("“host.example” is neither an IP address").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Addresses" }).fill("127.0.0.1 ::1");
    await page.getByRole("button", { name: "Create the key" }).click();
    const key = String(await page.locator("[data-secret]").textContent());
    const command = await page.locator("pre").textContent();
    expect(command).toContain(`Authorization: Bearer ${key}`);
    const answer = await fetch(new URL("/v1/api/public/budgets", url), { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("heading", { name: "Website", level: 1 }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(key);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("a key is suspended and resumed, rotated with its old one still working, and revoked", async () => {
    const { page, url, service, actor, open } = await openDashboard();
    const made = (await service.keys.create(actor, { name: "Shop", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const statusWith = async (key: string) =>
      (await fetch(new URL("/v1/api/public/budgets", url), { headers: { authorization: `Bearer ${key}` } })).status;
    await open(`/keys/${made.id}`);
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByText("The key is suspended").waitFor();
    expect(await statusWith(made.key)).toBe(401);
    await page.keyboard.press("z");
    await page.getByText("The key works again").waitFor();
    await page.getByRole("button", { name: "Rotate…" }).click();
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    const rotated = String(await page.locator("[data-secret]").textContent());
    expect(rotated).not.toBe(made.key);
    expect([await statusWith(made.key), await statusWith(rotated)]).toEqual([200, 200]);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Revoke…" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("Revoked", { exact: true }).first().waitFor();
    expect(await statusWith(rotated)).toBe(401);
    expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  });

  it("the usage of a key shows each day by keyboard, and names that are no markup, on a phone in the dark", async () => {
    const size = { width: 390, height: 844 };
    const { page, url, service, actor, open, complaints } = await openDashboard({ size, dark: true });
    const made = (
      await service.keys.create(actor, { name: HOSTILE, description: HOSTILE, scopes: ["READ_BUDGETS"] })
    )._unsafeUnwrap();
    const headers = { authorization: `Bearer ${made.key}` };
    await fetch(new URL("/v1/api/public/budgets", url), { headers });
    await fetch(new URL("/v1/api/public/customers", url), { headers });
    await open(`/keys/${made.id}`);
    const chart = page.getByRole("slider", { name: "Requests by day" });
    await chart.focus();
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/: 2 requests, 1 errors/);
    await page.keyboard.press("Home");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/: 0 requests, 0 errors/);
    expect(await page.locator("img").count()).toBe(0);
    expect(await isTooWide(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
    await open("/usage");
    await page.getByRole("link", { name: /<img src=x/ }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("a member reads keys and changes none", async () => {
    const { page, service, actor, open } = await openDashboard({ role: "MEMBER" });
    await open("/keys");
    await page.getByText(/An owner or administrator of the business can create one/).waitFor();
    expect(await page.getByRole("button", { name: "New key" }).count()).toBe(0);
    const made = (await service.keys.create(actor, { name: "Shop", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    await open(`/keys/${made.id}`);
    await page.getByRole("slider").waitFor();
    expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  });
});
