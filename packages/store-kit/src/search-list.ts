import { setImmediate as nextTurn } from "node:timers/promises";
import type { Page, Position } from "@budgetkit/core/store";

/** More candidates of the search index than this are not read one by one. */
export const MAX_CANDIDATES = 2_000;

/** Rows that one step of a walk reads: a few milliseconds. */
const WALK_STEP = 1_000;

/** Rows of the list in which the matches of a walk are counted. */
const MAX_COUNTED = 5_000;

/** Rows that the walk of one page reads. A text of three characters is frequent if it is walked for: few pages need all. */
const MAX_WALK = 100_000;
const MAX_WALK_FOR_SHORT_TEXT = 20_000;

/** The first rows of the list. With {@link FREQUENT} matches among them, a walk fills a page sooner than the index. */
const SAMPLE = 200;
const FREQUENT = 4;

/** A row that a walk has read, in the order of the list. */
export interface WalkedRow<Key> {
  readonly key: Key;
  readonly isMatch: boolean;
}

/** One step of a walk. A store may read fewer rows than the limit where their texts are large. */
export interface WalkStep<Key> {
  readonly rows: readonly WalkedRow<Key>[]; // none only at the end
  readonly isEnd: boolean; // no rows follow
}

/** What a list with a search reads of a store. */
export interface SearchSource<Key, Id> {
  /** The next rows of the list in its order, the rows without a match included. */
  walk(position: Position<Key>, limit: number): Promise<WalkStep<Key>>;
  /** A set that includes the rows whose text has all trigrams; null = more than {@link MAX_CANDIDATES}. */
  findCandidates(trigrams: readonly string[]): Promise<readonly Id[] | null>;
}

/** The matches of a page, by keyset position. */
export interface WalkedPage<Key> extends Pick<Page<unknown>, "total" | "totalIsLowerBound"> {
  readonly keys: readonly Key[];
  readonly next: Key | null; // the next page starts after it; null = the last page
}

export type SearchResult<Key, Id> =
  | { readonly kind: "candidates"; readonly ids: readonly Id[] } // the list has no matches but among these
  | { readonly kind: "walked"; readonly page: WalkedPage<Key> };

/**
 * Finds the page of a list with a search. Each step is bounded, and other requests are served between the steps.
 *
 * - A rare text is looked up in the index of trigrams. The store filters, counts and sorts the candidates.
 * - A frequent text, and one of fewer than three characters, is found by a walk along the list that stops at the page.
 *   Its count is a lower bound, unless the list has few rows or the walk came to its end.
 */
export async function searchList<Key, Id>(
  source: SearchSource<Key, Id>,
  query: { readonly search: string; readonly position: Position<Key>; readonly limit: number },
): Promise<SearchResult<Key, Id>> {
  const trigrams = trigramsOf(query.search);
  if (trigrams.length > 0) {
    const sample = await source.walk(START, SAMPLE);
    await nextTurn();
    const isRare = !sample.isEnd && countMatches(sample.rows) < FREQUENT;
    const ids = isRare ? await source.findCandidates(trigrams) : null;
    if (ids !== null) return { kind: "candidates", ids };
  }
  const maxRows = trigrams.length > 0 ? MAX_WALK : MAX_WALK_FOR_SHORT_TEXT;
  return { kind: "walked", page: await walkedPage(source, query, maxRows) };
}

const START = { kind: "offset", offset: 0 } as const;

async function walkedPage<Key, Id>(
  { walk }: SearchSource<Key, Id>,
  { position, limit }: { readonly position: Position<Key>; readonly limit: number },
  maxRows: number,
): Promise<WalkedPage<Key>> {
  const counted = await countFirstRows(walk);
  const offset = position.kind === "offset" ? position.offset : 0;
  const keys: Key[] = [];
  let matches = 0;
  let step = position.kind === "offset" ? counted.firstStep : await walk(position, WALK_STEP);
  for (let walked = step.rows.length; ; walked += step.rows.length) {
    for (const { key, isMatch } of step.rows) {
      if (!isMatch) continue;
      matches += 1;
      if (matches > offset && keys.length <= limit) keys.push(key);
    }
    const last = step.rows.at(-1)?.key ?? null;
    const isEnd = step.isEnd || last === null;
    if (keys.length > limit || isEnd || walked >= maxRows) {
      const isLast = isEnd || (offset > 0 && keys.length === 0); // else every page by number would be followed by one
      const next = keys.length > limit ? (keys[limit - 1] ?? null) : isLast ? null : last;
      return {
        keys: keys.slice(0, limit),
        next,
        ...countOf(counted, position.kind === "after" ? null : matches, isEnd),
      };
    }
    await nextTurn();
    step = await walk({ kind: "after", key: last }, WALK_STEP);
  }
}

interface Counted<Key> {
  readonly firstStep: WalkStep<Key>;
  readonly matches: number;
  readonly isWhole: boolean; // the list has no more rows than were counted
}

async function countFirstRows<Key, Id>(walk: SearchSource<Key, Id>["walk"]): Promise<Counted<Key>> {
  const firstStep = await walk(START, WALK_STEP);
  let step = firstStep;
  let matches = countMatches(step.rows);
  for (let counted = step.rows.length; counted < MAX_COUNTED; counted += step.rows.length) {
    const last = step.rows.at(-1)?.key ?? null;
    if (step.isEnd || last === null) return { firstStep, matches, isWhole: true };
    await nextTurn();
    step = await walk({ kind: "after", key: last }, Math.min(WALK_STEP, MAX_COUNTED - counted));
    matches += countMatches(step.rows);
  }
  return { firstStep, matches, isWhole: step.isEnd };
}

/** `walked`: the matches that the page's walk has read, null if it did not begin at the start of the list. */
function countOf(
  { matches, isWhole }: Pick<Counted<unknown>, "matches" | "isWhole">,
  walked: number | null,
  isEnd: boolean,
): Pick<Page<unknown>, "total" | "totalIsLowerBound"> {
  const total = Math.max(matches, walked ?? 0);
  return isWhole || (isEnd && walked !== null) ? { total } : { total, totalIsLowerBound: true };
}

function countMatches(rows: readonly WalkedRow<unknown>[]): number {
  return rows.reduce((count, { isMatch }) => (isMatch ? count + 1 : count), 0);
}

const TRIGRAM = 3;

/** More trigrams of a long text cost more than they exclude. */
const MAX_TRIGRAMS = 12;

/** Three characters each, by code point, spread over the text; none for a shorter text. */
export function trigramsOf(text: string): readonly string[] {
  const characters = [...text];
  const count = Math.max(0, characters.length - TRIGRAM + 1);
  const step = Math.max(1, Math.ceil(count / MAX_TRIGRAMS));
  const starts = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
  return [...new Set(starts.map((start) => characters.slice(start, start + TRIGRAM).join("")))];
}
