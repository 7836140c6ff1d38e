import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { useRecurrence } from "../lines/use-recurrence.js";
import type { ValueChange } from "./readable-difference.js";

type Value = ValueChange["before"];

const MONEY: ReadonlySet<string> = new Set(["unitPrice", "discountAmount"]);
const RATES: ReadonlySet<string> = new Set(["taxRate", "discountRate"]);
const MAX_TEXT = 300;

/** A value of a line or a field as a text that people read. */
export function useValueText(currency: string): (field: string, value: Value) => string {
  const { common, budget } = useWords();
  const formats = useFormats();
  const recurrence = useRecurrence();
  const money = (amount: number) => formats.moneyText(amount, currency);

  const objectText = (field: string, value: object): string => {
    const { rate, amount, minimum, maximum, step, interval, intervalCount, cycles }: Readonly<Record<string, unknown>> =
      {
        ...value,
      };
    if (field === "deposit" && typeof rate === "number") return formats.percent(rate);
    if (field === "deposit" && typeof amount === "number") return money(amount);
    if (typeof minimum === "number" && typeof maximum === "number" && typeof step === "number") {
      return budget.lines.range(formats.number(minimum), formats.number(maximum), formats.number(step));
    }
    if ((interval === "week" || interval === "month" || interval === "year") && typeof intervalCount === "number") {
      return recurrence({ interval, intervalCount, cycles: typeof cycles === "number" ? cycles : null });
    }
    return JSON.stringify(value);
  };

  return (field, value) => {
    if (value === null || value === "") return budget.versions.none;
    if (typeof value === "boolean") return value ? common.yes : common.no;
    if (typeof value === "number") {
      return MONEY.has(field) ? money(value) : RATES.has(field) ? formats.percent(value) : formats.number(value);
    }
    if (typeof value === "string") return field === "validUntil" ? formats.date(value) : shortened(value);
    if (!Array.isArray(value)) return objectText(field, value);
    if (field === "priceTiers") {
      return value
        .map(Object)
        .map(({ from, unitPrice }) => budget.lines.tier(formats.number(Number(from)), money(Number(unitPrice))))
        .join(", ");
    }
    return value.map(String).join(", ") || budget.versions.none;
  };
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
