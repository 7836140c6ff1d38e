import { numberAt } from "../kernel/at.js";
import { wholeQuotient } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";

/** How an amount was divided, for whoever follows it by hand. Share and weight run side by side. */
export interface Spreading {
  readonly weights: Float64Array;
  readonly sum: Minor; // of the weights; 0 = the first share takes everything
  readonly shares: Float64Array;
}

/**
 * Divides `amount` in proportion to `weights` so that the shares sum to it exactly (largest remainder): each share is
 * rounded down, and the units left over go one each to the largest remainders, the earlier first among equals.
 * With no weight at all the first share takes everything. All numbers are whole and not negative.
 * `tell` hears how, unless there is nothing to divide.
 */
export function spread(
  amount: Minor,
  weights: Float64Array,
  tell: ((spreading: Spreading) => void) | null = null,
): Float64Array {
  const shares = new Float64Array(weights.length);
  if (amount === 0) return shares;
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1) sum += numberAt(weights, index);
  if (sum === 0) shares[0] = amount;
  else divide(amount, weights, sum, shares);
  tell?.({ weights, sum, shares });
  return shares;
}

/** A share before what is left over is handed out: `amount × weight / sum`, rounded down. */
export function floorOf(amount: Minor, weight: Minor, sum: Minor): Minor {
  const product = amount * weight;
  if (product <= Number.MAX_SAFE_INTEGER) return wholeQuotient(product, sum);
  return Number((BigInt(amount) * BigInt(weight)) / BigInt(sum));
}

/** What that cuts off, in parts of `sum`. */
export function remainderOf(amount: Minor, weight: Minor, sum: Minor, floor: Minor): number {
  const product = amount * weight;
  if (product <= Number.MAX_SAFE_INTEGER) return product - floor * sum;
  return Number(BigInt(amount) * BigInt(weight) - BigInt(floor) * BigInt(sum));
}

/** Rounds each share down, and gives the units left over to those with the largest remainders, one each. */
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
  let atThreshold = 0; // how many of those that equal it get one
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
 * Orders numbers so far that the one at `target` is where sorting would put it, with none larger before it and none
 * smaller behind (quickselect): each round goes on with the side of the pivot that `target` is on.
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
