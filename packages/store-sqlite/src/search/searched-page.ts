import type { Page, Position } from "@budgetkit/core/store";
import { type Row, type SearchSource, searchList, type WalkedRow, type WalkStep } from "@budgetkit/store-kit";
import type { Condition, RunStatement } from "../engine/conditions.js";
import { asLengths, countForStep } from "./compare-texts.js";

const START = { kind: "offset", offset: 0 } as const;

/** A list, as a search reads it. */
export interface SearchedList<Entry, Key, Id> extends SearchSource<Key, Id> {
  /** The page from a position on, of the list of these records. */
  listAmong(ids: readonly Id[], position: Position<Key>): Promise<Page<Entry>>;
  idOf(key: Key): Id;
  encode(key: Key): string;
}

export async function searchedPage<Entry, Key, Id>(
  list: SearchedList<Entry, Key, Id>,
  query: { readonly search: string; readonly position: Position<Key>; readonly limit: number },
): Promise<Page<Entry>> {
  const found = await searchList(list, query);
  if (found.kind === "candidates") return list.listAmong(found.ids, query.position);
  const { keys, next, ...count } = found.page;
  const { entries } = await list.listAmong(
    keys.map((key) => list.idOf(key)),
    START,
  );
  return { entries, ...count, nextCursor: next === null ? null : list.encode(next) };
}

/** The statements of a step along a list, whose last value is their limit: the bytes of its texts, and its rows. */
export interface StepStatements {
  readonly lengths: Condition;
  readonly rows: Condition;
}

/** Reads a step of at most `limit` rows, and fewer where their texts are large. */
export function readStep<Key>(
  run: RunStatement,
  { lengths, rows }: StepStatements,
  limit: number,
  asWalkedRow: (row: Row) => WalkedRow<Key>,
): WalkStep<Key> {
  const bytes = asLengths(run(lengths, limit)[0]?.[0]);
  const count = countForStep(bytes);
  return { rows: run(rows, count).map(asWalkedRow), isEnd: count < limit && count === bytes.length };
}
