import assert from "node:assert/strict";
import { type Customer, type Package, type Product, recordCommit, summariesOf } from "@budgetkit/core/store";
import { aCatalogQuery, aCustomer, aPackage, aProduct, aVariant } from "../catalog-fixtures.js";
import { FIXTURE_TIME } from "../fixtures.js";
import { type Cases, END_OF_2199, MAX, NESTED, ODD_TEXT } from "./extremes.js";
import type { Suite } from "./suite.js";

const CUSTOMERS: Cases<Customer> = {
  "of plain values": {},
  "of whom the name alone is known": { email: null, phone: null },
  "with odd text everywhere": {
    name: ODD_TEXT,
    email: ODD_TEXT,
    phone: ODD_TEXT,
    taxCondition: ODD_TEXT,
    address: ODD_TEXT,
    externalId: ODD_TEXT,
  },
  "with empty fields, which are not the same as none": { email: "", phone: "", address: "", externalId: "" },
  "with dni, cuit and metadata": { dni: "30123456", cuit: "20301234563", metadata: NESTED },
  "that is deleted": { deletedAt: END_OF_2199, updatedAt: END_OF_2199, version: 7 },
};

const PRODUCTS: Cases<Product> = {
  "of plain values": {},
  "with odd text everywhere": { name: ODD_TEXT, sku: ODD_TEXT, description: ODD_TEXT, metadata: NESTED },
  "with an empty sku, which is not the same as none": { sku: "" },
  "without a price": { unitPrice: null },
  "of a price with six decimals": { unitPrice: 0.000001, currency: "BHD", taxRate: 0.105 },
  "of the largest price": { unitPrice: MAX, currency: "JPY" },
  "with options and 100 variants": {
    options: [{ name: "Colour", values: ["dark", ODD_TEXT] }],
    variants: Array.from({ length: 100 }, (_, index) =>
      aVariant({ id: `v-${index}`, sku: `S-${index}`, options: { Colour: "dark", [ODD_TEXT]: "" }, unitPrice: index }),
    ),
  },
  "with defaults of the lines that name it, and variants with their own": {
    unit: "m²",
    taxes: ["iva", "levy"],
    recurring: { interval: "month", intervalCount: 3, cycles: null },
    priceTiers: [
      { from: 0, unitPrice: 10.000001 },
      { from: 2.5, unitPrice: 9 },
    ],
    unitCost: 4.2,
    variants: [
      aVariant({ unitPrice: 12 }),
      aVariant({ id: "v-2", unitCost: 0, priceTiers: [{ from: 1, unitPrice: 8 }] }),
    ],
  },
  "whose lines are exempt": { taxes: [] },
  "that is no longer offered": { active: false },
  "that is deleted": { deletedAt: FIXTURE_TIME + 1, sku: "GONE" },
};

const PACKAGES: Cases<Package> = {
  "of plain values": {},
  "with odd text everywhere": { name: ODD_TEXT, description: ODD_TEXT, metadata: NESTED },
  "of a price of its own": { price: 1234.56, currency: "ARS" },
  "that is given away": { price: 0 },
  "of 100 items": {
    items: Array.from({ length: 100 }, (_, index) => ({
      productId: `p-${index}`,
      variantId: `v:${index}`,
      quantity: 0.5,
    })),
  },
  "with defaults of the lines that name it": {
    unit: "set",
    taxes: ["iva"],
    recurring: { interval: "year", intervalCount: 1, cycles: 2 },
    priceTiers: [{ from: 5, unitPrice: 900 }],
    unitCost: 700,
  },
  "that is deleted": { deletedAt: FIXTURE_TIME + 1, active: false },
};

export function catalogRoundTripCases({ describe, it }: Suite): void {
  const everything = aCatalogQuery({ includeDeleted: true });

  describe("a customer comes back as they went in", () => {
    for (const [name, overrides] of Object.entries(CUSTOMERS)) {
      it(`a customer comes back as they went in ${name}`, async (store) => {
        const customer = aCustomer(overrides);
        await store.commit(recordCommit("customer", customer, "absent"));
        assert.deepEqual(await store.findRecord("customer", "1", "500"), customer);
        assert.deepEqual((await store.listRecords("customer", "1", everything)).entries, [customer]);
        const { id, email, phone } = customer;
        assert.deepEqual(await store.findCustomers("1", ["500"]), [{ id, name: customer.name, email, phone }]);
      });
    }
  });

  describe("a product comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(PRODUCTS)) {
      it(`a product comes back as it went in ${name}`, async (store) => {
        const product = aProduct(overrides);
        await store.commit(recordCommit("product", product, "absent"));
        assert.deepEqual(await store.findRecords("product", "1", ["700"]), [product]);
        const names = summariesOf(product);
        assert.deepEqual(await store.findProductSummaries("1", names), names);
        assert.deepEqual((await store.listRecords("product", "1", everything)).entries, [product]);
      });
    }
  });

  describe("a package comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(PACKAGES)) {
      it(`a package comes back as it went in ${name}`, async (store) => {
        const bundle = aPackage(overrides);
        await store.commit(recordCommit("package", bundle, "absent"));
        assert.deepEqual(await store.findRecords("package", "1", ["800"]), [bundle]);
        assert.deepEqual((await store.listRecords("package", "1", everything)).entries, [bundle]);
      });
    }
  });
}
