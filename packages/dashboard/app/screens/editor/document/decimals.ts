/** How a language writes the decimals of a number. */
export type DecimalMark = "." | ",";

const PLAIN = /^\d+(\.\d+)?$/;

/** The mark between the whole and the decimals in a language. */
export function decimalMarkOf(locale: string): DecimalMark {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === "decimal")?.value === "," ? "," : ".";
}

/** How many decimals amounts of a currency have; 2 of a code that is still being typed. */
export function minorDigitsOf(currency: string): number {
  try {
    const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", {
      style: "currency",
      currency,
    }).resolvedOptions();
    return maximumFractionDigits;
  } catch {
    return 2;
  }
}

/** A number as the document keeps it: digits with a point, such as `1480000.5`. */
export function isDecimal(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * What somebody typed or pasted as a plain decimal; null = it is none. The mark of the language divides the decimals and
 * the other one groups of thousands, unless it stands where no group ends: `1.5` is one and a half in Spanish too.
 */
export function readDecimal(typed: string, mark: DecimalMark): string | null {
  const text = typed.replace(/[\s'’]/g, "");
  const other = mark === "," ? "." : ",";
  if (!/^[\d.,]*\d[\d.,]*$/.test(text)) return null;
  const pieces = text.split(mark);
  const [whole = "", decimals = ""] = pieces;
  if (pieces.length > 2 || decimals.includes(other)) return null;
  if (!whole.includes(other)) return joined(whole, decimals);
  const groups = whole.split(other);
  if (areGroups(groups)) return joined(groups.join(""), decimals);
  return groups.length === 2 && pieces.length === 1 ? joined(groups[0] ?? "", groups[1] ?? "") : null;
}

/** As the language writes it, with groups where asked for; a text that is no decimal stays as it is. */
export function writeDecimal(value: string, mark: DecimalMark, isGrouped = false, fewestDecimals = 0): string {
  if (!isDecimal(value)) return value;
  const [whole = "", decimals = ""] = value.split(".");
  const shown = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, mark === "," ? "." : ",") : whole;
  const padded = decimals.padEnd(fewestDecimals, "0");
  return padded === "" ? shown : `${shown}${mark}${padded}`;
}

/** Moves the point by so many places, exactly: `10.5` by -2 is `0.105`. */
export function shiftPoint(value: string, places: number): string {
  const [whole = "", decimals = ""] = value.split(".");
  const digits = `${whole}${decimals}`;
  const point = whole.length + places;
  if (point <= 0) return joined("0", `${"0".repeat(-point)}${digits}`);
  return joined(digits.slice(0, point).padEnd(point, "0"), digits.slice(point));
}

/** A number of the service as a plain decimal. */
export function decimalOf(value: number): string {
  const text = String(value);
  return text.includes("e") ? shortened(value.toFixed(12)) : text;
}

export function decimalsOf(value: string): number {
  return value.split(".")[1]?.length ?? 0;
}

function areGroups(groups: readonly string[]): boolean {
  const [first = "", ...rest] = groups;
  return first.length >= 1 && first.length <= 3 && rest.every((group) => group.length === 3);
}

function joined(whole: string, decimals: string): string {
  const plain = whole.replace(/^0+(?=\d)/, "") || "0";
  return decimals === "" ? plain : shortened(`${plain}.${decimals}`);
}

function shortened(text: string): string {
  return text.replace(/\.?0+$/, "");
}
