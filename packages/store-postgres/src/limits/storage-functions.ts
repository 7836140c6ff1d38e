import { DELIVERY_BYTES, FREE_ATTEMPT_BYTES } from "@budgetkit/store-kit";

/** What a delivery with this trail counts beyond {@link DELIVERY_BYTES}, as `bytesOfAttempts` of core does. */
export function bytesOfTrail(trail: string): string {
  return `greatest(0, octet_length(${trail}) - ${FREE_ATTEMPT_BYTES})`;
}

/** What a row of new deliveries counts: one that brings the body counts that too. */
export const BYTES_OF_ADDED = `${DELIVERY_BYTES} + octet_length(concat(head, tail, origin))`;

/**
 * Counts what `rows` have as `more`, by business. The dispatcher does not take the locks of businesses, since a host's
 * transaction may hold one for long; so it has counters of its own. A transaction counts in one statement, in the order of
 * businesses, and waits for no other row after it: no two deadlock.
 */
export function countingDeliveries(rows: string): string {
  return `INSERT INTO @delivery_use AS stored (business_id, bytes)
    SELECT business_id, sum(more) FROM ${rows} GROUP BY business_id HAVING sum(more) <> 0 ORDER BY business_id
    ON CONFLICT (business_id) DO UPDATE SET bytes = stored.bytes + excluded.bytes`;
}
