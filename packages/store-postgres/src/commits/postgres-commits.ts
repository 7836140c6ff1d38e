import {
  assertOneBusiness,
  type CommitStore,
  type Committed,
  type Condition,
  type StoreCommit,
  type Write,
} from "@budgetkit/core/store";
import { idToWrite } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";
import { commitParts } from "./commit-handlers.js";
import { commitPiece } from "./prepared-commit.js";

export function postgresCommits(connection: Connection): CommitStore<Write, Condition> {
  const parts = commitParts(connection.statements, connection.clock);
  return {
    commit: async (commit) => {
      assertOneBusiness(commit);
      if (commit.writes.length === 0) idToWrite(commit.businessId);
      const committed = await connection.runPiece(commitPiece(parts, commit));
      if (leavesWork(commit, committed)) connection.noteWork();
      return committed;
    },
  };
}

/** Whether a dispatcher has something to do: events without fan-out, or deliveries that no process has leased. */
function leavesWork({ events, writes, deliveries }: StoreCommit, committed: Committed): boolean {
  if (committed.kind === "refused") return false;
  const isMade = committed.made === null || committed.made.length > 0; // null: of a repeated commit, not known
  const isUnleased = deliveries?.deliveries.some(({ lease }) => lease === null) ?? false;
  const hasDelivery = writes.some((write) => write.kind === "delivery" && write.delivery.lease === null);
  return (committed.mayWait && events.length > 0) || (isMade && isUnleased) || hasDelivery;
}
