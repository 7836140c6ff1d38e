import type { EventStore } from "../events/event-store.js";
import type { LedgerEntry } from "../events/ledger-entry.js";
import { canonicalJson } from "../kernel/canonical-json.js";
import { type Clock, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { StoreUnavailable } from "../kernel/problem.js";
import { verifyBeginning } from "./chain-beginning.js";
import { beginningOf, chainRuleOf } from "./chain-rule.js";
import { signRemoval } from "./ledger-checkpoint.js";
import type { LedgerStore } from "./ledger-store.js";
import type { StatementContext, StatementSigner } from "./own-signature.js";
import { BEFORE_FIRST, verifyEntries } from "./verify-ledger.js";
import { verifyStart } from "./verify-start.js";

export interface RetentionContext extends StatementContext, StatementSigner {
  readonly store: LedgerStore & Pick<EventStore, "readLedger"> & StatementContext["store"];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Entries that one commit removes at most. */
const STEP = 500;
/** Ledgers after which a round reads no further page. */
const STEPS = 40;
/** Faulty ledgers after which the rest begins at the latest. Their ids are in memory, and in each question for others. */
const MOST_HELD = 10_000;
/** To look past the old entries of a faulty ledger, which all stay, takes long. */
const REST_MS = 10 * MINUTE_MS;

/** What a process remembers of faulty ledgers from one round to the next. */
export interface FaultyLedgers {
  readonly reported: Set<string>; // businesses whose fault was reported
  readonly held: Set<string>; // those that are left out until the next rest has ended
  restUntilMs: number; // of the monotonic clock: no round begins before
}

/**
 * Removes the entries of all businesses from before `before`, the oldest first. Of each business a prefix goes, down to
 * the first entry that is younger or waits for its fan-out; a signed checkpoint of its last entry stays, so that the rest
 * can still be verified. Entries that do not verify are kept, with all that follow, and all after a start or before a
 * beginning of the chain that does not verify as signed by the service: a new start would hide that someone else removed
 * entries. Rounds are bounded; the
 * next one continues without the faulty ledgers. Once nothing else is left to remove, retention rests where a ledger is
 * faulty, and then reads all of them again. Returns the number removed.
 */
export async function pruneLedgers(context: RetentionContext, before: Instant, faulty: FaultyLedgers): Promise<number> {
  const { clock, store } = context;
  const kept: string[] = []; // businesses of which this round can remove nothing more
  let removed = 0;
  if (clock.monotonicMs() < faulty.restUntilMs) return 0;
  for (let steps = 0; steps < STEPS; ) {
    const holdsMost = faulty.held.size >= MOST_HELD;
    const aged = holdsMost ? [] : await store.findAgedLedgers(before, STEP, [...faulty.held, ...kept]);
    if (aged.length === 0) {
      if (faulty.held.size > 0) faulty.restUntilMs = clock.monotonicMs() + REST_MS;
      faulty.held.clear();
      return removed;
    }
    for (const businessId of aged) {
      steps += 1;
      const pruned = await pruneOne(context, businessId, before).catch(faultOfError);
      if (pruned === 0) kept.push(businessId);
      if (typeof pruned === "number") removed += pruned;
      else {
        faulty.held.add(businessId);
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
  const bounds = await store.findLedgerBounds(businessId);
  const { start, waiting } = bounds;
  const former = start?.sequence ?? 0;
  const page = await store.readLedger(businessId, { after: former, limit: STEP });
  const isDue = ({ entry }: LedgerEntry) => entry.occurredAt < before && (waiting === null || entry.sequence < waiting);
  const firstKept = page.findIndex((entry) => !isDue(entry));
  const due = firstKept === -1 ? page : page.slice(0, firstKept);
  if (due.length === 0) return 0;
  const rule = chainRuleOf(bounds);
  const run = verifyEntries(start ?? BEFORE_FIRST, due, rule);
  if (run.fault !== null) return run.fault.says;
  const forged =
    (await verifyBeginning(context, businessId, beginningOf(bounds))) ??
    (await verifyStart(context, businessId, start));
  if (forged !== null) return forged.says;
  const last = { ...run.at, chainedFrom: rule.chainedFrom };
  const checkpoint = canonicalJson(await signRemoval(context, businessId, last, clock.now()));
  return store.pruneLedger(businessId, { ...run.at, checkpoint }, former);
}
