import type { Budget, BudgetItem, BudgetStatus, CustomerSummary, Product } from "@budgetkit/core/store";

type ProductSummary = Pick<Product, "id" | "name" | "sku">;

/** Budgets that both sides store: three items, and about 1.5 kB as JSON. Which one it is follows from its index. */

const FIRST_CREATED = Date.UTC(2025, 0, 1);
const VALID_UNTIL = Date.UTC(2099, 11, 31);
const TAX_RATE = 0.21;
const STATUSES: readonly BudgetStatus[] = ["PENDING", "APPROVED", "PENDING", "DRAFT", "REJECTED"];

export const customers: readonly CustomerSummary[] = Array.from({ length: 100 }, (_, index) => ({
  id: `customer-${index}`,
  name: `Ferretería y Construcciones ${index}`,
  email: `compras${index}@ferreteria.example`,
  phone: `+54 11 5555 ${String(1000 + index)}`,
}));

export const products: readonly ProductSummary[] = Array.from({ length: 100 }, (_, index) => ({
  id: `product-${index}`,
  name: `Taladro percutor ${500 + index} W`,
  sku: `TAL-${500 + index}`,
}));

const ITEMS = 3;

export function customerOf(index: number): CustomerSummary {
  return pick(customers, index);
}

export function productOf(index: number, position: number): ProductSummary {
  return pick(products, index * ITEMS + position);
}

export function sampleBudget(index: number, ids: { readonly businessId: string; readonly id: string }): Budget {
  const items = Array.from({ length: ITEMS }, (_, position) => sampleItem(index, position, ids.id));
  const subtotal = items.reduce((sum, item) => sum + item.total, 0);
  const tax = items.reduce((sum, item) => sum + item.tax, 0);
  const status = pick(STATUSES, index);
  const createdAt = FIRST_CREATED + index * 1_000;
  return {
    ...ids,
    version: 1,
    revision: 1,
    revised: { at: createdAt, by: "key:20", changes: [], asked: true },
    customerId: customerOf(index).id,
    status,
    currency: "USD",
    items,
    taxRate: TAX_RATE,
    subtotal,
    discount: 0,
    tax,
    total: subtotal + tax,
    notes: `Delivery within ten working days to the site on the corner, unloading included. Quote ${index}.`,
    validUntil: VALID_UNTIL,
    metadata: { channel: "web", salesperson: `seller-${index % 20}`, priority: index % 3 },
    createdAt,
    createdBy: "system",
    updatedAt: createdAt,
    approvedAt: status === "APPROVED" ? createdAt : null,
    approvedBy: status === "APPROVED" ? "system" : null,
    deletion: null,
    publicTokenHash: null,
    publicOffer: null,
    paid: 0,
    acceptance: null,
  };
}

function sampleItem(index: number, position: number, budgetId: string): BudgetItem {
  const quantity = 1 + ((index + position) % 9);
  const cents = 1_000 + ((index * 37 + position * 911) % 90_000);
  const total = quantity * cents;
  return {
    id: `${budgetId}-${position + 1}`,
    productId: productOf(index, position).id,
    variantId: null,
    packageId: null,
    description: `Percussion drill with case and bits, two years of warranty, line ${position + 1}`,
    quantity,
    unitPrice: cents / 100,
    total,
    discount: 0,
    tax: Math.round(total * TAX_RATE),
  };
}

/** The body of a request that creates a budget of three items. */
export const newBudget = JSON.stringify({
  customerId: "customer-7",
  notes: "Delivery within ten working days to the site on the corner, unloading included.",
  taxRate: TAX_RATE,
  metadata: { channel: "web", salesperson: "seller-7" },
  items: Array.from({ length: ITEMS }, (_, position) => ({
    productId: `product-${position}`,
    description: `Percussion drill with case and bits, two years of warranty, line ${position + 1}`,
    quantity: position + 1,
    unitPrice: 129.9 + position,
  })),
});

function pick<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new RangeError("nothing to pick from");
  return value;
}
