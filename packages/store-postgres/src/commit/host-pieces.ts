import type { ClientBase } from "pg";
import { asError, storeFailure } from "../engine/failures.js";
import { gatheredOn } from "../engine/gathered-statements.js";
import { inTurn } from "../engine/host-session.js";
import type { Layout } from "../engine/layout.js";
import { prepared } from "../engine/session.js";
import { heldForTooLong, PIECE_TIMEOUT_MS } from "./late-pieces.js";
import type { Opener } from "./open-business.js";
import { keepingResult, type Piece, runPieces } from "./run-pieces.js";

/** Runs each piece within the transaction that is open on the host's client. One that fails is undone by itself. */
export function hostPieces(
  client: ClientBase,
  {
    named,
    open,
    version,
    layout,
  }: {
    readonly named: (sql: string) => string;
    readonly open: Opener;
    readonly version: number;
    readonly layout: Pick<Layout, "beginPiece">;
  },
): <T>(piece: Piece<T>) => Promise<T> {
  const begin = prepared("SAVEPOINT budgetkit");
  const lock = prepared(named("SELECT @join_business($1, $2, $3)"));
  const others = layout.beginPiece.map((sql) => prepared(named(sql)));
  const end = prepared("RELEASE SAVEPOINT budgetkit");

  async function run<T>(piece: Piece<T>): Promise<T> {
    const statements = gatheredOn(client);
    const { kept, result } = keepingResult(piece);
    await statements.run(begin, []);
    for (const other of others) void statements.run(other, []);
    const of = [piece.business, PIECE_TIMEOUT_MS, version];
    const isHeld = statements.run(lock, of).then((rows) => rows[0]?.[0] === true);
    isHeld.catch(ignore); // the piece fails with it
    try {
      await runPieces(open(piece.business, statements), [kept], isHeld);
      const last = result();
      if (last === null) throw heldForTooLong();
      await statements.run(end, []);
      return last.value;
    } catch (error) {
      statements.fail(asError(error)); // what still runs sends nothing behind the ROLLBACK
      throw error;
    }
  }

  return (piece) =>
    inTurn(client, async () => {
      try {
        return await run(piece);
      } catch (error) {
        await client.query("ROLLBACK TO SAVEPOINT budgetkit; RELEASE SAVEPOINT budgetkit").catch(ignore);
        throw storeFailure(error);
      }
    });
}

function ignore(): void {}
