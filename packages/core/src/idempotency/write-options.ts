import type { Instant } from "../kernel/clock.js";
import type { Receipt } from "./idempotency-store.js";

/** How one write is carried out. */
export interface WriteOptions<View> {
  /** The moment at which the request arrived; the clock's by default. */
  readonly now?: Instant;
  /** The version that the caller has seen (If-Match); null or absent means whichever is stored. */
  readonly expectedVersion?: number | null;
  /** Makes the receipt that is committed together with the effect (Idempotency-Key). */
  readonly receiptFor?: (view: View) => Receipt;
}
