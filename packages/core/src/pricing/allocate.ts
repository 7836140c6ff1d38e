import { numberAt } from "../kernel/arrays.js";
import { wholeQuotient } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";

/**
 * Divides `amount` in proportion to the weights in `parts`, which it replaces by the shares. The shares sum to the amount
 * exactly, by largest remainder: each is rounded down, and the remaining units go one each to the largest remainders, the
 * earlier first among equals. If all weights are 0, the share at `first` gets everything; otherwise a weight of 0 gets
 * nothing. All numbers are whole and not negative; `sum` is that of the weights.
 */
export function allocate(amount: Minor, parts: Float64Array, sum: Minor, first = 0): void {
  if (amount > 0 && sum > 0) {
    divide(amount, parts, sum);
  } else {
    parts.fill(0);
    parts[first] = amount;
  }
}

/** A share before the remaining units: `amount × weight / sum`, rounded down. */
export function floorOf(amount: Minor, weight: Minor, sum: Minor): Minor {
  const product = amount * weight;
  if (product <= Number.MAX_SAFE_INTEGER) return wholeQuotient(product, sum);
  return Number((BigInt(amount) * BigInt(weight)) / BigInt(sum));
}

/** The fraction that {@link floorOf} cuts off, in parts of `sum`. */
export function remainderOf(amount: Minor, weight: Minor, sum: Minor, floor: Minor): number {
  const product = amount * weight;
  if (product <= Number.MAX_SAFE_INTEGER) return product - floor * sum;
  return Number(BigInt(amount) * BigInt(weight) - BigInt(floor) * BigInt(sum));
}

/** Remainders fall into this many buckets, by their size. */
const BUCKETS = 256;

/** Reused by every call: to allocate it takes as long as to divide. No call runs during another. */
const scratch = {
  remainders: new Float64Array(),
  bucketSizes: new Int32Array(BUCKETS + 1), // rounding may reach the last one
};

function divide(amount: Minor, parts: Float64Array, sum: Minor): void {
  if (scratch.remainders.length < parts.length) scratch.remainders = new Float64Array(parts.length);
  scratch.bucketSizes.fill(0);
  const round = amount * sum <= Number.MAX_SAFE_INTEGER ? roundQuickly : roundExactly;
  const left = amount - round(amount, parts, sum);
  if (left > 0) addRemainingUnits(left, parts, sum);
}

/** Replaces the weights by the shares, rounded down, where no product is beyond 2^53. Returns the sum of the shares. */
function roundQuickly(amount: Minor, parts: Float64Array, sum: Minor): Minor {
  const { remainders, bucketSizes } = scratch;
  const perUnit = BUCKETS / sum;
  let rounded = 0;
  for (let index = 0; index < parts.length; index += 1) {
    const product = amount * numberAt(parts, index);
    const floor = wholeQuotient(product, sum);
    const remainder = product - floor * sum;
    const bucket = (remainder * perUnit) | 0;
    parts[index] = floor;
    remainders[index] = remainder;
    bucketSizes[bucket] = sizeOf(bucketSizes, bucket) + 1;
    rounded += floor;
  }
  return rounded;
}

/** {@link roundQuickly} for any products. */
function roundExactly(amount: Minor, parts: Float64Array, sum: Minor): Minor {
  const { remainders, bucketSizes } = scratch;
  const perUnit = BUCKETS / sum;
  let rounded = 0;
  for (let index = 0; index < parts.length; index += 1) {
    const weight = numberAt(parts, index);
    const floor = floorOf(amount, weight, sum);
    const remainder = remainderOf(amount, weight, sum, floor);
    const bucket = (remainder * perUnit) | 0;
    parts[index] = floor;
    remainders[index] = remainder;
    bucketSizes[bucket] = sizeOf(bucketSizes, bucket) + 1;
    rounded += floor;
  }
  return rounded;
}

/** Adds one unit to each of the `left` largest remainders, the earlier first among equals. */
function addRemainingUnits(left: number, shares: Float64Array, sum: Minor): void {
  const { remainders, bucketSizes } = scratch;
  const perUnit = BUCKETS / sum;
  let lastBucket = BUCKETS;
  let missing = left;
  while (sizeOf(bucketSizes, lastBucket) < missing) {
    missing -= sizeOf(bucketSizes, lastBucket);
    lastBucket -= 1;
  }
  const inLastBucket: number[] = [];
  for (let index = 0; index < shares.length; index += 1) {
    const bucket = (numberAt(remainders, index) * perUnit) | 0;
    shares[index] = numberAt(shares, index) + Number(bucket > lastBucket);
    if (bucket === lastBucket) inLastBucket.push(index);
  }
  inLastBucket.sort((a, b) => numberAt(remainders, b) - numberAt(remainders, a)); // stable
  for (const index of inLastBucket.slice(0, missing)) shares[index] = numberAt(shares, index) + 1;
}

function sizeOf(bucketSizes: Int32Array, bucket: number): number {
  return Number(bucketSizes[bucket]);
}
