import { drawInteger, drawOne, seededRandom } from "@budgetkit/testing";
import type { PricingInput, PricingLine, PricingTax } from "../pricing/pricing-shapes.js";
import { exactPrices } from "./exact-prices.js";

/** What a budget is drawn with. */
interface Draw {
  below(limit: number): number;
  one<T>(entries: readonly T[]): T;
  /** True in so many of 100 cases. */
  percent(chance: number): boolean;
}

type Line = { -readonly [Field in keyof PricingLine]: PricingLine[Field] };

const PLACES = { JPY: 0, EUR: 2, BHD: 3, CLF: 4 } as const;
const RATES = [0, 0.01, 0.05, 0.09975, 0.105, 0.15, 0.19, 0.2, 0.21, 1 / 3, 1];
const RECURRENCES = [
  { interval: "month", intervalCount: 1, cycles: null },
  { interval: "month", intervalCount: 1, cycles: 12 },
  { interval: "year", intervalCount: 1, cycles: 3 },
  { interval: "week", intervalCount: 2, cycles: 1 },
] as const;

/** A budget with any of the features of prices. The same seed draws the same one. */
export function drawBudget(seed: number): PricingInput {
  const random = seededRandom(seed);
  const draw: Draw = {
    below: (limit) => drawInteger(random, limit),
    one: (entries) => drawOne(random, entries),
    percent: (chance) => drawInteger(random, 100) < chance,
  };
  const currency = draw.one(["JPY", "EUR", "BHD", "CLF"] as const);
  const taxation = draw.percent(20) ? { taxRate: rate(draw) } : { taxes: taxesOf(draw) };
  const ids = (taxation.taxes ?? []).map(({ id }) => id);
  const input: PricingInput = {
    currency,
    rounding: draw.one(["half-up", "half-even"] as const),
    items: linesOf(draw, ids, PLACES[currency]),
    ...taxation,
    ...(draw.percent(50) ? {} : { deposit: depositOf(draw, PLACES[currency]) }),
  };
  return draw.percent(40) ? input : { ...input, discountAmount: discountOf(draw, input) };
}

function rate(draw: Draw): number {
  return draw.percent(60) ? draw.one(RATES) : draw.below(10_001) / 10_000;
}

/** Taxes in any order. One is on others that may come after it. */
function taxesOf(draw: Draw): PricingTax[] {
  const taxes: PricingTax[] = [];
  const count = draw.below(draw.percent(20) ? 9 : 4);
  for (let index = 0; index < count; index += 1) {
    const kind = draw.percent(15) ? "withholding" : "tax";
    const inclusive = kind === "tax" && draw.percent(45);
    const bases = taxes.filter((each) => each.kind !== "withholding" && (!inclusive || each.inclusive === true));
    const on = bases.filter(() => draw.percent(30)).map(({ id }) => id);
    taxes.push({ id: `t${index}`, rate: rate(draw), kind, inclusive, ...(on.length === 0 ? {} : { on }) });
  }
  return shuffled(draw, taxes);
}

function shuffled<T>(draw: Draw, entries: readonly T[]): T[] {
  const shuffled: T[] = [];
  for (const entry of entries) shuffled.splice(draw.below(shuffled.length + 1), 0, entry);
  return shuffled;
}

function linesOf(draw: Draw, taxes: readonly string[], places: number): PricingLine[] {
  const lines: PricingLine[] = [];
  const count = 1 + draw.below(10);
  for (let index = 0; index < count; index += 1) {
    const line = itemOf(draw, taxes, places);
    if (draw.percent(20)) Object.assign(line, { optional: true, selected: draw.percent(60) });
    lines.push(line);
    if (draw.percent(15)) lines.push({ kind: draw.one(["heading", "text", "subtotal"] as const) });
    if (draw.percent(10)) lines.push(...choiceOf(draw, `choice-${index}`, taxes, places));
  }
  return shuffled(draw, lines);
}

/** A choice with its options. At most its maximum of them are selected. */
function choiceOf(draw: Draw, key: string, taxes: readonly string[], places: number): PricingLine[] {
  const options = 1 + draw.below(4);
  const maximum = 1 + draw.below(3);
  const minimum = draw.below(Math.min(maximum, options) + 1);
  let selected = draw.below(maximum + 1);
  const lines = Array.from({ length: options }, () => {
    selected -= 1;
    return { ...itemOf(draw, taxes, places), choice: key, selected: selected >= 0 };
  });
  return [{ kind: "choice", key, minimum, maximum }, ...lines];
}

function itemOf(draw: Draw, taxes: readonly string[], places: number): Line {
  const line: Line = { quantity: draw.percent(30) ? 1 : (1 + draw.below(20_000)) / 10 ** draw.below(5) };
  line.unitPrice = priceOf(draw);
  if (draw.percent(15)) {
    const [minimum, step, steps] = [1 + draw.below(30), draw.one([0.1, 0.25, 0.5, 1, 3]), draw.below(40)];
    line.quantity = Number((minimum + step * draw.below(steps + 1)).toFixed(2));
    line.quantityRange = { minimum, maximum: Number((minimum + step * steps).toFixed(2)), step };
  }
  if (draw.percent(20)) {
    let from = draw.below(4);
    const next = () => {
      from += 1 + draw.below(40) / 4;
      return { from, unitPrice: priceOf(draw) };
    };
    line.priceTiers = Array.from({ length: 1 + draw.below(4) }, next);
  }
  if (draw.percent(15)) line.discountRate = rate(draw);
  else if (draw.percent(5)) line.discountAmount = draw.below(100) / 10 ** places;
  if (taxes.length > 0 && draw.percent(40)) line.taxes = taxes.filter(() => draw.percent(60));
  if (draw.percent(20)) line.recurring = draw.one(RECURRENCES);
  if (draw.percent(20)) line.unitCost = priceOf(draw);
  return line;
}

function priceOf(draw: Draw): number {
  if (draw.percent(5)) return 0;
  const digits = draw.percent(5) ? 10 ** 12 : 10 ** (2 + draw.below(6)); // a few are beyond what a double multiplies exactly
  return draw.below(digits) / 10 ** draw.below(7);
}

/** Of the whole amount, of a part of it, or a few minor units. */
function discountOf(draw: Draw, input: PricingInput): number {
  const items = input.items.map(({ taxes: _, ...line }) => line);
  const { currency, rounding } = input;
  const amount = exactPrices({ currency, rounding, items }).figures?.subtotal ?? 0;
  if (draw.percent(10)) return amount;
  const places = PLACES[currency as keyof typeof PLACES];
  const part = draw.percent(30) ? draw.below(30) / 10 ** places : (amount * draw.below(1_000)) / 1_000;
  return Math.min(amount, Number(part.toFixed(places)));
}

function depositOf(draw: Draw, places: number) {
  return draw.percent(60) ? { rate: rate(draw) } : { amount: draw.below(100_000) / 10 ** places };
}
