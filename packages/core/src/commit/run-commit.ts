import type { DomainEvent } from "../events/event.js";
import type { ClaimToComplete } from "../idempotency/held-claim.js";
import { filledCopy, sealedWithBlank } from "./blank.js";
import type { Commit, CommitStore, Committed } from "./commit.js";
import type { DeliveryPlan } from "./delivery-plan.js";

/**
 * Writes what an operation has decided, for contexts of operations. `claimed` completes the claim of an Idempotency-Key in
 * the same transaction.
 */
export type RunCommit<W, C = never> = (commit: Commit<W, C>, claimed?: ClaimedResult) => Promise<Committed>;

/** The result of an operation, which a request with the same Idempotency-Key gets again. */
interface ClaimedResult {
  readonly claim: ClaimToComplete | undefined; // absent = the request has no key
  readonly result: unknown; // JSON data, with the blank of the number where the commit draws it
}

/** The deliveries of the events of one commit, planned before it. They hold slots until they are settled, once. */
export interface PlannedDeliveries {
  readonly plan: DeliveryPlan;
  /**
   * Sends those that the commit has made and that have a slot. Null = the outcome of the commit is unknown: those that it
   * may have made are released, and a claim takes them. Does not throw.
   */
  settle(committed: Committed | null): void;
}

/** What runs before and after the write. In a transaction of the host nothing is planned, and events wait for its end. */
export interface CommitParts<W, C> {
  readonly store: CommitStore<W, C>;
  /** Null = the events wait for their fan-out. Never rejects. */
  planDeliveries(events: readonly DomainEvent[]): Promise<PlannedDeliveries | null>;
  /** Receives the events after their commit. `mayWait`: for their fan-out, which nothing has requested yet. Never rejects. */
  announce(events: readonly DomainEvent[], mayWait: boolean): Promise<void> | void;
}

/** The one place that knows the order: plan the deliveries, write, send and announce. */
export function createRunCommit<W, C>({ store, planDeliveries, announce }: CommitParts<W, C>): RunCommit<W, C> {
  return async (commit, claimed) => {
    const completes = recordOf(commit, claimed);
    const planned = commit.events.length === 0 ? null : await planDeliveries(commit.events);
    const committed = await writeAndSettle(store, { ...commit, completes }, planned);
    if (committed.kind === "refused") return committed;
    if (completes !== null) claimed?.claim?.noteCompleted();
    if (commit.events.length > 0) {
      await announce(numberedEvents(commit, committed.number), planned === null && committed.mayWait);
    }
    return committed;
  };
}

async function writeAndSettle<W, C>(
  store: CommitStore<W, C>,
  commit: Commit<W, C>,
  planned: PlannedDeliveries | null,
): Promise<Committed> {
  let committed: Committed;
  try {
    committed = await store.commit({ ...commit, deliveries: planned?.plan ?? null });
  } catch (error) {
    planned?.settle(null);
    throw error;
  }
  planned?.settle(committed);
  return committed;
}

function recordOf<W, C>({ numbering, completes }: Commit<W, C>, claimed: ClaimedResult | undefined) {
  if (claimed?.claim === undefined) return completes;
  const record = claimed.claim.recordOf(claimed.result);
  if (numbering?.kind !== "draw") return record;
  return { ...record, response: sealedWithBlank(record.response, numbering.blank) };
}

function numberedEvents<W, C>({ events, numbering }: Commit<W, C>, number: string | null): readonly DomainEvent[] {
  return number === null || numbering?.kind !== "draw" ? events : filledCopy(events, numbering.blank, number);
}
