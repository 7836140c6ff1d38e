import { addUse, NO_USE, type StorageUse } from "@budgetkit/core/store";
import type { GatheredStatements } from "../engine/gathered-statements.js";
import type { Statements } from "../engine/statements.js";
import { Transaction } from "../engine/transaction.js";
import { type BudgetSums, budgetSums } from "./budget-sums.js";
import { type TextNotes, textNotes } from "./note-texts.js";
import { type BudgetNumbers, budgetNumbers } from "./numbers.js";
import { type LedgerHead, type Totals, type TotalsReader, totalsReader } from "./totals.js";

/**
 * A business whose lock the transaction holds, or waits for. Its pieces run in waves: see `runPieces`. They share its totals,
 * which are read once, changed in memory, and written at the end of each wave.
 */
export class OpenBusiness extends Transaction {
  readonly sums: BudgetSums;
  readonly numbers: BudgetNumbers;
  readonly texts: TextNotes;
  readonly #parts: OpeningParts;
  #before: Totals | null = null; // null = not read
  #totals: Totals | null;
  #reading: Promise<void> | null = null;
  #added = NO_USE;
  #hasMoved = false;
  #isTouched = false; // a piece has changed the totals
  #dispatchedBytes: number | null = null;

  constructor(business: number, statements: GatheredStatements, parts: OpeningParts, expected: Totals | null) {
    super(business, statements);
    this.#parts = parts;
    this.#totals = expected;
    this.sums = parts.sums();
    this.numbers = parts.numbers(this);
    this.texts = parts.texts();
    if (expected !== null) this.#expect(expected).catch(() => {}); // the transaction fails with it
  }

  /** Reads the totals, once for all pieces. Those that are expected are there at once. */
  load(): Promise<void> {
    if (this.#totals !== null) return NOTHING;
    this.#reading ??= this.#parts.totals.read(this).then((totals) => {
      this.#before = totals;
      this.#totals = totals;
    });
    return this.#reading;
  }

  get totals(): Totals {
    if (this.#totals === null) throw new TypeError("a piece uses totals that it has not loaded");
    return this.#totals;
  }

  /** The totals that the transaction has read; null = it has read none. */
  get before(): Totals | null {
    return this.#before;
  }

  /** The totals that the transaction leaves; null = not known. */
  get after(): Totals | null {
    return this.#totals?.subscribers === null ? null : this.#totals;
  }

  /** Whether the totals are those that the last commit of the process has left: what the dispatcher counts may be older. */
  get isExpected(): boolean {
    return this.#totals !== null && this.#before === null;
  }

  /** The bytes of the dispatcher as an expecting transaction has found them; null = not known. */
  get dispatchedBytes(): number | null {
    return this.#dispatchedBytes;
  }

  /** Whether a piece has changed the totals. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Counts what a piece has added. Freed amounts are negative. */
  count(added: Partial<StorageUse>): void {
    this.#isTouched = true;
    this.#added = addUse(this.#added, added);
    if (this.#totals !== null) this.#totals = { ...this.#totals, counted: addUse(this.#totals.counted, added) };
  }

  moveHead(head: LedgerHead): void {
    this.#totals = { ...this.totals, head };
    this.#hasMoved = true;
    this.#isTouched = true;
  }

  /** A piece changes the subscribers: the next one reads them again. */
  changeSubscribers(): void {
    this.#isTouched = true;
    if (this.#totals !== null) this.#totals = { ...this.#totals, subscribers: null };
  }

  override settle(): void {
    if (this.#hasMoved) this.#parts.writeHead(this, this.totals.head.sequence, this.totals.head.hash);
    this.#hasMoved = false;
    const { budgets, documentBytes, attachmentBytes, deliveryBytes } = this.#added;
    const added = [budgets, documentBytes, attachmentBytes, deliveryBytes];
    if (added.some((amount) => amount !== 0)) this.#parts.addUse(this, ...added);
    this.#added = NO_USE;
    this.sums.write(this);
    this.numbers.write();
    this.texts.write(this);
    super.settle();
    if (this.#totals?.subscribers !== null) return;
    this.#totals = null;
    this.#reading = null;
  }

  async #expect(totals: Totals): Promise<void> {
    this.#dispatchedBytes = await this.#parts.totals.expect(this, totals);
  }
}

const NOTHING = Promise.resolve();

interface OpeningParts {
  readonly totals: TotalsReader;
  readonly writeHead: (open: Transaction, sequence: number, hash: string | null) => void;
  readonly addUse: (open: Transaction, ...added: number[]) => void;
  readonly sums: () => BudgetSums;
  readonly numbers: (open: Transaction) => BudgetNumbers;
  readonly texts: () => TextNotes;
}

/** Opens a business in a transaction. `expected`: the totals that it must have; null = the transaction reads them. */
export type Opener = (business: number, statements: GatheredStatements, expected?: Totals | null) => OpenBusiness;

export function businessOpener(statements: Statements): Opener {
  const writeHead = statements.write(
    `INSERT INTO @event_counters (business_id, last_sequence, last_hash) VALUES ($1, $2, $3)
     ON CONFLICT (business_id) DO UPDATE SET last_sequence = excluded.last_sequence, last_hash = excluded.last_hash`,
  );
  const addUse = statements.write(
    `INSERT INTO @storage_use AS stored (business_id, budgets, document_bytes, attachment_bytes, delivery_bytes)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (business_id) DO UPDATE SET
       budgets = stored.budgets + excluded.budgets,
       document_bytes = stored.document_bytes + excluded.document_bytes,
       attachment_bytes = stored.attachment_bytes + excluded.attachment_bytes,
       delivery_bytes = stored.delivery_bytes + excluded.delivery_bytes`,
  );
  const parts: OpeningParts = {
    totals: totalsReader(statements),
    writeHead,
    addUse,
    sums: budgetSums(statements),
    numbers: budgetNumbers(statements),
    texts: textNotes(statements),
  };
  return (business, gathered, expected = null) => new OpenBusiness(business, gathered, parts, expected);
}
