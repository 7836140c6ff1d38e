import type { AuditEntry, DomainEvent } from "../events/event.js";
import type { IdempotencyRecord } from "../idempotency/idempotency-store.js";
import type { StorageQuota } from "../limits/storage-quota.js";
import type { DeliveryPlan, MadeDelivery } from "./delivery-plan.js";
import type { Numbering } from "./numbering.js";
import type { Refusal } from "./refusal.js";

/**
 * Everything that an operation has decided to write, as data. A store writes all of it in one transaction, or nothing: it
 * first finds the refusal, if there is one, of the writes, the conditions, the quota, the number and the claim, in this order.
 *
 * `W` and `C` are the facts of the domains: each domain defines its own members, and `store.ts` unites them. They name
 * records of the domain, never a table or a column. All of them belong to `businessId`.
 */
export interface Commit<W = never, C = never> {
  readonly businessId: string;
  readonly writes: readonly W[]; // applied in this order
  readonly conditions: readonly C[]; // checked in the same transaction, once the writes are found to hold
  readonly events: readonly DomainEvent[]; // appended to the outbox in this order
  readonly audit: readonly AuditEntry[]; // appended after the events; no subscriber receives them
  readonly completes: IdempotencyRecord | null; // null = no Idempotency-Key
  readonly quota: StorageQuota | null; // null = unlimited. Bytes of planned deliveries are counted, and not refused
  readonly numbering: Numbering | null; // how the budget of the commit gets its number; null = it gets none
  readonly deliveries: DeliveryPlan | null; // null = the events wait for their fan-out
}

/** The version of the stored record that a write expects; `"absent"` = there is no such record. */
export type Expected = number | "absent";

/** What a store has done with a commit. */
export type Committed =
  | {
      readonly kind: "written";
      readonly number: string | null; // that the commit has drawn
      /**
       * The planned deliveries that the commit has made; empty = none, because the subscribers have changed or the plan
       * was empty. Null = no plan, or unknown: the store has repeated the commit after a lost connection, or the process
       * sends none of them because none has a lease. They are then read where it matters.
       */
      readonly made: readonly MadeDelivery[] | null;
    }
  | { readonly kind: "refused"; readonly by: Refusal }; // nothing was written

/** The port of commits. A commit that rejects has written nothing, or its outcome is unknown (StoreUnavailable). */
export interface CommitStore<W, C = never> {
  commit(commit: Commit<W, C>): Promise<Committed>;
}

/** A commit of these writes, without anything beside them but what `beside` names. */
export function commitOf<W, C = never>(
  businessId: string,
  writes: readonly W[],
  beside: Partial<Omit<Commit<W, C>, "businessId" | "writes">> = {},
): Commit<W, C> {
  return {
    businessId,
    writes,
    conditions: [],
    events: [],
    audit: [],
    completes: null,
    quota: null,
    numbering: null,
    deliveries: null,
    ...beside,
  };
}

/** A commit of one audit entry, which no subscriber receives. */
export function auditCommit(entry: AuditEntry): Commit {
  return commitOf(entry.businessId, [], { audit: [entry] });
}
