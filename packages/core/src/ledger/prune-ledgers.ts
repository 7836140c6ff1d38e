import type { EventStore } from "../events/event-store.js";
import type { LedgerEntry } from "../events/ledger-entry.js";
import { canonicalJson } from "../kernel/canonical-json.js";
import { type Clock, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { StoreUnavailable } from "../kernel/problem.js";
import { type CheckpointContext, signRemoval } from "./ledger-checkpoint.js";
import type { LedgerStore } from "./ledger-store.js";
import { BEFORE_FIRST, verifyEntries } from "./verify-ledger.js";
import { type StartContext, verifyStart } from "./verify-start.js";

export interface RetentionContext extends Pick<CheckpointContext, "sign" | "publicBaseUrl">, StartContext {
  readonly store: LedgerStore & Pick<EventStore, "readLedger"> & StartContext["store"];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Entries that one commit removes at most. */
const STEP = 500;
/** Commits that one round makes at most. */
const STEPS = 40;
/** To look past the old entries of a faulty ledger, which all stay, takes long. */
const REST_MS = 10 * MINUTE_MS;

/** What a process remembers of faulty ledgers from one round to the next. */
export interface FaultyLedgers {
  readonly reported: Set<string>; // businesses whose fault was reported
  restUntilMs: number; // of the monotonic clock: no round begins before
}

/**
 * Removes the entries of all businesses from before `before`, the oldest first. Of each business a prefix goes, down to
 * the first entry that is younger or waits for its fan-out; a signed checkpoint of its last entry stays, so that the rest
 * can still be verified. Entries that do not verify are kept, with all that follow, and all after a start that the
 * service has not signed: a new start would hide that someone else removed entries. Rounds are bounded; the next one
 * continues, after a rest if a ledger is faulty and nothing else is left to remove. Returns the number removed.
 */
export async function pruneLedgers(context: RetentionContext, before: Instant, faulty: FaultyLedgers): Promise<number> {
  const { clock, store } = context;
  const held: string[] = [];
  let removed = 0;
  let isAnyFaulty = false;
  if (clock.monotonicMs() < faulty.restUntilMs) return 0;
  for (let steps = 0; steps < STEPS; ) {
    const aged = await store.findAgedLedgers(before, STEP, held);
    if (aged.length === 0) {
      if (isAnyFaulty) faulty.restUntilMs = clock.monotonicMs() + REST_MS;
      return removed;
    }
    for (const businessId of aged) {
      steps += 1;
      const pruned = await pruneOne(context, businessId, before).catch(faultOfError);
      if (pruned === 0 || typeof pruned === "string") held.push(businessId);
      if (typeof pruned === "number") removed += pruned;
      else {
        isAnyFaulty = true;
        reportOnce(context, faulty, `ledger of the business ${businessId}: ${pruned}`, businessId);
      }
    }
  }
  return removed;
}

/** An entry that cannot be read stops the retention of its own business only. */
function faultOfError(error: unknown): string {
  if (error instanceof StoreUnavailable) throw error;
  return `cannot be pruned: ${String(error)}`;
}

function reportOnce(
  { onError }: RetentionContext,
  { reported }: FaultyLedgers,
  text: string,
  businessId: string,
): void {
  if (!reported.has(businessId)) onError(new Error(text));
  reported.add(businessId);
}

/** The number removed, or the fault for which all entries stay. */
async function pruneOne(context: RetentionContext, businessId: string, before: Instant): Promise<number | string> {
  const { store, clock } = context;
  const { start, waiting } = await store.findLedgerBounds(businessId);
  const former = start?.sequence ?? 0;
  const page = await store.readLedger(businessId, { after: former, limit: STEP });
  const isDue = ({ entry }: LedgerEntry) => entry.occurredAt < before && (waiting === null || entry.sequence < waiting);
  const firstKept = page.findIndex((entry) => !isDue(entry));
  const due = firstKept === -1 ? page : page.slice(0, firstKept);
  if (due.length === 0) return 0;
  const run = verifyEntries(start ?? BEFORE_FIRST, due);
  if ("fault" in run) return run.fault.says;
  const forged = await verifyStart(context, businessId, start);
  if (forged !== null) return forged.says;
  const checkpoint = canonicalJson(await signRemoval(context, businessId, run.at, clock.now()));
  return store.pruneLedger(businessId, { ...run.at, checkpoint }, former);
}
