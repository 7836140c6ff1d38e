/**
 * Exact decimals. A JSON number arrives as a double. It is read as the shortest decimal that identifies that double
 * (what `String(value)` prints): 0.1 means one tenth, and nothing is computed in binary fractions.
 */

/** An exact decimal: `digits / 10^scale`. `digits` is a bigint only where a safe integer cannot hold it. */
export interface Decimal {
  readonly digits: number | bigint;
  readonly scale: number;
}

/** How a value halfway between two units is rounded. `half-up` rounds away from zero. */
export type Rounding = "half-up" | "half-even";

/** Below this number different decimals are different doubles, so that a comparison of doubles is exact. */
const EXACT_DIGITS = 1e15;

/** Reads a finite number as an exact decimal. Throws a RangeError for NaN and infinities. */
export function decimalOf(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { digits: value, scale: 0 };
  const hundredths = hundredthsOf(value);
  return Number.isNaN(hundredths) ? parseDecimal(String(value)) : { digits: hundredths, scale: 2 };
}

/** A value of at most two decimals as a count of hundredths; NaN for any other. */
function hundredthsOf(value: number): number {
  const hundredths = Math.floor(value * 100 + 0.5); // twice as fast as Math.round; the comparison below decides
  return Math.abs(hundredths) < EXACT_DIGITS && hundredths / 100 === value ? hundredths : Number.NaN;
}

const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

function parseDecimal(text: string): Decimal {
  const match = DECIMAL_TEXT.exec(text);
  if (match === null) throw new RangeError(`not a finite number: ${text}`);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(sign + whole + fraction);
  return scale < 0 ? { digits: narrow(digits * tenTo(-scale)), scale: 0 } : { digits: narrow(digits), scale };
}

/** Plain notation of a decimal that is not negative, with all its places: 2350 at scale 2 is "23.50". */
export function decimalText({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits);
  const padded = String(digits).padStart(scale + 1, "0");
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** The number of decimals of the shortest decimal that identifies `value`. */
export function decimalPlaces(value: number): number {
  const { digits, scale } = decimalOf(value);
  let rest = BigInt(digits);
  let places = scale;
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n;
    places -= 1;
  }
  return places;
}

/** The exact product of two decimals. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: multiplyExact(a.digits, b.digits), scale: a.scale + b.scale };
}

/** The exact sum of two decimals. */
export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: narrow(BigInt(digitsAt(a, scale)) + BigInt(digitsAt(b, scale))), scale };
}

function digitsAt({ digits, scale }: Decimal, places: number): number | bigint {
  return multiplyExact(digits, powerOfTen(places - scale));
}

/**
 * The part of a whole amount that was added to it by a rate: `amount × rate ÷ (1 + rate)`, rounded to a whole number. Of 121
 * at 0.21 that is 21.
 */
export function containedPart(amount: number, rate: Decimal, rounding: Rounding): number {
  const one = powerOfTen(rate.scale);
  const whole = narrow(BigInt(one) + BigInt(rate.digits));
  return Number(divideRounded(multiplyExact(amount, rate.digits), whole, rounding));
}

/** Rounds to `places` decimals. The result counts units of the last place (cents, for example). */
export function roundTo(value: Decimal, places: number, rounding: Rounding): number | bigint {
  if (value.scale <= places) return multiplyExact(value.digits, powerOfTen(places - value.scale));
  return divideRounded(value.digits, powerOfTen(value.scale - places), rounding);
}

/**
 * {@link roundTo} of the exact product `a × b` as a double, for `a` and `b` that are not negative and at most four places.
 * It is exact up to 2^53. For numbers of at most two decimals, as most prices and quantities are, nothing is allocated.
 */
export function roundProduct(a: number, b: number, places: number, rounding: Rounding): number {
  const hundredthsOfA = a * 100 + WHOLE - WHOLE; // rounded; five times as fast as Math.round, here where time counts
  const hundredthsOfB = b * 100 + WHOLE - WHOLE;
  const product = hundredthsOfA * hundredthsOfB;
  if (product <= MAX_QUICK_PRODUCT && hundredthsOfA / 100 === a && hundredthsOfB / 100 === b) {
    return divideQuickly(product, Number(POWERS_OF_TEN[4 - places]), rounding);
  }
  return Number(roundTo(multiply(decimalOf(a), decimalOf(b)), places, rounding));
}

/** Doubles from here on have no fraction, so that to add it rounds a smaller number to a whole one. */
const WHOLE = 2 ** 52;

/**
 * With a numerator up to this and a denominator of 1 to 10,000, quotient + 0.5 is off by less than half of
 * 1 / denominator, and exact where the fraction is a half. Its whole part is therefore the quotient rounded half up.
 */
const MAX_QUICK_PRODUCT = EXACT_DIGITS;

function divideQuickly(numerator: number, denominator: number, rounding: Rounding): number {
  if (rounding === "half-even") return divideMagnitude(numerator, denominator, rounding);
  return Math.floor(numerator / denominator + 0.5);
}

/** `numerator / denominator`, rounded to an integer. `denominator` is positive. */
export function divideRounded(
  numerator: number | bigint,
  denominator: number | bigint,
  rounding: Rounding,
): number | bigint {
  if (typeof numerator === "number" && typeof denominator === "number") {
    const magnitude = divideMagnitude(Math.abs(numerator), denominator, rounding);
    return numerator < 0 ? 0 - magnitude : magnitude;
  }
  const top = BigInt(numerator);
  const bottom = BigInt(denominator);
  const quotient = top / bottom;
  const rest = top % bottom;
  const twice = 2n * (rest < 0n ? -rest : rest);
  if (twice < bottom) return narrow(quotient);
  if (twice === bottom && rounding === "half-even" && quotient % 2n === 0n) return narrow(quotient);
  return narrow(quotient + (top < 0n ? -1n : 1n));
}

function divideMagnitude(numerator: number, denominator: number, rounding: Rounding): number {
  const quotient = wholeQuotient(numerator, denominator);
  const twice = (numerator - quotient * denominator) * 2;
  if (twice < denominator) return quotient;
  if (twice === denominator && rounding === "half-even" && quotient % 2 === 0) return quotient;
  return quotient + 1;
}

/**
 * The whole part of a quotient of safe integers that are not negative. The division may round, but never up to the next
 * whole number, which is at least `1 / denominator` away. It is many times as fast as the remainder operator.
 */
export function wholeQuotient(numerator: number, denominator: number): number {
  return Math.floor(numerator / denominator);
}

/** The exact product of two integers: a number where that is a safe integer, else a bigint. */
function multiplyExact(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product;
  }
  return narrow(BigInt(a) * BigInt(b));
}

const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

function powerOfTen(exponent: number): number | bigint {
  return POWERS_OF_TEN[exponent] ?? tenTo(exponent);
}

function tenTo(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function narrow(value: bigint): number | bigint {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}
