import { describe, expect, it } from "vitest";
import { noBrowser } from "../browser.js";
import { violations } from "../customer-page.js";
import { isTooWide, openDashboard } from "./harness.js";

const HOSTILE = `<img src=x onerror=alert(1)> ‮evil ${"x".repeat(200)}`;

const CUSTOMERS = [
  "Razón social;Correo electrónico;Teléfono;CUIT",
  "Ana SA;ana@example.com;+54 11 4000;20-12345678-6",
  ";eva@example.com;;",
  "Beto;beto@;;",
  "Carla;;;",
  "=Dora;;;",
].join("\n");

describe.skipIf(noBrowser !== null)("customers and products in the dashboard", () => {
  it("a person creates a customer, changes it, deletes it and takes that back", async () => {
    const { page, service, actor, open, complaints } = await openDashboard();
    await open("/customers");
    await page.getByRole("heading", { name: "No customers yet" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Ana SA");
    await dialog.getByLabel("Email").fill("nobody");
    await dialog.getByLabel("CUIT").fill("20-12345678-6");
    await page.keyboard.press("Enter");
    await dialog.getByText(/email address/).waitFor();
    expect(await dialog.getByLabel("Email").getAttribute("aria-invalid")).toBe("true");
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel("Email").fill("ana@example.com");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Ana SA", level: 1 }).waitFor();
    await page.getByRole("heading", { name: "No budgets yet" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Phone").fill("+54 11 4000");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "+54 11 4000" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Ana SA deleted").waitFor();
    await page.getByRole("heading", { name: "No customers yet" }).waitFor();
    await page.keyboard.press("z");
    await page.getByRole("link", { name: "Ana SA" }).waitFor();
    const [customer] = (await service.customers.list(actor))._unsafeUnwrap().data;
    expect(customer).toMatchObject({ name: "Ana SA", phone: "+54 11 4000", cuit: "20123456786" });
    expect(complaints.filter((text) => !/40[04]/.test(text))).toEqual([]);
  });

  it("a change over someone else's is not saved, and the current version can be loaded", async () => {
    const { page, service, actor, open } = await openDashboard({
      fill: async (made, businessId) => {
        (await made.customers.create({ kind: "system", businessId }, { id: "ana", name: "Ana" }))._unsafeUnwrap();
      },
    });
    await open("/customers/ana");
    await page.getByRole("button", { name: "Edit" }).click();
    (await service.customers.update(actor, "ana", { name: "Ana María" }))._unsafeUnwrap();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Phone").fill("4000");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Load the current version" }).click();
    await expect.poll(() => dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Ana María");
    await dialog.getByLabel("Phone").fill("4000");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "4000" }).waitFor();
    const customer = (await service.customers.get(actor, "ana"))._unsafeUnwrap();
    expect(customer).toMatchObject({ name: "Ana María", phone: "4000" });
  });

  it("a person creates a product with a variant and a package of it, in the dark", async () => {
    const { page, service, actor, open, complaints } = await openDashboard({ dark: true });
    await open("/catalog");
    await page.getByRole("button", { name: "New product" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Oak table");
    await dialog.getByLabel("Unit price").fill("dear");
    await dialog.getByLabel("Currency").fill("ars");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("This is not a number.").waitFor();
    await dialog.getByLabel("Unit price").fill("1,250.50");
    await dialog.getByLabel("Unit cost").fill("800");
    await dialog.getByRole("button", { name: "Add a price" }).click();
    await dialog.getByLabel("From quantity").fill("10");
    await dialog.getByLabel("Price of a unit").fill("1100");
    await dialog.getByRole("button", { name: "Add a variant" }).click();
    await dialog.getByRole("group", { name: "Variant 1" }).getByLabel("Name").fill("Dark oak");
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: "Oak table", exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    const [product] = (await service.products.list(actor))._unsafeUnwrap().data;
    expect(product).toMatchObject({
      unitPrice: 1250.5,
      currency: "ARS",
      unitCost: 800,
      priceTiers: [{ from: 10, unitPrice: 1100 }],
      variants: [{ name: "Dark oak", unitPrice: null }],
    });
    await page.getByRole("link", { name: "Packages" }).click();
    await page.getByRole("button", { name: "New package" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Dining room");
    await dialog.getByLabel("Currency").fill("ARS");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Add at least one product.").waitFor();
    await dialog.getByLabel("Add a product").fill("oak");
    await dialog.getByRole("button", { name: /Oak table/ }).click();
    await dialog.getByLabel("Quantity of Oak table").fill("2");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText("2 × Oak table").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.locator("tbody tr").textContent()).toContain("2,501.00");
    await page.getByRole("button", { name: "Actions for Dining room" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByRole("button", { name: "Dining room", exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("an import names two bad rows of five, sends the others once, and hands back the bad ones", async () => {
    const { page, service, actor, open, complaints } = await openDashboard();
    await open("/customers");
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog");
    const file = { name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(CUSTOMERS, "latin1") };
    await dialog.locator("input[type=file]").setInputFiles(file);
    await dialog.getByText("3 rows are right; 2 have errors and are left out.").waitFor();
    expect(await dialog.getByLabel("Field for Razón social").inputValue()).toBe("name");
    await dialog.getByText("Row 3, Name:").waitFor();
    await dialog.getByText("Row 4, Email:").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Import 3 rows" }).click();
    await dialog.getByText("3 rows imported, 2 not.").waitFor();
    expect(await violations(page)).toEqual([]);
    const downloaded = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download 2 rows" }).click();
    const stream = await (await downloaded).createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString();
    expect(text).toContain("Beto,beto@,,,Email: This is not an email address.");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("link", { name: "=Dora" }).waitFor();
    const { data } = (await service.customers.list(actor))._unsafeUnwrap();
    expect(data.map(({ name }) => name).sort()).toEqual(["=Dora", "Ana SA", "Carla"]);
    expect(complaints).toEqual([]);
  });

  it("hostile texts stay texts, on a phone and in Spanish, and a search is in the address", async () => {
    const { page, url, open, complaints } = await openDashboard({
      size: { width: 390, height: 844 },
      language: "es-AR",
      fill: async (made, businessId) => {
        const actor = { kind: "system", businessId } as const;
        const texts = { phone: HOSTILE.slice(0, 64), address: HOSTILE.repeat(4) };
        const created = await made.customers.create(actor, { id: "evil", name: HOSTILE, ...texts });
        (await made.products.create(actor, { name: HOSTILE, unit: "<b>m²</b>", unitPrice: 9e9 }))._unsafeUnwrap();
        created._unsafeUnwrap();
      },
    });
    for (const path of ["/customers", "/customers/evil", "/catalog"]) {
      await open(path);
      await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
      expect([path, await isTooWide(page), await violations(page)]).toEqual([path, false, []]);
      expect(await page.locator("img[src=x]").count()).toBe(0);
    }
    await page.getByRole("searchbox").fill("nada de eso");
    await page.getByRole("heading", { name: "Sin resultados" }).waitFor();
    expect(page.url()).toContain("q=nada");
    expect(new URL(page.url()).origin).toBe(new URL(url).origin);
    expect(complaints).toEqual([]);
  });
});
