import type { CatalogQuery, Customer, Package, Product, Variant } from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

const RECORD = {
  businessId: FIXTURE_BUSINESS,
  version: 1,
  metadata: {},
  createdAt: FIXTURE_TIME,
  updatedAt: FIXTURE_TIME,
  deletedAt: null,
} as const;

/** Valid records with plain values. A test names the fields that it is about; the rest is of no interest to it. */
export function aCustomer(overrides: Partial<Customer> = {}): Customer {
  return {
    ...RECORD,
    id: "500",
    name: "Bruno",
    email: "bruno@example.com",
    phone: "+54 11 5555-0000",
    dni: null,
    cuit: null,
    taxCondition: null,
    address: null,
    externalId: null,
    ...overrides,
  };
}

export function aProduct(overrides: Partial<Product> = {}): Product {
  return {
    ...RECORD,
    id: "700",
    name: "Oak table",
    description: null,
    sku: null,
    unitPrice: 450,
    currency: "USD",
    taxRate: null,
    active: true,
    options: [],
    variants: [],
    ...overrides,
  };
}

export function aVariant(overrides: Partial<Variant> = {}): Variant {
  return { id: "v-1", name: "Oak table, dark", sku: null, options: {}, unitPrice: null, active: true, ...overrides };
}

export function aPackage(overrides: Partial<Package> = {}): Package {
  return {
    ...RECORD,
    id: "800",
    name: "Dining room",
    description: null,
    price: null,
    currency: "USD",
    active: true,
    items: [{ productId: "700", variantId: null, quantity: 1 }],
    ...overrides,
  };
}

/** A list of everything but deleted records, newest first, on one large page. */
export function aCatalogQuery(overrides: Partial<CatalogQuery> = {}): CatalogQuery {
  return {
    includeDeleted: false,
    search: null,
    sort: "createdAt",
    order: "desc",
    limit: 100,
    position: { kind: "offset", offset: 0 },
    ...overrides,
  };
}
