import { setImmediate as nextTurn } from "node:timers/promises";
import { asInteger, MAX_CANDIDATES, type Row } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

type Searched = "budgets" | "customers" | "products" | "packages";

/** Finds records of a business whose text may have all trigrams, by id; null = too many. */
export type FindCandidates<Id> = (business: number, trigrams: readonly string[]) => Promise<readonly Id[] | null>;

/** The numbers of a slot that one step searches. */
const STEP = 50_000;

/** How many numbers a slot has. */
const SLOT_SIZE = 2 ** 32;

/** The records at the end of a slot are not in the index yet, and those with a large text never: see the migrations. */
const BLOCK = 256;

/**
 * `asId` reads the id of a record. Records may change between the steps. One with a new text gets a number behind all
 * others or is large, so the end of the slot and the large texts are read last, in one statement, as they are then.
 */
export function candidateFinder<Id>(
  connection: Connection,
  searched: Searched,
  asId: (value: unknown) => Id,
): FindCandidates<Id> {
  const findSlot = connection.row(
    `SELECT slot << 32, (
       SELECT number FROM budgetkit_search_numbers AS numbers
       WHERE number BETWEEN slots.slot << 32 AND (slots.slot << 32) + 4294967295 ORDER BY number DESC LIMIT 1
     )
     FROM budgetkit_search_slots AS slots WHERE searched = '${searched}' AND business_id = ?`,
  );
  const findUnindexed = connection.values(
    `SELECT id FROM budgetkit_search_numbers WHERE number BETWEEN ? AND ?
     UNION ALL SELECT id FROM budgetkit_search_large WHERE searched = '${searched}' AND business_id = ? LIMIT ?`,
  );
  const findIndexed = connection.values(
    `SELECT numbers.id
     FROM budgetkit_search_index CROSS JOIN budgetkit_search_numbers AS numbers
       ON numbers.number = budgetkit_search_index.rowid
     WHERE budgetkit_search_index MATCH ? AND budgetkit_search_index.rowid BETWEEN ? AND ? LIMIT ?`,
  );

  return async (business, trigrams) => {
    if (trigrams.some((trigram) => trigram.includes("\0"))) return []; // stored text never holds NUL
    const [first, last] = asRange(await connection.read(() => findSlot(business)));
    const end = last + 1 - ((last + 1) % BLOCK);
    const expression = trigrams.map(quoted).join(" AND ");
    const found: Id[] = [];
    const add = async (find: (limit: number) => readonly unknown[]): Promise<boolean> => {
      const limit = MAX_CANDIDATES + 1 - found.length;
      found.push(...(await connection.read(() => find(limit))).map(asId));
      return found.length <= MAX_CANDIDATES;
    };
    for (let from = first; from < end; from += STEP) {
      const until = Math.min(end, from + STEP) - 1;
      if (!(await add((limit) => findIndexed(expression, from, until, limit)))) return null;
      await nextTurn();
    }
    const isAll = await add((limit) => findUnindexed(end, first + SLOT_SIZE - 1, business, limit));
    return isAll ? found : null;
  };
}

function asRange(row: Row | null): readonly [first: number, last: number] {
  const [first, last] = row ?? [];
  return typeof last === "number" ? [asInteger(first), asInteger(last)] : [0, -1];
}

/** A string of FTS5, in which every character stands for itself. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
