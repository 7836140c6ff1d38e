import type { BudgetService } from "@budgetkit/core";
import type { Page } from "playwright-core";

/** Taxes of Argentina, and tiles in the catalog. */
export async function fillKitchenBusiness(service: BudgetService, businessId: string): Promise<void> {
  const actor = { kind: "system", businessId } as const;
  const taxes = [
    { id: "iva21", name: "IVA", rate: 0.21, inclusive: true, default: true },
    { id: "iva105", name: "IVA reducido", rate: 0.105, inclusive: true },
  ];
  const changes = { currency: "ARS", locale: "es-AR", timeZone: "America/Argentina/Buenos_Aires", taxes };
  (await service.businesses.update(actor, changes))._unsafeUnwrap();
  const tiles = {
    id: "azulejos",
    name: "Azulejos, colocados",
    sku: "AZ-1",
    currency: "ARS",
    unitPrice: 24_000,
    unit: "m²",
    priceTiers: [{ from: 40, unitPrice: 21_500 }],
    unitCost: 15_000,
  };
  (await service.products.create(actor, tiles))._unsafeUnwrap();
}

/** Writes the offer of a kitchen from an empty editor, without a mouse. */
export async function writeKitchen(page: Page): Promise<void> {
  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.insertText(text);
  const focused = (label: RegExp) => page.locator(":focus").and(page.getByLabel(label)).waitFor();
  const option = (name: RegExp) => page.getByRole("option", { name }).first().waitFor();

  await page.getByRole("combobox", { name: "Customer" }).focus();
  await type("Martín Quiroga");
  await option(/New customer “Martín Quiroga”/);
  await press("ArrowUp");
  await press("Enter");
  await page.getByRole("dialog").getByLabel("Email").focus();
  await type("martin@quiroga.example");
  await press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByLabel("Deposit to confirm").focus();
  await type("30%");

  const nextLine = async () => {
    await press("Enter");
    await focused(/^Description/);
  };
  const begin = async (slash: string, option_: RegExp, name: string) => {
    await type(slash);
    await option(option_);
    await press("Enter");
    await focused(/^Description/);
    await type(name);
    await nextLine();
  };
  const line = async (name: string, quantity: string, price: string, less = "") => {
    await type(name);
    await press("Tab");
    await focused(/^Quantity/);
    await type(quantity);
    await press("Tab");
    await focused(/^Unit price/);
    await type(price);
    if (less === "") return;
    await press("Tab");
    await focused(/^Less/);
    await type(less);
  };

  await page.getByRole("combobox", { name: "New line" }).focus();
  await begin("/sec", /Section/, "Muebles");
  await line("Bajo mesada, roble macizo", "1", "1480000");
  await nextLine();
  await line("Alacenas superiores", "1", "960000", "10%");
  await nextLine();
  await begin("/sec", /Section/, "Mesada y revestimiento");
  await begin("/", /Choice/, "Mesada");
  await line("Cuarzo gris", "3.2 m", "215000");
  await nextLine();
  await line("Granito negro Brasil", "3.2 m", "165000");
  await nextLine();
  await line("Roble aceitado", "3.2 m", "140000");
  await nextLine();
  await press("Enter"); // a blank option leaves the choice
  await focused(/^Description/);
  await line("Isla con cajones", "1", "720000");
  await nextLine();
  await type("Azul");
  await option(/Azulejos/);
  await press("ArrowDown");
  await press("Enter");
  await focused(/^Quantity/);
  await type("28 m²");
  await nextLine();
  await begin("/sec", /Section/, "Servicio");
  await line("Flete e instalación", "1", "180000");
  await nextLine();
  await line("Mantenimiento anual", "1", "95000");
}
