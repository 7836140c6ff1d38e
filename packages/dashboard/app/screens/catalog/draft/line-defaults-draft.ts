import type { PriceTier, Recurrence } from "@budgetkit/client";
import { type DecimalSign, numberText } from "../../../formats/read-number.js";
import type { DraftReader } from "./draft-reader.js";

export interface TierDraft {
  readonly key: string;
  readonly from: string;
  readonly unitPrice: string;
}

export interface PricesDraft {
  readonly unitCost: string;
  readonly tiers: readonly TierDraft[];
}

/** What a product or package brings to the lines that name it. */
export interface DefaultsDraft extends PricesDraft {
  readonly unit: string;
  readonly taxes: readonly string[] | null; // null = those of the budget, empty = exempt
  readonly interval: Recurrence["interval"] | "once";
  readonly intervalCount: string;
  readonly cycles: string; // empty = until ended
}

export const EMPTY_PRICES: PricesDraft = { unitCost: "", tiers: [] };
export const EMPTY_DEFAULTS: DefaultsDraft = {
  ...EMPTY_PRICES,
  unit: "",
  taxes: null,
  interval: "once",
  intervalCount: "1",
  cycles: "",
};

interface Prices {
  readonly unitCost?: number;
  readonly priceTiers?: readonly PriceTier[];
}

interface Defaults extends Prices {
  readonly unit?: string;
  readonly taxes?: readonly string[];
  readonly recurring?: { readonly interval: Recurrence["interval"]; intervalCount: number; cycles: number | null };
}

export function pricesDraftOf({ unitCost, priceTiers = [] }: Prices, decimal: DecimalSign): PricesDraft {
  const tiers = priceTiers.map(({ from, unitPrice }) => ({
    key: newKey(),
    from: numberText(from, decimal),
    unitPrice: numberText(unitPrice, decimal),
  }));
  return { unitCost: numberText(unitCost, decimal), tiers };
}

export function defaultsDraftOf(record: Defaults, decimal: DecimalSign): DefaultsDraft {
  const { unit = "", taxes = null, recurring } = record;
  return {
    ...pricesDraftOf(record, decimal),
    unit,
    taxes,
    interval: recurring?.interval ?? "once",
    intervalCount: String(recurring?.intervalCount ?? 1),
    cycles: String(recurring?.cycles ?? ""),
  };
}

/** `path` is that of the product or variant, with a dot at its end. */
export function readPrices(reader: DraftReader, { unitCost, tiers }: PricesDraft, path = "") {
  const priceTiers = tiers.map((tier, index) => ({
    from: reader.neededNumber(`${path}priceTiers[${index}].from`, tier.from),
    unitPrice: reader.neededNumber(`${path}priceTiers[${index}].unitPrice`, tier.unitPrice),
  }));
  return {
    unitCost: reader.number(`${path}unitCost`, unitCost),
    priceTiers: priceTiers.length === 0 ? null : priceTiers,
  };
}

export function readDefaults(reader: DraftReader, draft: DefaultsDraft) {
  const { unit, taxes, interval, intervalCount, cycles } = draft;
  const recurring =
    interval === "once"
      ? null
      : {
          interval,
          intervalCount: reader.whole("recurring.intervalCount", intervalCount) ?? 1,
          cycles: reader.whole("recurring.cycles", cycles),
        };
  return { ...readPrices(reader, draft), unit: unit.trim() || null, taxes, recurring };
}

let keys = 0;

/** Rows of a form have no id of their own. */
export function newKey(): string {
  keys += 1;
  return `row${keys}`;
}
