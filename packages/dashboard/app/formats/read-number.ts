export type DecimalSign = "," | ".";

const LONGEST = 40;
const CURRENCY = /^(-?)\s*(?:[A-Z]{2,3}\s?|R)?[$€£¥]?\s*/i;

/**
 * The number that a person wrote: `1.250,50`, `1,250.50`, `$ 1250`. The sign decides where both readings are possible:
 * `1.250`. Null = not a number.
 */
export function readNumber(text: string, decimal: DecimalSign): number | null {
  if (text.length > LONGEST) return null;
  const compact = text.trim().replace(CURRENCY, "$1").replace(/[\s']/g, "");
  return readBy(compact, decimal) ?? readBy(compact, decimal === "," ? "." : ",");
}

function readBy(text: string, decimal: DecimalSign): number | null {
  const group = decimal === "," ? "." : ",";
  const pattern = new RegExp(`^[-+]?(?:\\d+|[1-9]\\d{0,2}(?:\\${group}\\d{3})+)(?:\\${decimal}\\d+)?$`);
  return pattern.test(text) ? Number(text.replaceAll(group, "").replace(decimal, ".")) : null;
}

/** What the numbers of a column have before their decimals; the fallback where each could be read both ways. */
export function decimalSignOf(texts: Iterable<string>, fallback: DecimalSign): DecimalSign {
  let comma = 0;
  let point = 0;
  for (const text of texts) {
    const sign = signIn(text.slice(0, LONGEST));
    if (sign === ",") comma += 1;
    if (sign === ".") point += 1;
  }
  return comma === point ? fallback : comma > point ? "," : ".";
}

/** Null = the text does not show it. */
function signIn(text: string): DecimalSign | null {
  const signs = text.replace(/[^.,]/g, "");
  const last = signs.at(-1);
  if (last !== "," && last !== ".") return null;
  const other = last === "," ? "." : ",";
  if (signs.includes(other)) return last;
  if (signs.length > 1) return other;
  return /[.,]\d{3}$/.test(text.trim()) && !/^\D*0[.,]/.test(text) ? null : last;
}

/** The sign that people of the language write. */
export function decimalSignOfLocale(locale: string): DecimalSign {
  return new Intl.NumberFormat(locale).format(1.5).includes(",") ? "," : ".";
}

/** A number for a field, without groups. */
export function numberText(value: number | null | undefined, decimal: DecimalSign): string {
  return value === null || value === undefined ? "" : String(value).replace(".", decimal);
}
