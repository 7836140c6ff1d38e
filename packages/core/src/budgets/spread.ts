import { at } from "../kernel/at.js";
import type { Minor } from "../kernel/money.js";

/**
 * Divides `amount` in proportion to `weights` so that the shares sum to it exactly (largest remainder): each share is
 * rounded down, and the units left over go one each to the largest remainders, the earlier first among equals.
 * With no weight at all the first share takes everything. All numbers are whole and not negative.
 */
export function spread(amount: Minor, weights: readonly Minor[]): Minor[] {
  if (amount === 0) return weights.map(() => 0);
  let sum = 0;
  let largest = 0;
  for (const weight of weights) {
    sum += weight;
    if (weight > largest) largest = weight;
  }
  if (sum === 0) return weights.map((_, index) => (index === 0 ? amount : 0));
  const divide = amount * largest <= Number.MAX_SAFE_INTEGER ? divideNumbers : divideBigInts;
  const shares = new Array<Minor>(weights.length);
  const remainders = new Float64Array(weights.length);
  let left = amount;
  weights.forEach((weight, index) => {
    const [share, remainder] = divide(amount, weight, sum);
    shares[index] = share;
    remainders[index] = remainder;
    left -= share;
  });
  return handOut(left, shares, remainders);
}

/** Gives one unit more to the `left` shares with the largest remainders. */
function handOut(left: number, shares: readonly Minor[], remainders: Float64Array): Minor[] {
  if (left === 0) return [...shares];
  const threshold = at(Float64Array.from(remainders).sort(), remainders.length - left);
  let atThreshold = left;
  for (const remainder of remainders) if (remainder > threshold) atThreshold -= 1;
  return shares.map((share, index) => {
    const remainder = at(remainders, index);
    if (remainder > threshold) return share + 1;
    if (remainder === threshold && atThreshold > 0) {
      atThreshold -= 1;
      return share + 1;
    }
    return share;
  });
}

function divideNumbers(amount: Minor, weight: Minor, sum: Minor): [share: Minor, remainder: number] {
  const product = amount * weight;
  const remainder = product % sum;
  return [(product - remainder) / sum, remainder];
}

function divideBigInts(amount: Minor, weight: Minor, sum: Minor): [share: Minor, remainder: number] {
  const product = BigInt(amount) * BigInt(weight);
  const divisor = BigInt(sum);
  return [Number(product / divisor), Number(product % divisor)];
}
