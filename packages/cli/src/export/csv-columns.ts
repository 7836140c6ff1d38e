import type { BudgetView, CustomerView, ProductView } from "@budgetkit/core";
import type { Cell } from "./csv.js";

type Columns<V> = Readonly<Record<string, (view: V) => Cell>>;

const CUSTOMERS: Columns<CustomerView> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  dni: ({ dni }) => dni,
  cuit: ({ cuit }) => cuit,
  taxCondition: ({ taxCondition }) => taxCondition,
  address: ({ address }) => address,
  externalId: ({ externalId }) => externalId,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

const PRODUCTS: Columns<ProductView> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  sku: ({ sku }) => sku,
  description: ({ description }) => description,
  unitPrice: ({ unitPrice }) => unitPrice,
  currency: ({ currency }) => currency,
  taxRate: ({ taxRate }) => taxRate,
  active: ({ active }) => active,
  variants: ({ variants }) => variants.length,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  unit: ({ unit = null }) => unit,
  taxes: ({ taxes = [] }) => taxes.join(" ") || null,
  unitCost: ({ unitCost = null }) => unitCost,
};

const BUDGETS: Columns<BudgetView> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  customerId: ({ customerId }) => customerId,
  customerName: ({ customer }) => customer.name,
  customerEmail: ({ customer }) => customer.email,
  currency: ({ currency }) => currency,
  subtotal: ({ subtotal }) => subtotal,
  discount: ({ discount }) => discount,
  tax: ({ tax }) => tax,
  total: ({ total }) => total,
  paid: ({ paid }) => paid,
  taxRate: ({ taxRate }) => taxRate,
  items: ({ items }) => items.filter(({ kind }) => kind === undefined).length,
  validUntil: ({ validUntil }) => validUntil,
  notes: ({ notes }) => notes,
  createdAt: ({ createdAt }) => createdAt,
  createdBy: ({ createdBy }) => createdBy,
  updatedAt: ({ updatedAt }) => updatedAt,
  approvedAt: ({ approvedAt }) => approvedAt,
  approvedBy: ({ approvedBy }) => approvedBy,
  number: ({ number = null }) => number,
};

/** The columns of the CSV tables, in order. README.md lists them. */
export const CSV_COLUMNS = { customers: CUSTOMERS, products: PRODUCTS, budgets: BUDGETS } as const;

/** The cells of one record. */
export function cellsOf<V>(columns: Columns<V>, view: V): Cell[] {
  return Object.values(columns).map((read) => read(view));
}
