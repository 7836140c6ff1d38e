import { readFileSync } from "node:fs";
import { createClient } from "@budgetkit/client";
import { verifyCheckpoint } from "@budgetkit/client/evidence";
import { describe, expect, it } from "vitest";
import { noBrowser } from "../browser.js";
import { violations } from "../customer-page.js";
import { isTooWide, openDashboard } from "./harness.js";

describe.skipIf(noBrowser !== null)("events, integrations and the reference of the dashboard", () => {
  it("entries are found by a group of types and by who did it, and show what changed", async () => {
    const { page, service, actor, userId, open, complaints } = await openDashboard();
    const name = "Ana <img src=x onerror=alert(1)>";
    const customer = (await service.customers.create(actor, { name }))._unsafeUnwrap();
    (await service.customers.update(actor, customer.id, { name: "Ana María" }))._unsafeUnwrap();
    await open("/events");
    await page.getByLabel("Type").selectOption("customer.*");
    await page.getByText(/^2 found in the last/).waitFor();
    expect(new URL(page.url()).searchParams.get("type")).toBe("customer.*");
    await page.getByRole("button", { name: "customer.updated" }).click();
    await page.getByText(`${name} → Ana María`).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.getByLabel("By", { exact: true }).fill(`user:${userId}`);
    await page.getByRole("button", { name: "user.logged_in" }).first().waitFor();
    await page.getByRole("button", { name: "customer.updated" }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("the checkpoint of the ledger is checked in the browser, and its file verifies elsewhere", async () => {
    const { page, url, open, complaints } = await openDashboard();
    await open("/events?tab=ledger");
    await page.getByText("The signature is sound.").waitFor();
    expect(await violations(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    const file = readFileSync(await download.path(), "utf8");
    expect(
      await verifyCheckpoint(file, await createClient({ baseUrl: new URL("/v1", url).href }).signingKeys()),
    ).toMatchObject({ ok: true });
    expect(complaints).toEqual([]);
  });

  it("an integration is added, edited, set inactive and deleted", async () => {
    const { page, service, actor, open, complaints } = await openDashboard();
    (await service.keys.create(actor, { name: "Shop", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    await open("/integrations");
    await page.getByRole("button", { name: "Add an integration" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Accounting");
    await page.getByLabel("API key").selectOption({ label: "Shop" });
    await page.getByLabel("Own settings").fill("{");
    await page.getByText(/It is not a JSON object/).waitFor();
    await page.getByLabel("Own settings").fill('{"region": "south"}');
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("link", { name: "Shop" }).waitFor();
    const act = async (name: string) => {
      await page.getByRole("button", { name: "Actions of Accounting" }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    await act("Set inactive");
    await page.getByText("Inactive", { exact: true }).waitFor();
    await act("Edit");
    await page.getByLabel("Note").fill("Books");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Books").waitFor();
    await act("Delete");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { name: "No integration yet" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("the reference names the address of the service, in Spanish and on a phone", async () => {
    const { page, open } = await openDashboard({ language: "es-AR", size: { width: 390, height: 844 } });
    await open("/reference");
    await page.getByText("Authorization: Bearer YOUR_KEY").first().waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await violations(page)).toEqual([]);
  });
});
