import type { CreateBudget } from "@budgetkit/core";
import type { Draws } from "./draws.js";
import { kitchenOffer } from "./kitchen-offer.js";
import { type CatalogPlan, TAX_RATE } from "./plan-catalog.js";

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const DAYS = 365;
const SHARE_OF_PACKAGES = 0.12;
const SHARE_IN_SECTIONS = 0.15;

/** One step of a planned budget at a given time. */
type Step =
  | { readonly kind: "create"; readonly input: PlannedBudget | CreateBudget }
  | { readonly kind: "submit" | "expire" | "complete" | "archive" | "delete" }
  | { readonly kind: "approve" | "reject"; readonly validUntil?: string } // absent = the budget has a date already
  | { readonly kind: "pay"; readonly share: number; readonly reference: string };

export interface PlannedStep {
  readonly at: number;
  readonly budget: number; // index in the plan
  readonly step: Step;
}

type LifeStep = Omit<PlannedStep, "budget">;

interface PlannedBudget {
  readonly customerId: string;
  readonly items: readonly PlannedLine[];
  readonly taxRate: number;
  readonly discountAmount: number;
  readonly draft: boolean;
  readonly validUntil: string | null; // null = set together with the answer
  readonly notes: string | null;
}

interface PlannedItem {
  readonly productId?: string;
  readonly variantId?: string;
  readonly packageId?: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly unit?: string;
  readonly discountRate?: number;
}

type PlannedLine =
  | PlannedItem
  | { readonly kind: "heading" | "text"; readonly description: string }
  | { readonly kind: "subtotal"; readonly description?: string };

const NOTES = [
  null,
  null,
  null,
  "Delivery in two parts.",
  "Colours as agreed on the telephone.",
  "Please call before you come.",
];

/** The steps of so many budgets over the year that ends at `now`, in order of time. The last is open to its customer. */
export function planBudgets(draws: Draws, catalog: CatalogPlan, now: number, budgets: number): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const drawn = budgets - 1;
  for (let budget = 0; budget < drawn; budget += 1) {
    // More in recent months: the business grows.
    const age = Math.floor(DAYS * (1 - Math.sqrt((budget + draws.number()) / drawn)));
    const createdAt = now - (age + 1) * DAY_MS + draws.integer(8, 17) * HOUR_MS + draws.integer(0, HOUR_MS - 1);
    const life = planLife(draws, catalog, Math.min(createdAt, now - HOUR_MS));
    for (const step of datedByAnswer(life, now)) {
      if (step.at < now) steps.push({ ...step, budget });
    }
  }
  const at = now - HOUR_MS;
  const input = kitchenOffer(draws.one(catalog.customers).id, at);
  steps.push({ at, budget: drawn, step: { kind: "create", input } });
  return steps.sort((a, b) => a.at - b.at || a.budget - b.budget);
}

function planLife(draws: Draws, catalog: CatalogPlan, createdAt: number): LifeStep[] {
  const days = (least: number, most: number) => draws.integer(least * 24, most * 24) * HOUR_MS;
  const isDraft = draws.chance(0.12);
  const offeredAt = createdAt + (isDraft ? days(1, 5) : 0);
  const expiresAt = offeredAt + draws.one([15, 30, 30, 45]) * DAY_MS;
  const validUntil = new Date(expiresAt).toISOString();
  const create = { kind: "create", input: budgetOf(draws, catalog, isDraft, validUntil) } as const;
  const life: LifeStep[] = [{ at: createdAt, step: create }];
  if (isDraft && draws.chance(0.3)) return life; // stays a draft
  if (isDraft) life.push({ at: offeredAt, step: { kind: "submit" } });
  const answeredAt = offeredAt + days(1, 12);
  const fate = draws.number();
  if (fate < 0.16) return [...life, { at: answeredAt, step: { kind: "reject" } }];
  if (fate < 0.34) return [...life, { at: expiresAt, step: { kind: "expire" } }];
  if (fate < 0.36) return [...life, { at: answeredAt, step: { kind: "delete" } }];
  life.push({ at: answeredAt, step: { kind: "approve" } });
  life.push(...planPayments(draws, answeredAt, createdAt));
  if (draws.chance(0.25)) return life;
  const completedAt = answeredAt + days(10, 40);
  life.push({ at: completedAt, step: { kind: "complete" } });
  if (draws.chance(0.35)) life.push({ at: completedAt + days(20, 60), step: { kind: "archive" } });
  return life;
}

