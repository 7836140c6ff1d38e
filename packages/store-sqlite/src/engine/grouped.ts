import { createGroupCommit } from "@budgetkit/store-kit";
import { pieceOf } from "./batch.js";
import type { OwnConnection } from "./connection.js";

/** Requests that arrive at the same time reach their write in different turns of the event loop. */
const BATCH_TURNS = 4;

/** The same connection, on which concurrent writes share a commit: a durable one costs about the same for a hundred. */
export function grouped(connection: OwnConnection): OwnConnection {
  const group = createGroupCommit({ run: connection.writeTogether, maxTurns: BATCH_TURNS });

  function inGroup<T>(work: () => T, isSynced: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      connection.assertOpen();
      group.add(pieceOf(work, isSynced, resolve), (acknowledge) => acknowledge(), reject);
    });
  }

  return {
    ...connection,
    write: (piece) => inGroup(piece, true),
    writeUnsynced: (piece) => inGroup(piece, false),
    drain: async () => {
      await Promise.all([connection.drain(), group.drain()]);
    },
  };
}
