import { addUse, namesOfSubscribers, type StorageUse, SUBSCRIBER_KINDS } from "@budgetkit/core/store";
import { asInteger, asList, asOneOf, asText, orNull, type Row } from "@budgetkit/store-kit";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** The last entry of a ledger. */
export interface LedgerHead {
  readonly sequence: number;
  readonly hash: string | null; // null = the chain has not begun
}

/** What all commits of a business share. */
export interface Totals {
  readonly head: LedgerHead;
  /** What commits have counted. */
  readonly counted: StorageUse;
  /** What the dispatcher has added to it and removed, without the lock of the business. */
  readonly dispatchedBytes: number;
  /** As `namesOfSubscribers` writes them; null = not known: the snapshot is older than the lock, or a piece changes them. */
  readonly subscribers: string | null;
}

export function useIn({ counted, dispatchedBytes }: Totals): StorageUse {
  return addUse(counted, { deliveryBytes: dispatchedBytes });
}

/** Reads and compares totals in a transaction. */
export interface TotalsReader {
  read(transaction: Transaction): Promise<Totals>;
  /**
   * Fails the transaction when the totals of commits are others: see {@link isUnexpected}. Resolves with the bytes of the
   * dispatcher, which commits do not order.
   */
  expect(transaction: Transaction, totals: Totals): Promise<number>;
}

const UNEXPECTED = "BKT01";

/** To decide again with totals that are read. */
export function unexpected(): Error {
  return Object.assign(new Error("the totals are to be read"), { code: UNEXPECTED });
}

/** Whether a transaction has failed since it expected other totals, or the lock of a business that another one holds. */
export function isUnexpected(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === UNEXPECTED;
}

const WITH_CALLBACKS = "status = 'ACTIVE' AND webhook_url IS NOT NULL";

export const TOTALS_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @refuse_unexpected() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'others write to the business' USING ERRCODE = '${UNEXPECTED}';
  END $$;

  CREATE OR REPLACE FUNCTION @expect_totals(business bigint, sequence bigint, hash text, more_budgets bigint,
    documents bigint, attachments bigint, deliveries bigint, subscribers text) RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM @event_counters
    WHERE business_id = business AND last_sequence = sequence AND last_hash IS NOT DISTINCT FROM hash;
    IF NOT FOUND THEN PERFORM @refuse_unexpected(); END IF;
    PERFORM FROM @storage_use WHERE business_id = business AND budgets = more_budgets
      AND document_bytes = documents AND attachment_bytes = attachments AND delivery_bytes = deliveries;
    IF NOT FOUND THEN PERFORM @refuse_unexpected(); END IF;
    IF subscribers <> coalesce((
      SELECT string_agg(name, ',' ORDER BY name COLLATE "C") FROM (
        SELECT concat('endpoint ', id, ' ', version) AS name FROM @endpoints
        WHERE business_id = business AND status = 'ACTIVE'
        UNION ALL
        SELECT concat('key ', id, ' ', version) FROM @keys WHERE business_id = business AND ${WITH_CALLBACKS}
      ) AS named
    ), '') THEN PERFORM @refuse_unexpected(); END IF;
    RETURN coalesce((SELECT bytes FROM @delivery_use WHERE business_id = business), 0);
  END $$;
`;

const TOTALS = `SELECT
    (SELECT json_build_array(last_sequence, last_hash) FROM @event_counters WHERE business_id = $1),
    (SELECT json_build_array(budgets, document_bytes, attachment_bytes, delivery_bytes)
     FROM @storage_use WHERE business_id = $1),
    (SELECT bytes FROM @delivery_use WHERE business_id = $1),
    (SELECT json_agg(json_build_array(kind, id, version)) FROM (
      SELECT 'endpoint' AS kind, id, version FROM @endpoints WHERE business_id = $1 AND status = 'ACTIVE'
      UNION ALL
      SELECT 'key', id, version FROM @keys WHERE business_id = $1 AND ${WITH_CALLBACKS}
    ) AS subscribers),
    current_setting('transaction_isolation') = 'read committed'`;

export function totalsReader(statements: Statements): TotalsReader {
  const read = statements.row(TOTALS);
  const expect = statements.value("SELECT @expect_totals($1, $2, $3, $4, $5, $6, $7, $8)");
  return {
    read: async (transaction) => asTotals((await read(transaction)) ?? []),
    expect: async (transaction, { head, counted, subscribers }) => {
      const { budgets, documentBytes, attachmentBytes, deliveryBytes } = counted;
      const use = [budgets, documentBytes, attachmentBytes, deliveryBytes] as const;
      return asInteger(await expect(transaction, head.sequence, head.hash, ...use, subscribers));
    },
  };
}

/** A host's snapshot may be older than the lock: then the subscribers are not known. */
function asTotals([head, use, dispatched, subscribers, seesCommitted]: Row): Totals {
  const [sequence, hash] = head === null ? [0, null] : asList(head);
  const [budgets, documents, attachments, deliveries] = use === null ? [0, 0, 0, 0] : asList(use);
  return {
    head: { sequence: asInteger(sequence), hash: orNull(hash, asText) },
    counted: {
      budgets: asInteger(budgets),
      documentBytes: asInteger(documents),
      attachmentBytes: asInteger(attachments),
      deliveryBytes: asInteger(deliveries),
    },
    dispatchedBytes: orNull(dispatched, asInteger) ?? 0,
    subscribers: seesCommitted === true ? namesOfSubscribers((orNull(subscribers, asList) ?? []).map(asVersion)) : null,
  };
}

function asVersion(subscriber: unknown) {
  const [kind, id, version] = asList(subscriber);
  return { kind: asOneOf(SUBSCRIBER_KINDS, kind), id: asInteger(id), version: asInteger(version) };
}
