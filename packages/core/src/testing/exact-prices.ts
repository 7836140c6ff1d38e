import type { Rounding } from "../kernel/decimal.js";
import type { PricingFigures, PricingInput, PricingLine, PricingLineFigures } from "../pricing/pricing-shapes.js";
import { type ExactTaxes, exactTaxes, type TaxedLine } from "./exact-taxes.js";
import { fraction, round, sharesOf, sumOf, times, whole } from "./fraction.js";

/** The figures of a budget, or the code of the rule that it breaks. */
export type ExactPrices =
  | { readonly figures: Omit<PricingFigures, "trace">; readonly rule: null }
  | { readonly figures: null; readonly rule: string };

/** What an amount is at most, by the number of decimals of its currency. Source: docs/concepts.md. */
const LARGEST_AMOUNTS = [2 ** 53 - 1, 2 ** 49, 2 ** 46, 2 ** 43, 2 ** 39];
const PLACES: Readonly<Record<string, number>> = { JPY: 0, CLP: 0, USD: 2, EUR: 2, CAD: 2, ARS: 2, BHD: 3, CLF: 4 };

/** How a currency is counted and rounded. */
interface Money {
  readonly places: number;
  readonly rounding: Rounding;
  readonly largest: bigint; // in minor units
}

class BrokenRule extends Error {}

/**
 * The figures of a budget that is well formed, by exact fractions and the rules of docs/pricing.md alone. It shares no code
 * with the kernel that it is compared with.
 */
export function exactPrices(input: PricingInput): ExactPrices {
  try {
    return { figures: figuresOf(input, moneyOf(input)), rule: null };
  } catch (error) {
    if (error instanceof BrokenRule) return { figures: null, rule: error.message };
    throw error;
  }
}

function moneyOf({ currency, rounding = "half-up" }: PricingInput): Money {
  const places = PLACES[currency];
  if (places === undefined) throw new RangeError(`${currency} is not among the currencies of the tests`);
  return { places, rounding, largest: BigInt(LARGEST_AMOUNTS[places] ?? 0) * 10n ** BigInt(places) };
}

function figuresOf(input: PricingInput, money: Money): Omit<PricingFigures, "trace"> {
  const { items } = input;
  const offered = items.map((line) => amountOf(line, money));
  const amounts = items.map((line, index) => (counts(line) ? (offered[index] ?? 0n) : 0n));
  const discount = minorOf(input.discountAmount ?? 0, money);
  const totals = taxed(input, amounts, discount, money);
  const { subtotal, tax, total, withheld } = totals;
  const cost = costOf(items, money);
  const major = (minor: bigint) => majorOf(minor, money);
  const net = subtotal - totals.discount;
  const recurring = recurringOf(input, amounts, money);
  const taxes = input.taxes?.map((rule, index) => ({
    id: rule.id,
    name: rule.name ?? rule.id,
    rate: rule.rate,
    kind: rule.kind ?? ("tax" as const),
    inclusive: rule.inclusive ?? false,
    on: rule.on ?? [],
    base: major(totals.taxes[index]?.base ?? 0n),
    amount: major(totals.taxes[index]?.amount ?? 0n),
  }));
  const withholds = input.taxes?.some(({ kind }) => kind === "withholding") === true;
  return {
    subtotal: major(subtotal),
    discount: major(totals.discount),
    tax: major(tax),
    total: major(total),
    ...(taxes === undefined ? {} : { taxes }),
    ...(withholds ? { withheld: major(withheld), payable: major(total - withheld) } : {}),
    ...depositOf(input, { total, payable: total - withheld }, money),
    items: linesOf(input, totals, { offered, amounts }, money),
    ...(recurring.length === 0 ? {} : { recurring }),
    ...(cost === null ? {} : { cost: major(cost), margin: major(net - cost) }),
    incompleteChoices: incompleteOf(items),
  };
}

function isItem({ kind = "item" }: PricingLine): boolean {
  return kind === "item";
}

function isOffered({ optional = false, choice }: PricingLine): boolean {
  return optional || choice !== undefined;
}

function counts(line: PricingLine): boolean {
  return isItem(line) && (line.selected === true || !isOffered(line));
}

function unitPriceOf({ unitPrice = 0, priceTiers = [], quantity = 0 }: PricingLine): number {
  const reached = priceTiers.filter(({ from }) => from <= quantity);
  return reached.at(-1)?.unitPrice ?? unitPrice;
}

/** quantity × price, rounded, less the line's own discount. */
function amountOf(line: PricingLine, money: Money): bigint {
  if (!isItem(line)) return 0n;
  const gross = productOf(line, unitPriceOf(line), money);
  const discount =
    line.discountRate === undefined
      ? minorOf(line.discountAmount ?? 0, money)
      : round(times(whole(gross), fraction(line.discountRate)), money.rounding);
  if (discount > gross) throw new BrokenRule("DISCOUNT_EXCEEDS_ITEM");
  return gross - discount;
}

