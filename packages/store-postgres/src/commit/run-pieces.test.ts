import { describe, expect, it } from "vitest";
import type { GatheredStatements } from "../engine/gathered-statements.js";
import { prepared } from "../engine/session.js";
import { statementsIn } from "../engine/statements.js";
import type { Footprint } from "./footprint.js";
import { businessOpener } from "./open-business.js";
import { keepingResult, type Piece, runPieces } from "./run-pieces.js";

const open = businessOpener(statementsIn((sql) => sql));

/** Statements whose answers have no rows, and the texts of each round trip: those of the same turn. */
function recorded() {
  const trips: string[][] = [];
  let current: string[] | null = null;
  const statements: GatheredStatements = {
    run: ({ text }) => {
      if (current === null) {
        const trip: string[] = [];
        trips.push(trip);
        current = trip;
        process.nextTick(() => {
          current = null;
        });
      }
      current.push(text);
      return new Promise((resolve) => setImmediate(() => resolve([])));
    },
    fail: () => {},
  };
  return { statements, trips };
}

/** A piece that reads and then writes. */
function piece(name: string, footprint: readonly string[] | "all" = [name]): Piece {
  const names: Footprint = footprint === "all" ? "all" : new Set(footprint);
  return {
    business: 1,
    footprint: names,
    size: 1,
    inspect: async (business) => {
      await business.read(prepared(`read ${name}`), []);
      return () => business.write(prepared(`write ${name}`), []);
    },
  };
}

async function tripsOf(pieces: readonly Piece[], isHeld = true): Promise<readonly string[][]> {
  const { statements, trips } = recorded();
  await runPieces(open(1, statements), pieces, Promise.resolve(isHeld));
  return trips;
}

describe("pieces of a business in one transaction", () => {
  it("pieces with disjoint footprints read in one round trip, and write in their order in another", async () => {
    expect(await tripsOf([piece("a"), piece("b"), piece("c")])).toEqual([
      ["read a", "read b", "read c"],
      ["write a", "write b", "write c"],
    ]);
  });

  it("pieces write in their order, also when the reads of an earlier one take more round trips", async () => {
    const slow: Piece = {
      ...piece("slow"),
      inspect: async (business) => {
        await business.read(prepared("read slow"), []);
        return piece("more").inspect(business);
      },
    };
    expect(await tripsOf([slow, piece("b")])).toEqual([
      ["read slow", "read b"],
      ["read more"],
      ["write more", "write b"],
    ]);
  });

  it("pieces that share a record run one after the other: the later one reads what the earlier has written", async () => {
    expect(await tripsOf([piece("a", ["budget 1", "number 7"]), piece("b", ["number 7"]), piece("c")])).toEqual([
      ["read a"],
      ["write a", "read b", "read c"],
      ["write b", "write c"],
    ]);
  });

  it("a piece never runs before an earlier one that shares a record, also behind a third", async () => {
    const pieces = [piece("a", ["x"]), piece("b", ["x", "y"]), piece("c", ["y"]), piece("d", ["x"])];
    expect(await tripsOf(pieces)).toEqual([
      ["read a"],
      ["write a", "read b"],
      ["write b", "read c", "read d"],
      ["write c", "write d"],
    ]);
  });

  it('a piece of footprint "all" runs alone: after all before it, and before all behind it', async () => {
    expect(await tripsOf([piece("a"), piece("all", "all"), piece("b"), piece("c")])).toEqual([
      ["read a"],
      ["write a", "read all"],
      ["write all", "read b", "read c"],
      ["write b", "write c"],
    ]);
    expect(await tripsOf([piece("one", "all"), piece("other", "all")])).toEqual([
      ["read one"],
      ["write one", "read other"],
      ["write other"],
    ]);
  });

  it("pieces of a business whose lock is not held write nothing", async () => {
    expect(await tripsOf([piece("a"), piece("b"), piece("c", ["a"])], false)).toEqual([["read a", "read b"]]);
  });

  it("a piece that fails rejects, and nothing of its wave is sent", async () => {
    const { statements, trips } = recorded();
    const failing: Piece = { ...piece("b"), inspect: async () => () => Promise.reject(new Error("refused")) };
    await expect(runPieces(open(1, statements), [piece("a"), failing], Promise.resolve(true))).rejects.toThrow(
      "refused",
    );
    expect(trips).toEqual([["read a"]]);
  });

  it("rows that pieces of a wave add to a table are sent in one statement", async () => {
    const { statements, trips } = recorded();
    const insert = statementsIn((sql) => sql).insert("notes", { id: "bigint" });
    const pieces = ["a", "b"].map(
      (name): Piece => ({
        ...piece(name),
        inspect: async (business) => () => insert(business, 1),
      }),
    );
    await runPieces(open(1, statements), pieces, Promise.resolve(true));
    expect(trips).toEqual([[expect.stringContaining("INSERT INTO notes")]]);
  });

  it("keeps the result of the last run of a piece, which may run again", async () => {
    let runs = 0;
    const { business, footprint, size } = piece("a");
    const { kept, result } = keepingResult<number>({
      business,
      footprint,
      size,
      inspect: async () => () => {
        runs += 1;
        return runs;
      },
    });
    expect(result()).toBeNull();
    await tripsOf([kept], false);
    expect(result()).toBeNull();
    await tripsOf([kept]);
    await tripsOf([kept]);
    expect(result()).toEqual({ value: 2 });
  });
});
