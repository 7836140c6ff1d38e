import type { BudgetService } from "@budgetkit/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { totpCode } from "../../../packages/testing/src/http-suite/totp-code.js";
import { violations } from "../customer-page.js";
import { EMAIL, isLeftToNights, isTooWide, openDashboard, PASSWORD } from "./harness.js";

const PHONE = { width: 390, height: 844 };
const MARKUP = `<img src=x onerror="alert(1)">`;

describe.skipIf(isLeftToNights)("the business on the dashboard", () => {
  it("the live view follows the profile, shows markup as text, and nothing is stored before it is saved", async () => {
    const { page, service, actor, open, complaints } = await openDashboard();
    await open("/business");
    const shown = page.frameLocator("iframe");
    await shown.getByText("Roble y Cía").first().waitFor();
    await page.getByLabel("Name", { exact: true }).fill(`Roble ${MARKUP}`);
    await page.getByLabel("Accent", { exact: true }).fill("#8A4A1C");
    await shown.getByText(`Roble ${MARKUP}`).first().waitFor();
    expect(await shown.locator("img[src=x]").count()).toBe(0);
    await page.getByText("6.8 : 1").waitFor();
    await page.getByText("2 changes").waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await service.businesses.get(actor))._unsafeUnwrap().name).toBe("Roble y Cía");
    await page.keyboard.press("Control+s");
    await page.getByText("Business saved").waitFor();
    const saved = (await service.businesses.get(actor))._unsafeUnwrap();
    expect([saved.name, saved.accentColor]).toEqual([`Roble ${MARKUP}`, "#8a4a1c"]);
    await page.getByRole("button", { name: "Mail", exact: true }).click();
    await page.getByTitle("The mail").waitFor();
    expect(complaints).toEqual([]);
  });

  it("a save after somebody else's is refused, and puts the changes on the newest version when asked", async () => {
    const { page, service, actor, open } = await openDashboard();
    await open("/business");
    await page.getByLabel("Phone").fill("+54 11 4567-8901");
    (await service.businesses.update(actor, { taxId: "30-71234567-8" }))._unsafeUnwrap();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody else saved the business").waitFor();
    await page.getByRole("button", { name: "Load again" }).click();
    await page.getByText("Tax number had changed").waitFor();
    expect(await page.getByLabel("Tax number").inputValue()).toBe("30-71234567-8");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Business saved").waitFor();
    expect((await service.businesses.get(actor))._unsafeUnwrap()).toMatchObject({
      taxId: "30-71234567-8",
      phone: "+54 11 4567-8901",
    });
  });

  it("changes outlast the tabs of the screen, and leaving it asks first", async () => {
    const { page, open } = await openDashboard();
    await open("/business");
    await page.getByLabel("Legal name").fill("Roble y Cía S.R.L.");
    await page.getByRole("link", { name: "Terms and payment" }).click();
    await page.getByRole("textbox", { name: "Terms" }).fill("Half in advance.");
    await page.getByText("2 changes").waitFor();
    await page.getByRole("link", { name: "Customers" }).click();
    await page.getByRole("dialog", { name: "Leave without saving" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByRole("textbox", { name: "Terms" }).inputValue()).toBe("");
    await page.getByRole("link", { name: "Customers" }).click();
    await page.getByRole("heading", { name: "Customers" }).waitFor();
  });

  it("taxes are added, edited and taken away, and a rate that is none is named", async () => {
    const { page, service, actor, open } = await openDashboard();
    await open("/business?tab=taxes");
    await page.getByRole("button", { name: "Add a tax" }).click();
    await page.getByLabel("Name", { exact: true }).fill("IVA");
    await page.getByLabel("Id").fill("iva");
    await page.getByLabel("Rate in percent").fill("much");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("A number from 0 to 100.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Rate in percent").fill("10,5");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("cell", { name: "10.5%" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Business saved").waitFor();
    expect((await service.businesses.get(actor))._unsafeUnwrap().taxes).toMatchObject([{ id: "iva", rate: 0.105 }]);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByText("No taxes yet").waitFor();
  });

  it("the form and its preview fit a phone, in the dark and in Spanish", async () => {
    const { page, open } = await openDashboard({ size: PHONE, dark: true, language: "es-AR" });
    await open("/business");
    await page.getByLabel("Razón social").waitFor();
    expect([await isTooWide(page), await violations(page)]).toEqual([false, []]);
    await page.getByRole("button", { name: "Vista previa" }).click();
    await page.frameLocator("iframe").getByText("Roble y Cía").first().waitFor();
    expect(await isTooWide(page)).toBe(false);
  });

  it("a MEMBER reads the profile and changes nothing", async () => {
    const { page, open } = await openDashboard({ role: "MEMBER" });
    await open("/business");
    await page.getByText("You may read the profile.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
    expect(await page.locator("iframe").count()).toBe(0);
    await open("/people");
    await page.getByText("You may not see this").waitFor();
  });
});

describe.skipIf(isLeftToNights)("people on the dashboard", () => {
  it("a person is invited by a link, gets a role, is disabled and enabled again", async () => {
    const { page, service, actor, open, complaints } = await openDashboard();
    await open("/people");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByLabel("Email").fill("sam@harborops.example");
    await page.getByRole("dialog").getByLabel("Name").fill(MARKUP);
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByText("sam@harborops.example is invited").waitFor();
    const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect(link).toMatch(/^http.+token=/);
    await page.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /sam@harborops\.example/ });
    await row.getByText("Invited", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await row.getByRole("combobox").selectOption("ADMIN");
    await page.getByText(`${MARKUP} is now Admin`).waitFor();
    await row.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await row.getByText("Disabled").waitFor();
    await page.getByRole("button", { name: /Undo/ }).click();
    await row.getByText("Disabled").waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "Lucía Ferreyra" }).first().waitFor();
    const users = (await service.users.list(actor, {}))._unsafeUnwrap().data;
    expect(users.map(({ role, status }) => [role, status])).toEqual([
      ["OWNER", "ACTIVE"],
      ["ADMIN", "INVITED"],
    ]);
    expect(complaints).toEqual([]);
  });

  it("an owner without a second factor is led to theirs before they demand one of everyone", async () => {
    const { page, open } = await openDashboard();
    await open("/people");
    await page.getByRole("switch", { name: /Second factor for everyone/ }).click();
    await page.getByRole("button", { name: "Demand it" }).click();
    await page.getByText("You have no second factor yourself").waitFor();
    await page.getByRole("link", { name: "Set it up" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
  });

  it("an ADMIN finds owners as they are, and makes none", async () => {
    const { page, open } = await openDashboard({ role: "ADMIN", fill: withOwner, size: PHONE, dark: true });
    await open("/people");
    const owner = page.getByRole("row", { name: /dana@roble\.example/ });
    await owner.getByText("Owner").waitFor();
    expect(await owner.getByRole("combobox").count()).toBe(0);
    expect(await owner.getByRole("button", { name: "More actions" }).count()).toBe(0);
    await page.getByText("An owner decides it.").waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    expect([await isTooWide(page), await violations(page)]).toEqual([false, []]);
    await page.getByRole("button", { name: "Invite" }).click();
    const roles = page.getByRole("dialog").getByLabel("Role").locator("option");
    expect(await roles.allTextContents()).toEqual(["Admin", "Member"]);
  });
});

describe.skipIf(isLeftToNights)("the own account on the dashboard", () => {
  it("a second factor is turned on with a code of its key, and off with another one", async () => {
    const { page, service, actor, userId, open } = await openDashboard();
    await open("/account");
    await page.getByRole("button", { name: "Turn on" }).click();
    const { secret, recoveryCodes } = await enrol(page);
    expect((await service.users.get(actor, userId))._unsafeUnwrap().hasSecondFactor).toBe(true);
    expect(recoveryCodes.length).toBeGreaterThan(3);
    await page.getByRole("button", { name: "Turn off" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill("a wrong password");
    await dialog.getByLabel(/Code of your generator/).fill(recoveryCodes[0] ?? "");
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await dialog
      .getByText(/password/i)
      .last()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("The second factor is off").waitFor();
    expect(secret).toMatch(/^[A-Z2-7]+$/);
  });

  it("the email is changed with the password, and the sidebar shows a new name", async () => {
    const { page, service, actor, userId, open } = await openDashboard();
    await open("/account");
    await page.getByRole("textbox", { name: "Email" }).fill("lf@roble.example");
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change the email" }).click();
    await page.getByText("From now on you sign in with lf@roble.example").waitFor();
    expect((await service.users.get(actor, userId))._unsafeUnwrap().email).toBe("lf@roble.example");
    await page.getByRole("textbox", { name: "Name" }).fill("Lucía F.");
    await page.getByRole("button", { name: "Save the name" }).click();
    await page.getByRole("button", { name: /Lucía F\./ }).waitFor();
  });

  it("a MEMBER of whom the business demands a second factor sets it up, and goes on where they were", async () => {
    const { page, service, actor, open } = await openDashboard({ role: "MEMBER" });
    await open("/customers");
    (await service.businesses.update(actor, { requireSecondFactor: true }))._unsafeUnwrap();
    await page.reload();
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
    await enrol(page);
    await page.getByRole("heading", { name: "Customers" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard/customers");
  });

  it("a person who sets no second factor up can sign out", async () => {
    const { page, service, actor, open } = await openDashboard({ role: "MEMBER" });
    (await service.businesses.update(actor, { requireSecondFactor: true }))._unsafeUnwrap();
    await open("/account");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByLabel("Email").inputValue()).not.toBe(EMAIL);
  });
});

/** From the password to the kept recovery codes. */
async function enrol(page: Page): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("img", { name: "QR code of the key" }).waitFor();
  const secret = (await page.locator("code[data-secret]").textContent()) ?? "";
  await page.getByLabel("Code of the app").fill(totpCode(secret, Date.now()));
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("list", { name: "Recovery codes" }).waitFor();
  const recoveryCodes = await page.locator("code[data-secret]").allTextContents();
  await page.getByRole("button", { name: "Copy all" }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${recoveryCodes.join("\n")}\n`);
  await page.getByLabel("I have kept the codes").check();
  await page.getByRole("button", { name: "Done" }).click();
  return { secret, recoveryCodes };
}

async function withOwner(service: BudgetService, businessId: string): Promise<void> {
  const dana = {
    businessId,
    email: "dana@roble.example",
    password: PASSWORD,
    displayName: "Dana",
    role: "OWNER",
  } as const;
  (await service.users.create(dana))._unsafeUnwrap();
}
