import type { EventStore } from "../events/event-store.js";
import type { LedgerEntry } from "../events/ledger-entry.js";
import { canonicalJson } from "../kernel/canonical-json.js";
import type { Clock, Instant } from "../kernel/clock.js";
import type { SigningKeyStore } from "../signing/signing-key.js";
import { type CheckpointContext, signRemoval } from "./ledger-checkpoint.js";
import type { LedgerStore } from "./ledger-store.js";
import { BEFORE_FIRST, type LedgerFault, verifyEntries } from "./verify-ledger.js";
import { verifyStart } from "./verify-start.js";

export interface RetentionContext extends Pick<CheckpointContext, "sign" | "publicBaseUrl"> {
  readonly store: LedgerStore & Pick<EventStore, "readLedger"> & Pick<SigningKeyStore, "listSigningKeys">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Entries that one commit removes at most. */
const STEP = 500;
/** Commits that one round makes at most. */
const STEPS = 40;

/**
 * Removes the entries of all businesses from before `before`, the oldest first. Of each business a prefix goes, down to
 * the first entry that is younger or waits for its fan-out; a signed checkpoint of its last entry stays, so that the rest
 * can still be verified. Entries that do not verify are kept, with all that follow, and all after a start that the
 * service has not signed: a new start would hide that someone else removed entries. `reported` has the businesses whose
 * fault was reported. Rounds are bounded; the next one continues. Returns the number removed.
 */
export async function pruneLedgers(context: RetentionContext, before: Instant, reported: Set<string>): Promise<number> {
  const held: string[] = [];
  let removed = 0;
  for (let steps = 0; steps < STEPS; ) {
    const aged = await context.store.findAgedLedgers(before, STEP, held);
    if (aged.length === 0) return removed;
    for (const businessId of aged) {
      steps += 1;
      const count = await pruneOne(context, businessId, before, reported);
      if (count === 0) held.push(businessId);
      removed += count;
    }
  }
  return removed;
}

async function pruneOne(
  context: RetentionContext,
  businessId: string,
  before: Instant,
  reported: Set<string>,
): Promise<number> {
  const { store, clock } = context;
  const { start, waiting } = await store.findLedgerBounds(businessId);
  const former = start?.sequence ?? 0;
  const page = await store.readLedger(businessId, { after: former, limit: STEP });
  const isDue = ({ entry }: LedgerEntry) => entry.occurredAt < before && (waiting === null || entry.sequence < waiting);
  const firstKept = page.findIndex((entry) => !isDue(entry));
  const due = firstKept === -1 ? page : page.slice(0, firstKept);
  if (due.length === 0) return 0;
  const keep = ({ says }: LedgerFault): 0 => {
    if (!reported.has(businessId)) context.onError(new Error(`ledger of the business ${businessId}: ${says}`));
    reported.add(businessId);
    return 0;
  };
  const run = verifyEntries(start ?? BEFORE_FIRST, due);
  if ("fault" in run) return keep(run.fault);
  const forged = await verifyStart(store, businessId, start);
  if (forged !== null) return keep(forged);
  const checkpoint = canonicalJson(await signRemoval(context, businessId, run.at, clock.now()));
  return store.pruneLedger(businessId, { ...run.at, checkpoint }, former);
}
