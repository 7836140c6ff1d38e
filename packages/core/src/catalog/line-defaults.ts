import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { unitPrice } from "../kernel/fields.js";
import { maxAmountOf } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import { priceTiers, priceTiersView, recurring, recurringView, unit } from "../pricing/line-fields.js";
import { type NamedTax, unknownNamedTax } from "../pricing/named-tax.js";
import { checkTiers, type PriceTier } from "../pricing/price-tiers.js";
import type { Recurrence } from "../pricing/recurring.js";
import { taxIds } from "../pricing/tax-fields.js";
import { amountTooLarge } from "../pricing/totals-parts.js";

/** What a product or package brings to the lines that name it and leave these out. A field is absent where it has none. */
export interface LineDefaults extends PriceDefaults {
  readonly unit?: string; // of the quantity
  readonly taxes?: readonly string[]; // ids of named taxes of the business; empty = exempt
  readonly recurring?: Recurrence;
}

/** The defaults that are amounts of a currency. A variant may have its own. */
export interface PriceDefaults {
  readonly priceTiers?: readonly PriceTier[];
  readonly unitCost?: number; // what a unit costs the business; internal
}

const UNIT_COST = "What a unit costs the business. No event has it. null = none.";

/** The price defaults in a request. Null = none. */
export const priceDefaultsInput = {
  /** The price of a unit by quantity; null = none. */
  priceTiers: priceTiers.nullish(),
  /** What a unit costs the business; null = none. */
  unitCost: unitPrice.nullish().describe(UNIT_COST),
};

/** The defaults in a request. Null = none. */
export const lineDefaultsInput = {
  /** The unit of the quantity; null = none. */
  unit: unit.nullish(),
  /** Ids of named taxes of the business; empty = exempt, null = those of the budget. */
  taxes: taxIds
    .nullish()
    .describe("Ids of named taxes of the business, for the lines. Empty = exempt, null = those of the budget."),
  /** Charged again each cycle; null = once. */
  recurring: recurring.nullish(),
  ...priceDefaultsInput,
};

/** The price defaults in a view: absent = none. */
export const priceDefaultsView = {
  /** The price of a unit by quantity; absent = one price. */
  priceTiers: priceTiersView.optional().describe("The price of a unit by quantity; absent = one price."),
  /** What a unit costs the business; absent = not known. */
  unitCost: z.number().optional().describe("What a unit costs the business; absent = not known. No event has it."),
};

/** The defaults in a view: absent = none. */
export const lineDefaultsView = {
  /** The unit of the quantity; absent = none. */
  unit: z.string().optional().describe("The unit of the quantity; absent = none."),
  /** Ids of named taxes of the business; empty = exempt, absent = those of the budget. */
  taxes: z
    .array(z.string())
    .optional()
    .describe("Ids of named taxes of the business. Empty = exempt, absent = those of the budget."),
  /** Charged again each cycle; absent = once. */
  recurring: recurringView.optional().describe("Charged again each cycle; absent = once."),
  ...priceDefaultsView,
};

type Given<T> = { readonly [Field in keyof T]?: T[Field] | null | undefined };

/** The defaults that are set. */
export function lineDefaultsOf(given: Given<LineDefaults>): LineDefaults {
  const { unit, taxes, recurring } = given;
  return {
    ...(isSet(unit) ? { unit } : {}),
    ...(isSet(taxes) ? { taxes } : {}),
    ...(isSet(recurring) ? { recurring } : {}),
    ...priceDefaultsOf(given),
  };
}

/** The price defaults that are set. */
export function priceDefaultsOf({ priceTiers, unitCost }: Given<PriceDefaults>): PriceDefaults {
  return { ...(isSet(priceTiers) ? { priceTiers } : {}), ...(isSet(unitCost) ? { unitCost } : {}) };
}

/** The defaults of a record in its view. */
export function lineDefaultsViewOf(record: LineDefaults) {
  const { unit, taxes, recurring } = record;
  return {
    ...(unit === undefined ? {} : { unit }),
    ...(taxes === undefined ? {} : { taxes: [...taxes] }),
    ...(recurring === undefined ? {} : { recurring: { ...recurring } }),
    ...priceDefaultsViewOf(record),
  };
}

/** The price defaults of a product or variant in its view. */
export function priceDefaultsViewOf({
  priceTiers,
  unitCost,
}: { readonly [F in keyof PriceDefaults]: PriceDefaults[F] | undefined }) {
  return {
    ...(priceTiers === undefined ? {} : { priceTiers: priceTiers.map((tier) => ({ ...tier })) }),
    ...(unitCost === undefined ? {} : { unitCost }),
  };
}

/** Errors: TIERS_NOT_ASCENDING, AMOUNT_TOO_LARGE. `field` is the path of the product or variant, with a dot at its end. */
export function checkPrices(
  { priceTiers = [], unitCost = 0 }: PriceDefaults,
  currency: string,
  field = "",
): Result<void, Problem> {
  const max = maxAmountOf(currency);
  if (unitCost > max) return err(amountTooLarge(`${field}unitCost`, currency));
  const tooHigh = priceTiers.findIndex((tier) => tier.unitPrice > max);
  if (tooHigh !== -1) return err(amountTooLarge(`${field}priceTiers[${tooHigh}].unitPrice`, currency));
  return checkTiers(priceTiers, `${field}priceTiers`);
}

/** Finds a business with its named taxes; null = unknown. */
export interface TaxedBusinesses {
  findBusiness(businessId: string): Promise<{ readonly profile: { readonly taxes?: readonly NamedTax[] } } | null>;
}

/** Checks the taxes of a request. The business is read only if there are some. Errors: UNKNOWN_TAX. */
export async function checkTaxes(
  context: TaxedBusinesses,
  businessId: string,
  taxes: readonly string[] | null | undefined,
): Promise<Result<void, Problem>> {
  if (taxes === null || taxes === undefined || taxes.length === 0) return ok(undefined);
  const known = new Set((await context.findBusiness(businessId))?.profile.taxes?.map(({ id }) => id));
  const unknown = taxes.findIndex((id) => !known.has(id));
  return unknown === -1 ? ok(undefined) : err(unknownNamedTax(`taxes[${unknown}]`, taxes[unknown] ?? ""));
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