function taxed(input: PricingInput, amounts: readonly bigint[], discount: bigint, money: Money): ExactTaxes {
  const sum = sumOf(amounts);
  within(sum, money);
  if (discount > sum) throw new BrokenRule("DISCOUNT_EXCEEDS_SUBTOTAL");
  const discounts = sharesOf(discount, amounts.map(whole));
  const rules = input.taxes ?? [{ id: "tax", rate: input.taxRate ?? 0 }];
  const all = rules.map(({ id }) => id);
  const lines = input.items.map((line, index): TaxedLine => {
    const taxes = input.taxes === undefined ? all : (line.taxes ?? all);
    const [amount = 0n, share = 0n] = [amounts[index], discounts[index]];
    return { taxes: isItem(line) ? taxes : [], left: amount - share, discount: share };
  });
  const totals = exactTaxes(lines, rules, money.rounding);
  within(totals.total, money);
  if (totals.withheld > totals.total) throw new BrokenRule("WITHHOLDING_EXCEEDS_TOTAL");
  return totals;
}

function linesOf(
  { items, taxes = [] }: PricingInput,
  { lines }: ExactTaxes,
  { offered, amounts }: { readonly offered: readonly bigint[]; readonly amounts: readonly bigint[] },
  money: Money,
): PricingLineFigures[] {
  const inclusive = taxes.filter((rule) => rule.inclusive === true).map(({ id }) => id);
  const major = (minor = 0n) => majorOf(minor, money);
  let section = 0n;
  return items.map((line, index): PricingLineFigures => {
    const { total = 0n, discount = 0n, tax = 0n } = lines[index] ?? {};
    if (isItem(line)) {
      section += total;
      const ofLine = line.taxes ?? inclusive;
      return {
        unitPrice: unitPriceOf(line),
        ...(ofLine.some((id) => inclusive.includes(id)) ? { gross: major(amounts[index]) } : {}),
        total: major(total),
        discount: major(discount),
        tax: major(tax),
        ...(isOffered(line) ? { offered: major(offered[index]) } : {}),
      };
    }
    const figures = line.kind === "subtotal" ? { total: major(section) } : {};
    if (line.kind === "subtotal" || line.kind === "heading") section = 0n;
    return figures;
  });
}

function recurringOf(input: PricingInput, amounts: readonly bigint[], money: Money) {
  const keys = input.items.map((line) =>
    line.recurring === undefined || line.recurring.cycles === 1 || !counts(line)
      ? null
      : JSON.stringify(line.recurring),
  );
  return [...new Set(keys)].flatMap((key) => {
    const recurring = input.items[keys.indexOf(key)]?.recurring;
    if (key === null || recurring === undefined) return [];
    const ofCycle = amounts.map((amount, index) => (keys[index] === key ? amount : 0n));
    const { subtotal, tax, total } = taxed(input, ofCycle, 0n, money);
    const figures = { subtotal, tax, total };
    return [{ ...recurring, ...mapValues(figures, (minor) => majorOf(minor, money)) }];
  });
}

function mapValues<K extends string>(amounts: Record<K, bigint>, map: (amount: bigint) => number): Record<K, number> {
  const entries = Object.entries<bigint>(amounts).map(([key, amount]) => [key, map(amount)]);
  return Object.fromEntries(entries);
}

function depositOf(
  { deposit = null }: PricingInput,
  { total, payable }: { readonly total: bigint; readonly payable: bigint },
  money: Money,
) {
  if (deposit === null) return {};
  const { rate } = deposit;
  const wanted =
    rate === undefined
      ? minorOf(deposit.amount ?? 0, money)
      : round(times(whole(total), fraction(rate)), money.rounding);
  return { minimumPaymentToConfirm: majorOf(wanted < payable ? wanted : payable, money) };
}

/** Null = no item has a unitCost. */
function costOf(items: readonly PricingLine[], money: Money): bigint | null {
  const known = items.filter((line) => isItem(line) && line.unitCost !== undefined);
  if (known.length === 0) return null;
  const costs = known.map((line) => {
    const cost = productOf(line, line.unitCost ?? 0, money);
    return counts(line) ? cost : 0n;
  });
  const cost = sumOf(costs);
  within(cost, money);
  return cost;
}

function incompleteOf(items: readonly PricingLine[]): string[] {
  return items.flatMap(({ kind, key, minimum = 1 }) => {
    const selected = items.filter((line) => line.choice === key && line.selected === true);
    return kind === "choice" && key !== undefined && selected.length < minimum ? [key] : [];
  });
}

/** The quantity of a line × an amount, in minor units, rounded. */
function productOf({ quantity = 0 }: PricingLine, amount: number, money: Money): bigint {
  const minorUnits = whole(10n ** BigInt(money.places));
  if (round(times(fraction(amount), minorUnits), "half-up") > money.largest) throw new BrokenRule("AMOUNT_TOO_LARGE");
  const product = times(times(fraction(quantity), fraction(amount)), minorUnits);
  const minor = round(product, money.rounding);
  within(minor, money);
  return minor;
}

/** An amount that has no more decimals than the currency. */
function minorOf(amount: number, { places }: Money): bigint {
  const { top, bottom } = times(fraction(amount), whole(10n ** BigInt(places)));
  return top / bottom;
}

/** The number that an amount is written as. */
function majorOf(minor: bigint, { places }: Money): number {
  const sign = minor < 0n ? "-" : "";
  const digits = String(minor < 0n ? -minor : minor).padStart(places + 1, "0");
  const point = digits.length - places;
  return Number(`${sign}${digits.slice(0, point)}.${digits.slice(point)}`);
}

function within(amount: bigint, { largest }: Money): void {
  if (amount > largest) throw new BrokenRule("AMOUNT_TOO_LARGE");
}
