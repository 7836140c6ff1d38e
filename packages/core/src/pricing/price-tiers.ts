import { err, ok, type Result } from "neverthrow";
import { at } from "../kernel/arrays.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";

/** The unit price of a quantity from `from` on. */
export interface PriceTier {
  readonly from: number; // a quantity, read as an exact decimal
  readonly unitPrice: number; // read as an exact decimal
}

/** Tiers of one line at most, beside one from 0, which settlePrice may add. */
export const MAX_TIERS = 20;

export function areTooMany(tiers: readonly Pick<PriceTier, "from">[]): boolean {
  return tiers.length > MAX_TIERS + Number(tiers[0]?.from === 0);
}

/** What decides the price of a unit: `unitPrice` is that of quantities below the first tier. */
export interface TieredPrice {
  readonly priceTiers?: readonly PriceTier[] | undefined; // absent = one price
  readonly unitPrice?: number | undefined;
}

interface SettledPrice {
  readonly unitPrice: number; // that applies
  readonly priceTiers?: readonly PriceTier[];
}

/**
 * The price that applies to a quantity, and the tiers with `unitPrice` as a tier from 0, unless they begin there. Tiers
 * without it must cover every quantity from `smallest` on. `field` is the path of the line.
 * Errors: TIERS_NOT_ASCENDING; 400 REQUIRED where no price is given for the smallest quantity.
 */
export function settlePrice(
  { priceTiers, unitPrice }: TieredPrice,
  quantity: number,
  smallest: number,
  field: string,
): Result<SettledPrice, Problem> {
  if (priceTiers === undefined) return unitPrice === undefined ? err(noPrice(field)) : ok({ unitPrice });
  const ascending = checkTiers(priceTiers, `${field}.priceTiers`);
  if (ascending.isErr()) return err(ascending.error);
  const { from } = at(priceTiers, 0);
  if (unitPrice === undefined && from > smallest) return err(noPrice(field));
  const tiers = unitPrice === undefined || from === 0 ? priceTiers : [{ from: 0, unitPrice }, ...priceTiers];
  return ok({ unitPrice: tierPrice(tiers, quantity), priceTiers: tiers });
}

/** `field` is the path of the tiers. Errors: TIERS_NOT_ASCENDING. */
export function checkTiers(tiers: readonly PriceTier[], field: string): Result<void, Problem> {
  const falling = tiers.findIndex(({ from }, index) => index > 0 && from <= at(tiers, index - 1).from);
  return falling === -1 ? ok(undefined) : err(notAscending(`${field}[${falling}].from`));
}

/** The price of the highest tier that the quantity reaches; below the first, the price of the first. */
export function tierPrice(tiers: readonly PriceTier[], quantity: number): number {
  let price = at(tiers, 0).unitPrice;
  for (const { from, unitPrice } of tiers) if (from <= quantity) price = unitPrice;
  return price;
}

function noPrice(field: string): Problem {
  const message = "A line needs a unitPrice, or price tiers from its smallest quantity on.";
  return invalid(`${field}.unitPrice`, "REQUIRED", message);
}

function notAscending(field: string): Problem {
  return brokenRule("TIERS_NOT_ASCENDING", "Each tier begins above the one before.", { field });
}
