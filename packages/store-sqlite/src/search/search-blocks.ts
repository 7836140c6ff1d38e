import { memoize } from "@budgetkit/core/store";
import { asInteger, asText } from "@budgetkit/store-kit";
import type { Statements } from "../engine/statements.js";

/** Numbers whose texts are one row of the index. Its entries are fewer then, and a search compares more texts. */
export const BLOCK = 8;

/** Numbers that the index receives at once, when all are drawn: FTS5 is slow for single rows. The triggers know it too. */
export const INDEXED_AT_ONCE = 256;

/** The index receives no larger text: a few hundred of them would hold the write lock for seconds. */
export const LARGEST_INDEXED_CHARACTERS = 4_000;

/** Stands between the fields of a text. A block has each field once, so the index has no trigram across two fields. */
export const SEPARATOR = "\u001f";

/** Returns a function that takes full blocks into the index, in the transaction that has drawn their last number. */
export function blockIndexer(statements: Statements): () => void {
  const findFull = statements.row(
    `SELECT last, searched, business_id
     FROM budgetkit_search_full CROSS JOIN budgetkit_search_slots ON slot = last >> 32 LIMIT 1`,
  );
  const findTexts = memoize((searched) =>
    statements.rows(
      `SELECT number, numbers.id, search_text, length(search_text) FROM budgetkit_search_numbers AS numbers
       CROSS JOIN budgetkit_${searched} AS record ON record.business_id = ? AND record.id = numbers.id
       WHERE number BETWEEN ? AND ?`,
    ),
  );
  const insertTexts = statements.command("INSERT INTO budgetkit_search_index (rowid, search_text) VALUES (?, ?)");
  const noteLarge = statements.command(
    "INSERT INTO budgetkit_search_large (searched, business_id, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const forget = statements.command("DELETE FROM budgetkit_search_full WHERE last = ?");

  function index(last: number, searched: string, business: number): void {
    const blocks = new Map<number, Set<string>>();
    const rows = findTexts(searched)(business, last + 1 - INDEXED_AT_ONCE, last);
    for (const [number, id, text, characters] of rows) {
      if (asInteger(characters) > LARGEST_INDEXED_CHARACTERS) noteLarge(searched, business, asKey(id));
      else addTo(blocks, firstOf(asInteger(number)), asText(text).split(SEPARATOR));
    }
    for (const [first, fields] of blocks) insertTexts(first, [...fields].join(SEPARATOR));
    forget(last);
  }

  return () => {
    for (let full = findFull(); full !== null; full = findFull()) {
      const [last, searched, business] = full;
      index(asInteger(last), asText(searched), asInteger(business));
    }
  };
}

/** Budgets have integers as ids, the others texts. */
function asKey(id: unknown): number | string {
  return typeof id === "number" ? id : asText(id);
}

function firstOf(number: number): number {
  return number - (number % BLOCK);
}

function addTo(blocks: Map<number, Set<string>>, first: number, fields: readonly string[]): void {
  const block = blocks.get(first) ?? new Set();
  blocks.set(first, block);
  for (const field of fields) block.add(field);
}
