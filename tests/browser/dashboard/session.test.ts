import { describe, expect, it } from "vitest";
import { violations } from "../customer-page.js";
import { EMAIL, isLeftToNights, isTooWide, openDashboard, PASSWORD } from "./harness.js";

describe.skipIf(isLeftToNights)("the session of the dashboard", () => {
  it("a person logs in by email and password, and leaves in every tab at once", async () => {
    const { page, context, url, complaints } = await openDashboard();
    await page.getByRole("button", { name: /Lucía Ferreyra/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const other = await context.newPage();
    await other.goto(`${url}/customers`);
    await other.getByRole("heading", { name: "Customers" }).waitFor();
    await page.getByRole("button", { name: /Lucía Ferreyra/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(other.url()).pathname).toBe("/dashboard/customers");
    expect(await other.evaluate("document.cookie")).toBe("");
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });

  it("a tab begins again when a person of another business logs in elsewhere", async () => {
    const { page, context, service, url } = await openDashboard();
    await page.getByRole("button", { name: /Lucía Ferreyra/ }).waitFor();
    const { id: businessId } = (await service.businesses.create({ name: "Pino" }))._unsafeUnwrap();
    const rosa = { email: "rosa@pino.example", password: PASSWORD };
    const person = { ...rosa, businessId, displayName: "Rosa Pino", role: "OWNER" } as const;
    (await service.users.create(person))._unsafeUnwrap();
    // As a link that logs in: no page of the dashboard takes part.
    const headers = { "x-budgetkit-dashboard": "1" };
    expect((await context.request.post(`${url}/session`, { data: rosa, headers })).status()).toBe(201);
    await page.evaluate("window.isOld = true");
    await (await context.newPage()).goto(url);
    await page.getByRole("button", { name: /Rosa Pino/ }).waitFor();
    expect(await page.evaluate("window.isOld === true")).toBe(false);
  });

  it("the token of a link that sets a password leaves the address", async () => {
    const { page, url } = await openDashboard();
    await page.goto("about:blank");
    await page.goto(`${url}/password#token=secret`);
    await page.getByLabel("New password").waitFor();
    await page.waitForFunction("location.hash === ''");
    expect(await page.getByRole("button").count()).toBeGreaterThan(0);
  });

  it("a wrong password is refused in words, and the form keeps the email", async () => {
    const { page, context, url } = await openDashboard();
    await context.clearCookies();
    await page.goto(url);
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill("another long password");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/email|password/i);
    expect(await page.getByLabel("Email").inputValue()).toBe(EMAIL);
  });

  it("a session that is ended elsewhere shows the form at the same address", async () => {
    const { page, service, actor, userId, open } = await openDashboard();
    await open("/keys");
    (await service.users.endSessions(actor, userId))._unsafeUnwrap();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard/webhooks");
  });

  it("the form works below another path, in Spanish, on a phone and in the dark", async () => {
    const size = { width: 390, height: 844 };
    const { page, context, url } = await openDashboard({
      basePath: "/tools/sales",
      language: "es-AR",
      dark: true,
      size,
    });
    await page.getByRole("heading", { name: "Resumen" }).waitFor();
    await context.clearCookies();
    await page.goto(url);
    await page.getByRole("heading", { name: "Iniciar sesión" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  });
});
