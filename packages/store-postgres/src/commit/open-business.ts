import { addUse, NO_USE, namesOfSubscribers, type StorageUse, SUBSCRIBER_KINDS } from "@budgetkit/core/store";
import { asInteger, asList, asOneOf, asText, orNull, type Row } from "@budgetkit/store-kit";
import { type BudgetSums, budgetSums } from "../budgets/budget-sums.js";
import { type BudgetNumbers, budgetNumbers } from "../budgets/numbers.js";
import type { GatheredStatements } from "../engine/gathered-statements.js";
import type { Statements } from "../engine/statements.js";
import { Transaction } from "../engine/transaction.js";

/** The last entry of a ledger. */
interface LedgerHead {
  readonly sequence: number;
  readonly hash: string | null; // null = the chain has not begun
}

/** What the pieces of a transaction share about its business. Read once, changed in memory, and written at the end. */
export interface Totals {
  head: LedgerHead;
  use: StorageUse; // with what the pieces of the transaction have added
  /** As `namesOfSubscribers` writes them; null = not known: the snapshot is older than the lock, or a piece changes them. */
  subscribers: string | null;
  /** The clock of the database when they were read. */
  readonly databaseNow: number;
}

/** A business whose lock the transaction holds. Its pieces run in waves: see `runPieces`. */
export class OpenBusiness extends Transaction {
  readonly sums: BudgetSums;
  readonly numbers: BudgetNumbers;
  readonly #parts: OpeningParts;
  #totals: Totals | null = null;
  #added = NO_USE;
  #hasMoved = false;
  #isOutdated = false;

  constructor(business: number, statements: GatheredStatements, parts: OpeningParts) {
    super(business, statements);
    this.#parts = parts;
    this.sums = parts.sums();
    this.numbers = parts.numbers(this);
  }

  /** Reads the totals. They are the same for all pieces of a wave. */
  async load(): Promise<void> {
    if (this.#totals !== null) return;
    const read = await this.#parts.read(this);
    this.#totals ??= read;
  }

  get totals(): Totals {
    if (this.#totals === null) throw new TypeError("a piece uses totals that it has not loaded");
    return this.#totals;
  }

  /** Counts what a piece has added. Freed amounts are negative. */
  count(added: Partial<StorageUse>): void {
    this.#added = addUse(this.#added, added);
    if (this.#totals !== null) this.#totals.use = addUse(this.#totals.use, added);
  }

  moveHead(head: LedgerHead): void {
    this.totals.head = head;
    this.#hasMoved = true;
  }

  /** A piece changes the subscribers: the next one reads them again. */
  changeSubscribers(): void {
    this.#isOutdated = true;
    if (this.#totals !== null) this.#totals.subscribers = null;
  }

  override settle(): void {
    this.#writeTotals();
    super.settle();
    if (this.#isOutdated) this.#totals = null;
    this.#isOutdated = false;
  }

  #writeTotals(): void {
    if (this.#hasMoved) this.#parts.writeHead(this, this.totals.head.sequence, this.totals.head.hash);
    this.#hasMoved = false;
    const { budgets, documentBytes, attachmentBytes, deliveryBytes } = this.#added;
    const added = [budgets, documentBytes, attachmentBytes, deliveryBytes];
    if (added.some((amount) => amount !== 0)) this.#parts.addUse(this, ...added);
    this.#added = NO_USE;
    this.sums.write(this);
    this.numbers.write();
  }
}

interface OpeningParts {
  readonly read: (open: Transaction) => Promise<Totals>;
  readonly writeHead: (open: Transaction, sequence: number, hash: string | null) => void;
  readonly addUse: (open: Transaction, ...added: number[]) => void;
  readonly sums: () => BudgetSums;
  readonly numbers: (open: Transaction) => BudgetNumbers;
}

/** Opens a business in a transaction that waits for its lock, or holds it. */
export type Opener = (business: number, statements: GatheredStatements) => OpenBusiness;

const SUBSCRIBERS = `SELECT json_agg(json_build_array(kind, id, version)) FROM (
    SELECT 'endpoint' AS kind, id, version FROM @endpoints WHERE business_id = $1 AND status = 'ACTIVE'
    UNION ALL
    SELECT 'key', id, version FROM @keys WHERE business_id = $1 AND status = 'ACTIVE' AND webhook_url IS NOT NULL
  ) AS subscribers`;

const TOTALS = `SELECT
    (SELECT json_build_array(last_sequence, last_hash) FROM @event_counters WHERE business_id = $1),
    (SELECT json_build_array(budgets, document_bytes, attachment_bytes, delivery_bytes)
     FROM @storage_use WHERE business_id = $1),
    (SELECT bytes FROM @delivery_use WHERE business_id = $1),
    (${SUBSCRIBERS}),
    current_setting('transaction_isolation') = 'read committed',
    @database_now()`;

export function businessOpener(statements: Statements): Opener {
  const readTotals = statements.row(TOTALS);
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
    read: async (open) => asTotals((await readTotals(open)) ?? []),
    writeHead,
    addUse,
    sums: budgetSums(statements),
    numbers: budgetNumbers(statements),
  };
  return (business, gathered) => new OpenBusiness(business, gathered, parts);
}

/** A host's snapshot may be older than the lock: then the subscribers are not known. */
function asTotals([head, use, dispatched, subscribers, seesCommitted, now]: Row): Totals {
  const [sequence, hash] = head === null ? [0, null] : asList(head);
  const [budgets, documents, attachments, deliveries] = use === null ? [0, 0, 0, 0] : asList(use);
  return {
    head: { sequence: asInteger(sequence), hash: orNull(hash, asText) },
    use: {
      budgets: asInteger(budgets),
      documentBytes: asInteger(documents),
      attachmentBytes: asInteger(attachments),
      deliveryBytes: asInteger(deliveries) + (orNull(dispatched, asInteger) ?? 0),
    },
    subscribers: seesCommitted === true ? namesOfSubscribers((orNull(subscribers, asList) ?? []).map(asVersion)) : null,
    databaseNow: asInteger(now),
  };
}

function asVersion(subscriber: unknown) {
  const [kind, id, version] = asList(subscriber);
  return { kind: asOneOf(SUBSCRIBER_KINDS, kind), id: asInteger(id), version: asInteger(version) };
}
