import { describe, expect, it, vi } from "vitest";

vi.mock("../../start/api.js", () => ({ api: {} }));
const { customerImport } = await import("../customers/customer-import.js");
const { productImport } = await import("../catalog/products/product-import.js");
const { matchColumns, withColumn } = await import("./match-columns.js");
const { decimalOf, planRows } = await import("./plan-rows.js");

describe("matchColumns", () => {
  it.each([
    [["Full name", "E-mail", "Phone", "Tax ID"]],
    [["Razón Social", "Correo electrónico", "TELÉFONO", "CUIT"]],
    [["Nome", "E-mail", "Telefone", "cuit"]],
  ])("knows the columns of customers by %j", (headers) => {
    expect(matchColumns(headers, customerImport.fields)).toEqual(["name", "email", "phone", "cuit"]);
  });

  it("knows the columns of products in three languages, and leaves out what it does not know", () => {
    const guess = (headers: string[]) => matchColumns(headers, productImport.fields);
    expect(guess(["Product", "SKU", "Unit price", "Shelf"])).toEqual(["name", "sku", "unitPrice", null]);
    expect(guess(["Código", "Producto", "Precio unitario (ARS)", "IVA"])).toEqual([
      "sku",
      "name",
      "unitPrice",
      "taxRate",
    ]);
    expect(guess(["Produto", "Preço", "Custo"])).toEqual(["name", "unitPrice", "unitCost"]);
  });

  it("gives no field to two columns, also after a change", () => {
    expect(matchColumns(["name", "Name"], customerImport.fields)).toEqual(["name", null]);
    expect(withColumn<string>(["name", "email"], 1, "name")).toEqual([null, "name"]);
  });
});

describe("planRows", () => {
  const customers = (rows: string[][]) =>
    planRows({
      kind: customerImport,
      rows: [["name", "email", "cuit", "dni"], ...rows],
      hasHeader: true,
      mapping: ["name", "email", "cuit", "dni"],
      decimal: ".",
    });

  it("planRows names the wrong fields of each row by its number in the file", () => {
    const planned = customers([
      ["Ana", "ana@example.com", "20-12345678-6", "30.123.456"],
      ["", "ana@", "20-12345678-1", "12"],
      ["Eva", "", "20123456786", ""],
    ]);
    expect(planned.map(({ line, problems }) => [line, Object.fromEntries(problems)])).toEqual([
      [2, {}],
      [3, { name: "required", email: "email", cuit: "cuit", dni: "dni" }],
      [4, { cuit: "twice" }],
    ]);
    expect(planned[0]?.input).toMatchObject({ cuit: "20123456786", dni: "30123456" });
  });

  it("reads prices, rates and flags of products as people write them", () => {
    const rows = [
      ["Oak", "1.250,50", "21%", "sí"],
      ["Pine", "990", "0,105", "no"],
      ["Elm", "much", "210", "perhaps"],
    ];
    const mapping = ["name", "unitPrice", "taxRate", "active"] as const;
    const decimal = decimalOf(rows, mapping, productImport.numbers, ".");
    const planned = planRows({ kind: productImport, rows, hasHeader: false, mapping, decimal });
    expect(planned.map(({ input: { unitPrice, taxRate, active } }) => [unitPrice, taxRate, active])).toEqual([
      [1250.5, 0.21, true],
      [990, 0.105, false],
      [null, 2.1, false],
    ]);
    expect(Object.fromEntries(planned[2]?.problems ?? [])).toEqual({
      unitPrice: "number",
      taxRate: "rate",
      active: "yesNo",
    });
  });
});
