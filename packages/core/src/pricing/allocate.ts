import { numberAt } from "../kernel/arrays.js";
import { wholeQuotient } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";

/** A finished allocation, for the trace. `weights` and `shares` have the same indexes. */
export interface Allocation {
  readonly weights: Float64Array;
  readonly sum: Minor; // of the weights; 0 = the first share gets everything
  readonly shares: Float64Array;
}

/**
 * Divides `amount` in proportion to `weights` by largest remainder, so that the shares sum to it exactly: each share is
 * rounded down, and the remaining units go one each to the largest remainders, the earlier first among equals.
 * If all weights are 0, the first share gets everything. All numbers are whole and not negative.
 * `onAllocated` receives the allocation, except of the amount 0.
 */
export function allocate(
  amount: Minor,
  weights: Float64Array,
  onAllocated: ((allocation: Allocation) => void) | null = null,
): Float64Array {
  const shares = new Float64Array(weights.length);
  if (amount === 0) return shares;
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1) sum += numberAt(weights, index);
  if (sum === 0) shares[0] = amount;
  else divide(amount, weights, sum, shares);
  onAllocated?.({ weights, sum, shares });
  return shares;
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

/** How many of the largest remainders equal the smallest of them. */
interface Smallest {
  readonly smallest: number;
  readonly equals: number;
}

/** Reused by every call: to allocate them takes as long as to divide. No call runs during another. */
let remainders = new Float64Array();
let bucketSizes = new Int32Array();

function divide(amount: Minor, weights: Float64Array, sum: Minor, shares: Float64Array): void {
  if (weights.length > remainders.length) {
    remainders = new Float64Array(weights.length);
    bucketSizes = new Int32Array(weights.length + 1);
  }
  let left = amount;
  for (let index = 0; index < weights.length; index += 1) {
    const weight = numberAt(weights, index);
    const product = amount * weight;
    const isSafe = product <= Number.MAX_SAFE_INTEGER;
    const floor = isSafe ? wholeQuotient(product, sum) : floorOf(amount, weight, sum);
    shares[index] = floor;
    remainders[index] = isSafe ? product - floor * sum : remainderOf(amount, weight, sum, floor);
    left -= floor;
  }
  if (left > 0) addRemainingUnits(left, sum, shares);
}

/** Adds one unit to each of the `left` largest remainders, the earlier first among equals. */
function addRemainingUnits(left: number, sum: Minor, shares: Float64Array): void {
  const { smallest, equals } = smallestOfLargest(left, shares.length, sum);
  let equalsLeft = equals;
  for (let index = 0; index < shares.length; index += 1) {
    const remainder = numberAt(remainders, index);
    if (remainder === smallest) equalsLeft -= 1;
    const isLarge = remainder > smallest || (remainder === smallest && equalsLeft >= 0);
    shares[index] = numberAt(shares, index) + Number(isLarge);
  }
}

/**
 * The smallest of the `left` largest of `count` remainders, and how many of those equal it. A bucket sort that sorts only
 * the bucket that holds it. All remainders are below `sum`.
 */
function smallestOfLargest(left: number, count: number, sum: Minor): Smallest {
  const perUnit = count / sum;
  bucketSizes.fill(0, 0, count + 1);
  for (let index = 0; index < count; index += 1) {
    const bucket = (numberAt(remainders, index) * perUnit) | 0; // an integer to V8, other than by Math.floor
    bucketSizes[bucket] = sizeOf(bucket) + 1;
  }
  let bucket = count; // rounding may reach it
  let missing = left;
  while (sizeOf(bucket) < missing) {
    missing -= sizeOf(bucket);
    bucket -= 1;
  }
  const members = membersOf(bucket, perUnit);
  const first = members.length - missing;
  const smallest = numberAt(members, first);
  let equals = 1;
  while (first + equals < members.length && numberAt(members, first + equals) === smallest) equals += 1;
  return { smallest, equals };
}

/** The remainders in a bucket, the smallest first. */
function membersOf(bucket: number, perUnit: number): Float64Array {
  const members = new Float64Array(sizeOf(bucket));
  let found = 0;
  for (let index = 0; found < members.length; index += 1) {
    const remainder = numberAt(remainders, index);
    if (((remainder * perUnit) | 0) !== bucket) continue;
    members[found] = remainder;
    found += 1;
  }
  return found === 1 ? members : members.sort();
}

function sizeOf(bucket: number): number {
  return Number(bucketSizes[bucket]);
}
