import { numberAt } from "../kernel/at.js";
import { wholeQuotient } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";

/** How an amount is divided, for whoever follows it by hand. The lists run beside the weights. */
export interface Spreading {
  readonly weights: Float64Array;
  readonly sum: Minor; // of the weights; 0 = the first share takes everything
  readonly floors: Float64Array; // amount × weight / sum, rounded down
  readonly remainders: Float64Array; // what that cut off, in parts of `sum`
  readonly shares: Float64Array; // the floors with the units that were left over
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
  const remainders = new Float64Array(weights.length);
  let left = amount;
  if (sum > 0) {
    for (let index = 0; index < weights.length; index += 1) {
      const weight = numberAt(weights, index);
      const product = amount * weight;
      const isExact = product <= Number.MAX_SAFE_INTEGER;
      const share = isExact ? wholeQuotient(product, sum) : Number((BigInt(amount) * BigInt(weight)) / BigInt(sum));
      shares[index] = share;
      remainders[index] = isExact ? product - share * sum : Number((BigInt(amount) * BigInt(weight)) % BigInt(sum));
      left -= share;
    }
  }
  const floors = tell === null ? shares : shares.slice();
  if (sum === 0) shares[0] = amount;
  else if (left > 0) handOut(left, shares, remainders);
  tell?.({ weights, sum, floors, remainders, shares });
  return shares;
}

/** Gives one unit more to the `left` shares with the largest remainders. */
function handOut(left: number, shares: Float64Array, remainders: Float64Array): void {
  const threshold = nthLargest(remainders, left);
  let atThreshold = left;
  for (let index = 0; index < remainders.length; index += 1) {
    if (numberAt(remainders, index) > threshold) atThreshold -= 1;
  }
  for (let index = 0; index < remainders.length; index += 1) {
    const remainder = numberAt(remainders, index);
    const isEqual = remainder === threshold;
    if (remainder > threshold || (isEqual && atThreshold > 0)) shares[index] = numberAt(shares, index) + 1;
    if (isEqual) atThreshold -= 1;
  }
}

/** The `n`th largest number, by quickselect: each round goes on with the side of the pivot that holds it. */
function nthLargest(numbers: Float64Array, n: number): number {
  const list = numbers.slice();
  const target = list.length - n;
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const pivot = numberAt(list, (low + high) >> 1);
    let left = low;
    let right = high;
    while (left <= right) {
      while (numberAt(list, left) < pivot) left += 1;
      while (numberAt(list, right) > pivot) right -= 1;
      if (left > right) break;
      const swapped = numberAt(list, left);
      list[left] = numberAt(list, right);
      list[right] = swapped;
      left += 1;
      right -= 1;
    }
    if (target <= right) high = right;
    else if (target >= left) low = left;
    else break;
  }
  return numberAt(list, target);
}
