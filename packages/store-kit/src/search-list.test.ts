import type { Position } from "@budgetkit/core/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_CANDIDATES, type SearchResult, type SearchSource, searchList, trigramsOf } from "./search-list.js";

/** A list of rows 0, 1, 2 …, of which `isMatch` says which ones match. `atOnce`: the most rows that a step reads. */
function sourceOf(
  rows: number,
  isMatch: (row: number) => boolean,
  atOnce = Number.POSITIVE_INFINITY,
): SearchSource<number, number> & { steps: number } {
  const source = {
    steps: 0,
    walk: async (position: Position<number>, limit: number) => {
      source.steps += 1;
      const first = position.kind === "offset" ? position.offset : position.key + 1;
      const length = Math.max(0, Math.min(limit, atOnce, rows - first));
      const read = Array.from({ length }, (_, index) => ({ key: first + index, isMatch: isMatch(first + index) }));
      return { rows: read, isEnd: first + length >= rows && length < limit };
    },
    findCandidates: async () => {
      const ids = Array.from({ length: rows }, (_, row) => row).filter(isMatch);
      return ids.length > MAX_CANDIDATES ? null : ids;
    },
  };
  return source;
}

const START = { kind: "offset", offset: 0 } as const;

function pageOf(result: SearchResult<number, number>) {
  if (result.kind !== "walked") throw new Error("expected a walk");
  return result.page;
}

describe("a search of a list", () => {
  it("reads candidates of a rare text", async () => {
    const source = sourceOf(500_000, (row) => row === 499_999);
    const query = { search: "oak", position: START, limit: 10 };
    expect(await searchList(source, query)).toEqual({ kind: "candidates", ids: [499_999] });
    expect(source.steps).toBe(1);
  });

  it("stops at the page of a frequent text, and marks the count", async () => {
    const source = sourceOf(500_000, (row) => row % 2 === 0);
    const page = pageOf(await searchList(source, { search: "oak", position: { kind: "offset", offset: 2 }, limit: 3 }));
    expect(page).toEqual({ keys: [4, 6, 8], next: 8, total: 2_500, totalIsLowerBound: true });
    expect(source.steps).toBe(6);
  });

  it("stops after 20,000 rows, and continues there behind the cursor", async () => {
    const source = sourceOf(50_000, (row) => row === 49_999);
    const first = pageOf(await searchList(source, { search: "zq", position: START, limit: 10 }));
    expect(first).toEqual({ keys: [], next: 19_999, total: 0, totalIsLowerBound: true });
    const second = pageOf(
      await searchList(source, { search: "zq", position: { kind: "after", key: 39_999 }, limit: 10 }),
    );
    expect(second).toMatchObject({ keys: [49_999], next: null, totalIsLowerBound: true });
  });

  it("takes a list for a long one whose large texts end the first step early", async () => {
    const source = sourceOf(500_000, (row) => row === 499_999, 3);
    expect(await searchList(source, { search: "oak", position: START, limit: 10 })).toMatchObject({ ids: [499_999] });
    expect(source.steps).toBe(1);
  });

  it("ends for a client that counts pages, where no page of a number goes further", async () => {
    const source = sourceOf(50_000, (row) => row === 49_999);
    const second = await searchList(source, { search: "zq", position: { kind: "offset", offset: 10 }, limit: 10 });
    expect(pageOf(second)).toEqual({ keys: [], next: null, total: 0, totalIsLowerBound: true });
  });

  it("finds and counts what the definition does, in short lists and in cut ones", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ rows: fc.integer({ min: 0, max: 9_000 }), nth: fc.integer({ min: 1, max: 700 }) }),
        fc.record({ offset: fc.integer({ min: 0, max: 50 }), limit: fc.integer({ min: 1, max: 30 }) }),
        fc.constantFrom(["a", 1_000], ["ab", 1_000], ["a", 70], ["ab", 999]),
        async ({ rows, nth }, { offset, limit }, [search, atOnce]) => {
          const isMatch = (row: number) => row % nth === nth - 1;
          const matches = Array.from({ length: rows }, (_, row) => row).filter(isMatch);
          const position = { kind: "offset", offset } as const;
          const page = pageOf(await searchList(sourceOf(rows, isMatch, atOnce), { search, position, limit }));
          expect(page.keys).toEqual(matches.slice(offset, offset + limit));
          expect(page.next).toBe(matches.length > offset + limit ? (matches[offset + limit - 1] ?? null) : null);
          if (page.totalIsLowerBound === true) {
            expect(rows).toBeGreaterThanOrEqual(5_000);
            expect(page.total).toBeLessThanOrEqual(matches.length);
          } else expect(page.total).toBe(matches.length);
        },
      ),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe("the trigrams of a text", () => {
  it("are of whole characters, each once", () => {
    expect(trigramsOf("a🪑bc")).toEqual(["a🪑b", "🪑bc"]);
    expect(trigramsOf("aaaaa")).toEqual(["aaa"]);
    expect(trigramsOf("🪑🪑")).toEqual([]);
  });

  it("are in every text that contains the text, and no more than twelve", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), (text, around) => {
        const trigrams = trigramsOf(text);
        expect(trigrams.length).toBeLessThanOrEqual(12);
        for (const trigram of trigrams) expect(`${around}${text}${around}`).toContain(trigram);
      }),
      { seed: 1 },
    );
  });
});
