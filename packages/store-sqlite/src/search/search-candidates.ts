import { setImmediate as nextTurn } from "node:timers/promises";
import { asInteger, MAX_CANDIDATES, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { type CompareTexts, type Searched, textComparer } from "./compare-texts.js";
import { BLOCK, INDEXED_AT_ONCE, LARGEST_INDEXED_CHARACTERS, SEPARATOR } from "./search-blocks.js";

/** Finds the records of a business whose text has the text with these trigrams, by id; null = too many. */
export type FindCandidates<Id> = (
  business: number,
  trigrams: readonly string[],
  text: string,
) => Promise<readonly Id[] | null>;

/** The numbers of a slot that one step searches. */
const STEP = 50_000;

/** How many numbers a slot has. */
const SLOT_SIZE = 2 ** 32;

/**
 * Blocks that one search compares the texts of, and those that it looks up at once: two thousand texts. Words that seldom
 * stand in one text often stand in one block, so that many more blocks than texts may have all trigrams.
 */
const MAX_BLOCKS = BLOCK * MAX_CANDIDATES;
const BLOCKS_AT_ONCE = 250;

/**
 * FTS5 reads all entries of each trigram that it is asked for, so it is asked for the rarest ones. How frequent they are
 * is estimated from some texts of the index.
 */
const SAMPLE = 100;
const RAREST = 4;

/** The index has no text of more bytes. */
const LARGEST_INDEXED = 4 * LARGEST_INDEXED_CHARACTERS;

/**
 * `asId` reads the id of a record. The index leads to blocks of records, whose texts are compared. The records at the end
 * of a slot are not in the index yet, and those with a large text never: their texts are compared too.
 *
 * Records may change between the steps. One with a new text gets a number behind all others, so the end of the slot and the
 * large texts are read last, in one statement, as they are then.
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
     ), (
       SELECT min(last) FROM budgetkit_search_full
       WHERE last BETWEEN slots.slot << 32 AND (slots.slot << 32) + 4294967295
     )
     FROM budgetkit_search_slots AS slots WHERE searched = '${searched}' AND business_id = ?`,
  );
  const findUnindexed = connection.rows(
    `SELECT record.id, octet_length(search_text) FROM (
       SELECT id FROM budgetkit_search_numbers WHERE number BETWEEN ? AND ?
       UNION ALL SELECT id FROM budgetkit_search_large WHERE searched = '${searched}' AND business_id = ? LIMIT ?
     ) AS unindexed
     CROSS JOIN budgetkit_${searched} AS record ON record.business_id = ? AND record.id = unindexed.id`,
  );
  const compare = textComparer(connection, searched);
  const findWithin = blockComparer(connection, searched, compare);
  const findRarest = rarityEstimator(connection, searched);
  const findWith = blockFinder(connection);

  return async (business, all, text) => {
    if (text.includes("\0")) return []; // stored text never holds NUL
    const trigrams = all.filter((trigram) => !trigram.includes(SEPARATOR));
    if (trigrams.length === 0) return null;
    const indexed = indexedRange(await connection.read(() => findSlot(business)));
    const [first, end] = indexed;
    const rarest = trigrams.length > RAREST && first < end ? await findRarest(business, trigrams, indexed) : trigrams;
    const blocks =
      (await findWith(rarest, indexed)) ?? (rarest.length < trigrams.length ? await findWith(trigrams, indexed) : null);
    const found = blocks === null ? null : await findWithin(blocks, business, text);
    if (found === null) return null;
    const last = first + SLOT_SIZE - 1;
    const rest = await connection.read(() => findUnindexed(end, last, business, MAX_CANDIDATES + 1, business));
    if (rest.length > MAX_CANDIDATES) return null;
    const ids = new Set([...found, ...(await compare(business, rest, text))].map(asId));
    return ids.size > MAX_CANDIDATES ? null : [...ids];
  };
}

/** Finds the trigrams that are the rarest in some texts of the index. */
function rarityEstimator(connection: Connection, searched: Searched) {
  const findText = connection.value(
    `SELECT CASE WHEN octet_length(search_text) <= ${LARGEST_INDEXED} THEN search_text END
     FROM budgetkit_search_numbers AS numbers
     CROSS JOIN budgetkit_${searched} AS record ON record.business_id = ? AND record.id = numbers.id
     WHERE number >= ? ORDER BY number LIMIT 1`,
  );
  return async (business: number, trigrams: readonly string[], [first, end]: Range): Promise<string[]> => {
    const step = (end - first) / SAMPLE;
    const numbers = Array.from({ length: SAMPLE }, (_, index) => Math.floor(first + index * step));
    const texts = await connection.read(() => numbers.map((number) => String(findText(business, number))));
    return trigrams
      .map((trigram) => ({ trigram, texts: texts.filter((text) => text.includes(trigram)).length }))
      .sort((a, b) => a.texts - b.texts)
      .slice(0, RAREST)
      .map(({ trigram }) => trigram);
  };
}

/** Finds the blocks with all trigrams; null = too many. */
function blockFinder(connection: Connection) {
  // DISTINCT: rows of the index from before it had blocks have one text each.
  const findBlocks = connection.values(
    `SELECT DISTINCT rowid - rowid % ${BLOCK} FROM budgetkit_search_index
     WHERE budgetkit_search_index MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?`,
  );
  return async (trigrams: readonly string[], [first, end]: Range): Promise<readonly unknown[] | null> => {
    const expression = trigrams.map(quoted).join(" AND ");
    const found: unknown[] = [];
    for (let from = first; from < end; from += STEP) {
      const until = Math.min(end, from + STEP) - 1;
      const left = MAX_BLOCKS + 1 - found.length;
      found.push(...(await connection.read(() => findBlocks(expression, from, until, left))));
      if (found.length > MAX_BLOCKS) return null;
      await nextTurn();
    }
    return found;
  };
}

/** Finds the records of the blocks whose text has the text; null = too many. */
function blockComparer(connection: Connection, searched: Searched, compare: CompareTexts) {
  const findInBlocks = connection.rows(
    `SELECT record.id, octet_length(search_text) FROM json_each(?) AS block
     CROSS JOIN budgetkit_search_numbers AS numbers ON number BETWEEN block.value AND block.value + ${BLOCK - 1}
     CROSS JOIN budgetkit_${searched} AS record ON record.business_id = ? AND record.id = numbers.id
     WHERE octet_length(search_text) <= ${LARGEST_INDEXED}`,
  );

  return async (blocks: readonly unknown[], business: number, text: string): Promise<unknown[] | null> => {
    const found: unknown[] = [];
    for (let from = 0; from < blocks.length; from += BLOCKS_AT_ONCE) {
      const some = JSON.stringify(blocks.slice(from, from + BLOCKS_AT_ONCE));
      const records = await connection.read(() => findInBlocks(some, business));
      found.push(...(await compare(business, records, text)));
      if (found.length > MAX_CANDIDATES) return null;
    }
    return found;
  };
}

type Range = readonly [first: number, end: number];

/**
 * The numbers that the index has. A full block waits for the index where a process of an older release has filled it, which
 * does not index it.
 */
function indexedRange(row: Row | null): Range {
  const [first, last, waiting] = row ?? [];
  if (typeof last !== "number") return [0, 0];
  const next = typeof waiting === "number" ? waiting : last + 1;
  return [asInteger(first), next - (next % INDEXED_AT_ONCE)];
}

/** A string of FTS5, in which every character stands for itself. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
