import type { Instant } from "../kernel/clock.js";

/** An entry of the ledger of a business, by its sequence. */
export interface LedgerPosition {
  /** 0 = before the first entry. */
  readonly sequence: number;
  /** Null = before the first entry of the chain. */
  readonly hash: string | null;
}

/** The last entry that retention has removed. The entries that are kept follow it. */
export interface LedgerStart extends LedgerPosition {
  /** The signed checkpoint of that entry, as JSON. */
  readonly checkpoint: string;
}

/** Where the chain of a ledger begins that has entries from before the chain: an upgrade of the store has recorded it. */
export interface ChainBeginning {
  /** The first entry with a hash. Nothing proves those before it. */
  readonly sequence: number;
  /** The runs of sequences before it that no entry had by then: the first and the last of each. */
  readonly missing: readonly (readonly [first: number, last: number])[];
  /** Signed by the service, as JSON; null = not yet. */
  readonly statement: string | null;
}

export interface LedgerBounds {
  readonly start: LedgerStart | null; // null = nothing was removed
  readonly beginning: ChainBeginning | null; // null = the chain begins with the first entry
  readonly head: LedgerPosition; // the last entry, which may have been removed
  readonly waiting: number | null; // the first entry that waits for its fan-out
}

/** The port of the ledger's retention. */
export interface LedgerStore {
  /** From one snapshot. */
  findLedgerBounds(businessId: string): Promise<LedgerBounds>;
  /**
   * Businesses of which an entry is from before `before`: those among the oldest `limit` entries, without the businesses
   * of `without`.
   */
  findAgedLedgers(before: Instant, limit: number, without: readonly string[]): Promise<readonly string[]>;
  /**
   * Removes the entries up to `start` and makes it the start of the ledger, in one transaction, if the ledger still
   * starts after the entry `former` (0 = nothing was removed). Returns the number removed; 0 = another caller was first.
   */
  pruneLedger(businessId: string, start: LedgerStart, former: number): Promise<number>;
  /** Businesses, at most `limit` in the order of their ids, whose `beginning` is not signed. */
  findUnsignedBeginnings(limit: number): Promise<readonly string[]>;
  /**
   * Keeps the statement of a beginning that begins there and has the statement `former` (null = none). False = it has
   * another one, or begins elsewhere.
   */
  signBeginning(businessId: string, sequence: number, statement: string, former: string | null): Promise<boolean>;
}
