import type { EventStore } from "../events/event-store.js";
import type { LedgerEntry } from "../events/ledger-entry.js";
import type { LedgerBounds, LedgerPosition, LedgerStore } from "./ledger-store.js";
import { BEFORE_FIRST, type LedgerFault, verifyEntries, verifyHead } from "./verify-ledger.js";
import { type StartContext, verifyStart } from "./verify-start.js";

/** What a check of the ledger of a business has found. */
export interface LedgerCheck {
  /** Id of the business. */
  readonly businessId: string;
  /** The number of entries that were verified. */
  readonly entries: number;
  /** The last entry that retention has removed, with its signed checkpoint; null = nothing was removed. */
  readonly start: LedgerBounds["start"];
  /** The last entry. */
  readonly head: LedgerPosition;
  /** Null = every entry is as the service wrote it, and the service has signed that it removed the others. */
  readonly fault: LedgerFault | null;
}

type ReadableLedger = Pick<EventStore, "readLedger"> & Pick<LedgerStore, "findLedgerBounds">;

export interface LedgerCheckContext extends StartContext {
  readonly store: ReadableLedger & StartContext["store"];
}

/** Entries that one read takes. */
const PAGE = 500;
/** A check may meet a commit or the retention, and then begins again. */
const ATTEMPTS = 5;

/**
 * Verifies the ledger of a business from its start to its last entry, in pages. `known` is an entry of which a signed
 * checkpoint was kept elsewhere; null = none.
 */
export async function checkLedger(
  context: LedgerCheckContext,
  businessId: string,
  known: LedgerPosition | null = null,
): Promise<LedgerCheck> {
  for (let attempt = 1; ; attempt += 1) {
    const bounds = await context.store.findLedgerBounds(businessId);
    const check = await checkWithin(context, businessId, bounds, known);
    if (check.fault === null || attempt === ATTEMPTS) return check;
    const again = await context.store.findLedgerBounds(businessId);
    if (isSame(again.start, bounds.start) && isSame(again.head, bounds.head)) return check;
  }
}

function isSame(one: LedgerPosition | null, other: LedgerPosition | null): boolean {
  return one?.sequence === other?.sequence && one?.hash === other?.hash;
}

async function checkWithin(
  context: LedgerCheckContext,
  businessId: string,
  bounds: LedgerBounds,
  known: LedgerPosition | null,
): Promise<LedgerCheck> {
  const { store } = context;
  const { start, head } = bounds;
  let at: LedgerPosition = start ?? BEFORE_FIRST;
  let after = 0; // an entry that was added may stand before the start
  let entries = 0;
  const ended = (fault: LedgerFault | null): LedgerCheck => ({ businessId, entries, start, head, fault });
  for (;;) {
    const read = await store.readLedger(businessId, { after, limit: PAGE });
    const page = read.filter(({ entry }) => entry.sequence <= head.sequence);
    const run = verifyEntries(at, page);
    if ("fault" in run) return ended(run.fault);
    entries += page.length;
    const differs = known === null ? null : differenceFrom(known, [at, ...page.map(positionOf)]);
    if (differs !== null) return ended(differs);
    at = run.at;
    after = at.sequence;
    const beyond = read[page.length];
    if (beyond !== undefined && (await isUncounted(store, businessId, beyond))) {
      return ended(verifyHead(positionOf(beyond), bounds));
    }
    if (page.length < PAGE) break;
  }
  const fault = verifyHead(at, bounds) ?? (await verifyStart(context, businessId, start));
  return ended(fault ?? (known === null ? null : missingSince(known, at)));
}

/** A commit since the bounds were read has moved the counter with its entries. */
async function isUncounted(store: ReadableLedger, businessId: string, { entry }: LedgerEntry): Promise<boolean> {
  return entry.sequence > (await store.findLedgerBounds(businessId)).head.sequence;
}

function positionOf({ entry, hash }: LedgerEntry): LedgerPosition {
  return { sequence: entry.sequence, hash };
}

function differenceFrom(known: LedgerPosition, positions: readonly LedgerPosition[]): LedgerFault | null {
  const found = positions.find(({ sequence }) => sequence === known.sequence);
  if (found === undefined || found.hash === known.hash) return null;
  const says = `the entry ${known.sequence} has another hash than its checkpoint: it was changed, or an entry before it`;
  return { kind: "changed", sequence: known.sequence, says };
}

function missingSince(known: LedgerPosition, last: LedgerPosition): LedgerFault | null {
  if (known.sequence <= last.sequence) return null;
  const says = `the entry ${last.sequence + 1} is missing: the checkpoint is of the entry ${known.sequence}`;
  return { kind: "removed", sequence: last.sequence + 1, says };
}
