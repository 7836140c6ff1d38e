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

function divide(amount: Minor, weights: Float64Array, sum: Minor, shares: Float64Array): void {
  const remainders = new Float64Array(weights.length);
  let left = amount;
  for (let index = 0; index < weights.length; index += 1) {
    const weight = numberAt(weights, index);
    const floor = floorOf(amount, weight, sum);
    shares[index] = floor;
    remainders[index] = remainderOf(amount, weight, sum, floor);
    left -= floor;
  }
  if (left === 0) return;
  const first = remainders.length - left;
  select(remainders, first);
  const threshold = numberAt(remainders, first);
  let atThreshold = 0; // remainders equal to the threshold that get a unit
  for (let index = first; index < remainders.length; index += 1) {
    if (numberAt(remainders, index) === threshold) atThreshold += 1;
  }
  for (let index = 0; index < weights.length; index += 1) {
    const floor = numberAt(shares, index);
    const remainder = remainderOf(amount, numberAt(weights, index), sum, floor);
    const isEqual = remainder === threshold;
    if (remainder > threshold || (isEqual && atThreshold > 0)) shares[index] = floor + 1;
    if (isEqual) atThreshold -= 1;
  }
}

/**
 * Quickselect: reorders the numbers so that the one at `target` is where sorting would put it, with no larger number
 * before it and no smaller one after it.
 */
function select(numbers: Float64Array, target: number): void {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const pivot = numberAt(numbers, (low + high) >> 1);
    let left = low;
    let right = high;
    while (left <= right) {
      while (numberAt(numbers, left) < pivot) left += 1;
      while (numberAt(numbers, right) > pivot) right -= 1;
      if (left > right) break;
      const swapped = numberAt(numbers, left);
      numbers[left] = numberAt(numbers, right);
      numbers[right] = swapped;
      left += 1;
      right -= 1;
    }
    if (target <= right) high = right;
    else if (target >= left) low = left;
    else break;
  }
}
