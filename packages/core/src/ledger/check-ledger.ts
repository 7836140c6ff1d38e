import type { EventStore } from "../events/event-store.js";
import type { LedgerEntry } from "../events/ledger-entry.js";
import { verifyBeginning } from "./chain-beginning.js";
import { beginningOf, type ChainRule, chainRuleOf, countKept, firstKept } from "./chain-rule.js";
import type { LedgerBounds, LedgerPosition, LedgerStore } from "./ledger-store.js";
import type { StatementContext } from "./own-signature.js";
import { BEFORE_FIRST, type LedgerFault, verifyEntries, verifyHead } from "./verify-ledger.js";
import { verifyStart } from "./verify-start.js";

/** What a check of the ledger of a business has found. */
export interface LedgerCheck {
  /** Id of the business. */
  readonly businessId: string;
  /** The number of entries that are proven: their hash is that of their content and of all entries before. */
  readonly entries: number;
  /** The number of entries that are not: those from before the chain, and all from a fault on. */
  readonly unproven: number;
  /** The first entry that the chain proves. */
  readonly chainedFrom: number;
  /** The last entry that retention has removed, with its signed checkpoint; null = nothing was removed. */
  readonly start: LedgerBounds["start"];
  /** The last entry. */
  readonly head: LedgerPosition;
  /**
   * Null = every proven entry is as the service wrote it, and the service has signed that it removed the others, and that
   * the chain begins there. Nothing is known of the `unproven` ones.
   */
  readonly fault: LedgerFault | null;
}

type ReadableLedger = Pick<EventStore, "readLedger"> & Pick<LedgerStore, "findLedgerBounds">;

export interface LedgerCheckContext extends StatementContext {
  readonly store: ReadableLedger & StatementContext["store"];
}

/** An entry of which a signed checkpoint was kept elsewhere. */
export interface KnownEntry extends LedgerPosition {
  /** The first entry that the chain proved by then; absent = the checkpoint is of a former release. */
  readonly chainedFrom?: number;
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
  known: KnownEntry | null = null,
): Promise<LedgerCheck> {
  for (let attempt = 1; ; attempt += 1) {
    const bounds = await context.store.findLedgerBounds(businessId);
    const check = await checkWithin(context, businessId, bounds, known);
    if (check.fault === null || attempt === ATTEMPTS) return check;
    const again = await context.store.findLedgerBounds(businessId);
    const isStill = isSame(again.start, bounds.start) && isSame(again.head, bounds.head);
    if (isStill && again.beginning?.statement === bounds.beginning?.statement) return check;
  }
}

function isSame(one: LedgerPosition | null, other: LedgerPosition | null): boolean {
  return one?.sequence === other?.sequence && one?.hash === other?.hash;
}

async function checkWithin(
  context: LedgerCheckContext,
  businessId: string,
  bounds: LedgerBounds,
  known: KnownEntry | null,
): Promise<LedgerCheck> {
  const { store } = context;
  const { start, head } = bounds;
  const rule = chainRuleOf(bounds);
  let at: LedgerPosition = start ?? BEFORE_FIRST;
  let after = 0; // an entry that was added may stand before the start
  let entries = 0;
  const ended = (fault: LedgerFault | null): LedgerCheck => {
    const unproven = Math.max(0, countKept(bounds) - entries);
    return { businessId, entries, unproven, chainedFrom: rule.chainedFrom, start, head, fault };
  };
  for (;;) {
    const read = await store.readLedger(businessId, { after, limit: PAGE });
    const page = read.filter(({ entry }) => entry.sequence <= head.sequence);
    const run = verifyEntries(at, page, rule);
    entries += run.proven;
    if (run.fault !== null) return ended(run.fault);
    const differs = known === null ? null : differenceFrom(known, [at, ...page.map(positionOf)]);
    if (differs !== null) return ended(differs);
    at = run.at;
    after = at.sequence;
    const beyond = read[page.length];
    if (beyond !== undefined && (await isUncounted(store, businessId, beyond))) {
      return ended(verifyHead(positionOf(beyond), bounds, rule));
    }
    if (page.length < PAGE) break;
  }
  const fault = verifyHead(at, bounds, rule) ?? (await faultOfStatements(context, businessId, bounds));
  return ended(fault ?? (known === null ? null : (missingSince(known, at) ?? beginsLater(known, bounds, rule))));
}

/** What the service has signed is what decides where the entries and their chain begin. */
async function faultOfStatements(
  context: StatementContext,
  businessId: string,
  bounds: LedgerBounds,
): Promise<LedgerFault | null> {
  const ofBeginning = await verifyBeginning(context, businessId, beginningOf(bounds));
  return ofBeginning ?? verifyStart(context, businessId, bounds.start);
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

/** The chain of a checkpoint begins where it began, unless retention has removed that entry. */
function beginsLater(
  { chainedFrom }: KnownEntry,
  bounds: LedgerBounds,
  { chainedFrom: sequence }: ChainRule,
): LedgerFault | null {
  if (chainedFrom === undefined || sequence <= Math.max(chainedFrom, firstKept(bounds))) return null;
  const says = `the chain begins with the entry ${sequence}, and by the checkpoint with the entry ${chainedFrom}`;
  return { kind: "changed", sequence, says };
}
