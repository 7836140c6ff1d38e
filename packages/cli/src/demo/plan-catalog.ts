import type { Draws } from "./draws.js";

/** Invented words, not companies, brands or people. */
const FIRST = ["Alder", "Brindle", "Copperleaf", "Driftstone", "Emberfield", "Fenwillow", "Glasswater", "Hollowmere"];
const SECOND = [
  "Bakery",
  "Studio",
  "Guesthouse",
  "Workshop",
  "Café",
  "Clinic",
  "Academy",
  "Books",
  "Gardens",
  "Market",
];
const FORMS = ["Ltd", "& Daughters", "Cooperative", "Partners", "House"];
const STREETS = ["Quarry Lane", "Lantern Street", "Mill Rise", "Orchard Walk", "Harbour Steps"];

const PRODUCTS: readonly (readonly [name: string, price: number, variants: readonly string[]])[] = [
  ["Oak dining table", 890, ["160 cm", "200 cm", "240 cm"]],
  ["Ash bench", 240, ["120 cm", "160 cm"]],
  ["Spindle chair", 129.5, ["natural", "black"]],
  ["Wall shelf", 68, []],
  ["Bookcase, five boards", 415, []],
  ["Reading lamp", 74.9, ["brass", "white"]],
  ["Counter stool", 152, []],
  ["Display cabinet", 1_240, []],
  ["Coat stand", 96.25, []],
  ["Planter box", 58.4, ["small", "large"]],
  ["Folding screen", 310, []],
  ["Linen curtain, per metre", 27.35, []],
  ["Writing desk", 640, ["left", "right"]],
  ["Drawer unit", 285, []],
  ["Garden bench", 375, []],
  ["Serving trolley", 198, []],
  ["Fitting, per hour", 46, []],
  ["Delivery within the city", 35, []],
  ["Delivery beyond the city", 85, []],
  ["Surface oiling", 120, []],
];

interface PlannedCustomer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
}

interface PlannedProduct {
  readonly id: string;
  readonly name: string;
  readonly sku: string;
  readonly unitPrice: number;
  readonly currency: "USD";
  readonly taxRate: number;
  readonly variants: readonly { readonly id: string; readonly name: string; readonly sku: string }[];
}

interface PlannedPackage {
  readonly id: string;
  readonly name: string;
  readonly currency: "USD";
  readonly items: readonly { readonly productId: string; readonly quantity: number }[];
}

export interface CatalogPlan {
  readonly customers: readonly PlannedCustomer[];
  readonly products: readonly PlannedProduct[];
  readonly packages: readonly PlannedPackage[];
}

export const TAX_RATE = 0.21;

/** Customers, furniture and sets of it. Their e-mail addresses use the reserved domain .example. */
export function planCatalog(draws: Draws): CatalogPlan {
  const customers = FIRST.flatMap((first) =>
    SECOND.slice(0, 5 + draws.integer(0, 2)).map((second) => `${first} ${second}`),
  )
    .slice(0, 48)
    .map((name, index) => customerOf(draws.chance(0.4) ? `${name} ${draws.one(FORMS)}` : name, index + 1, draws));
  const products = PRODUCTS.map(([name, unitPrice, variants], index) =>
    productOf(name, unitPrice, variants, index + 1),
  );
  return { customers, products, packages: PACKAGES };
}

function customerOf(name: string, number: number, draws: Draws): PlannedCustomer {
  const address = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/-$/, ""); // of "Ltd."
  return {
    id: `demo-customer-${number}`,
    name,
    email: `office@${address}.example`,
    phone: `+1 555 01${String(number).padStart(2, "0")}`,
    address: `${draws.integer(1, 180)} ${draws.one(STREETS)}`,
  };
}

function productOf(name: string, unitPrice: number, variants: readonly string[], number: number): PlannedProduct {
  const id = `demo-product-${number}`;
  const sku = `D-${String(100 + number)}`;
  return {
    id,
    name,
    sku,
    unitPrice,
    currency: "USD",
    taxRate: TAX_RATE,
    variants: variants.map((variant, index) => ({
      id: `${id}-${index + 1}`,
      name: `${name}, ${variant}`,
      sku: `${sku}-${index + 1}`,
    })),
  };
}

const PACKAGES: readonly PlannedPackage[] = [
  aPackage(1, "Dining set for six", [
    [1, 1],
    [3, 6],
  ]),
  aPackage(2, "Reading corner", [
    [5, 1],
    [6, 1],
    [3, 1],
  ]),
  aPackage(3, "Terrace set", [
    [15, 2],
    [10, 4],
  ]),
];

function aPackage(
  number: number,
  name: string,
  items: readonly (readonly [product: number, quantity: number])[],
): PlannedPackage {
  return {
    id: `demo-package-${number}`,
    name,
    currency: "USD",
    items: items.map(([product, quantity]) => ({ productId: `demo-product-${product}`, quantity })),
  };
}
