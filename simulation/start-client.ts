import { drawInteger, seededRandom } from "@budgetkit/testing";
import {
  answerAtExpiry,
  answerBudget,
  createBudget,
  deleteOrRestore,
  duplicateBudget,
  editBudget,
  moveBudget,
  payBudget,
  readBudget,
  useLink,
} from "./budget-actions.js";
import type { Client } from "./client.js";
import { useTransaction } from "./host-transactions.js";
import { changeEndpoint, endKey, hurry, readDashboard, readOthers, recoverDeliveries } from "./other-actions.js";
import { replayEvents } from "./replays.js";
import type { World } from "./world.js";

type Action = (client: Client) => Promise<unknown>;

/** The actions with their shares. A new one gets a line here. */
const ACTIONS: readonly (readonly [Action, number])[] = [
  [createBudget, 10],
  [answerBudget, 16],
  [editBudget, 12],
  [moveBudget, 14],
  [payBudget, 15],
  [deleteOrRestore, 6],
  [useLink, 12],
  [answerAtExpiry, 12],
  [duplicateBudget, 4],
  [readBudget, 4],
  [readOthers, 5],
  [hurry, 5],
  [changeEndpoint, 3],
  [endKey, 3],
  [recoverDeliveries, 3],
  [readDashboard, 2],
  [replayEvents, 6],
  [useTransaction, 5],
];

export function startClient(world: World, index: number): void {
  const random = seededRandom(world.seed * 1_009 + index * 7_919);
  const draw = (below: number) => drawInteger(random, below);
  const [tenant, other] = draw(5) === 0 ? [...world.tenants].reverse() : world.tenants;
  if (tenant === undefined || other === undefined) throw new Error("two tenants are needed");
  const pick = <T>(entries: readonly T[]) => entries[draw(entries.length)];
  const client: Client = { world, name: `client ${index}`, tenant, other, draw, pick };
  world.clients += 1;
  const action = index < 3 ? createBudget : drawAction(draw); // the others need budgets to meet at
  action(client)
    .catch((error: unknown) => {
      world.failure ??= error instanceof Error ? error : new Error(String(error));
    })
    .finally(() => {
      world.clients -= 1;
    });
}

function drawAction(draw: (below: number) => number): Action {
  let left = draw(ACTIONS.reduce((sum, [, share]) => sum + share, 0));
  for (const [action, share] of ACTIONS) {
    if (left < share) return action;
    left -= share;
  }
  return createBudget;
}
