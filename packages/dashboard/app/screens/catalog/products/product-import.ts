import type { CreateProduct } from "@budgetkit/client";
import { api } from "../../../start/api.js";
import { checkCurrency, checkId } from "../../import/cell-checks.js";
import type { ImportKind } from "../../import/import-kind.js";

type ProductImportField =
  | "name"
  | "sku"
  | "description"
  | "unitPrice"
  | "currency"
  | "unit"
  | "unitCost"
  | "taxRate"
  | "active"
  | "id";

export const productImport: ImportKind<ProductImportField, CreateProduct> = {
  kind: "products",
  fields: [
    {
      name: "name",
      isRequired: true,
      headers: ["product", "item", "article", "nombre", "producto", "artículo", "nome", "produto", "artigo"],
    },
    { name: "sku", isRequired: false, headers: ["code", "product code", "código", "cód", "codigo de articulo"] },
    { name: "description", isRequired: false, headers: ["details", "descripción", "detalle", "descrição", "detalhe"] },
    {
      name: "unitPrice",
      isRequired: false,
      headers: [
        "price",
        "unit price",
        "list price",
        "precio",
        "precio unitario",
        "precio de lista",
        "preço",
        "preço unitário",
        "valor",
      ],
    },
    { name: "currency", isRequired: false, headers: ["moneda", "moeda", "divisa"] },
    { name: "unit", isRequired: false, headers: ["uom", "unidad", "unidad de medida", "unidade", "unidade de medida"] },
    {
      name: "unitCost",
      isRequired: false,
      headers: ["cost", "unit cost", "costo", "costo unitario", "custo", "custo unitário"],
    },
    { name: "taxRate", isRequired: false, headers: ["tax", "vat", "tax rate", "iva", "alícuota", "imposto", "taxa"] },
    { name: "active", isRequired: false, headers: ["enabled", "activo", "habilitado", "ativo"] },
    { name: "id", isRequired: false, headers: ["product id", "id de producto", "id do produto"] },
  ],
  numbers: ["unitPrice", "unitCost", "taxRate"],
  percents: ["taxRate"],
  unique: ["sku", "id"],
  inputOf: (reader) => {
    const name = reader.needed("name", 255);
    const currency = reader.text("currency", 3, checkCurrency);
    const active = reader.flag("active");
    const id = reader.text("id", 64, checkId);
    return {
      name,
      sku: reader.text("sku", 64),
      description: reader.text("description", 2_000),
      unitPrice: reader.number("unitPrice"),
      unit: reader.text("unit", 20),
      unitCost: reader.number("unitCost"),
      taxRate: reader.rate("taxRate"),
      ...(currency === null ? {} : { currency: currency.toUpperCase() }),
      ...(active === null ? {} : { active }),
      ...(id === null ? {} : { id }),
    };
  },
  create: (input, options) => api.products.create(input, options),
};