/**
 * A server on the same database expires budgets by its own clock at once. So a budget that is answered or deleted before it
 * could expire gets its date only with that step.
 */
function datedByAnswer(life: readonly LifeStep[], now: number): readonly LifeStep[] {
  const end = life.find(({ step: { kind } }) => kind === "approve" || kind === "reject" || kind === "delete");
  const created = life.find(({ step }) => step.kind === "create")?.step;
  if (end === undefined || created?.kind !== "create") return life;
  const { validUntil } = created.input;
  if (validUntil == null || Date.parse(validUntil) > now + DAY_MS) return life;
  return life.map(({ at, step }) => {
    if (step.kind === "create") return { at, step: { ...step, input: { ...step.input, validUntil: null } } };
    if (step.kind === "approve" || step.kind === "reject") return { at, step: { ...step, validUntil } };
    return { at, step };
  });
}

function planPayments(draws: Draws, approvedAt: number, createdAt: number): LifeStep[] {
  const shares = draws.one([[1], [0.5, 0.5], [0.3, 0.7], [0.4], []]);
  return shares.map((share, index) => ({
    at: approvedAt + (index * 20 + draws.integer(1, 9)) * DAY_MS,
    step: { kind: "pay", share, reference: `TR-${Math.floor(createdAt / 60_000)}-${index + 1}` },
  }));
}

function budgetOf(draws: Draws, catalog: CatalogPlan, draft: boolean, validUntil: string): PlannedBudget {
  const items = Array.from({ length: draws.integer(1, 5) }, () => itemOf(draws, catalog));
  const worth = items.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  return {
    customerId: draws.one(catalog.customers).id,
    items: draws.chance(SHARE_IN_SECTIONS) ? inSections(draws, items) : items,
    taxRate: TAX_RATE,
    discountAmount: draws.chance(0.25) ? Math.floor(worth / 20) : 0,
    draft,
    validUntil,
    notes: draws.one(NOTES),
  };
}

/** The goods in a section with a subtotal, and the work by the hour in another one. */
function inSections(draws: Draws, goods: readonly PlannedItem[]): PlannedLine[] {
  const discountRate = draws.one([0.05, 0.1, 0.15]);
  const work = { description: "Assembly and fitting", quantity: draws.integer(2, 16) / 2, unitPrice: 38, unit: "h" };
  return [
    { kind: "heading", description: "Furniture" },
    ...goods.map((item, index) => ({ ...item, unit: "pcs", ...(index === 0 ? { discountRate } : {}) })),
    { kind: "subtotal", description: "Furniture in total" },
    { kind: "heading", description: "Work" },
    { kind: "text", description: "We work on weekdays, from eight to five." },
    work,
  ];
}

function itemOf(draws: Draws, { products, packages }: CatalogPlan): PlannedItem {
  if (draws.chance(SHARE_OF_PACKAGES)) {
    const { id, name, items } = draws.one(packages);
    const unitPrice = items.reduce(
      (sum, { productId, quantity }) =>
        sum + quantity * (products.find((each) => each.id === productId)?.unitPrice ?? 0),
      0,
    );
    return { packageId: id, description: name, quantity: 1, unitPrice };
  }
  const { id, name, unitPrice, variants } = draws.one(products);
  const quantity = draws.integer(1, 6);
  if (variants.length === 0) return { productId: id, description: name, quantity, unitPrice };
  const variant = draws.one(variants);
  return { productId: id, variantId: variant.id, description: variant.name, quantity, unitPrice };
}
