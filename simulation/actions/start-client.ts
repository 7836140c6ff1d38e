import { drawInteger, seededRandom } from "@budgetkit/testing";
import type { WorldName } from "../world/kinds.js";
import { fail, type World } from "../world/world.js";
import {
  answerAtExpiry,
  answerBudget,
  createBudget,
  deleteOrRestore,
  duplicateBudget,
  editBudget,
  editOften,
  moveBudget,
  payBudget,
  readBudget,
  useLink,
} from "./budget-actions.js";
import type { Client } from "./client.js";
import { useTransaction } from "./host-transactions.js";
import { changeEndpoint, endKey, hurry, readDashboard, readOthers, recoverDeliveries } from "./other-actions.js";
import { replayEvents } from "./replay-events.js";

type Action = (client: Client) => Promise<unknown>;

/** The actions with their shares. A new one gets a line here. */
const ACTIONS: Readonly<Record<WorldName, readonly (readonly [Action, number])[]>> = {
  service: [
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
  ],
  deliveries: [
    [createBudget, 3],
    [answerBudget, 5],
    [editOften, 10],
    [changeEndpoint, 2],
    [endKey, 1],
  ],
};

export function startClient(world: World, index: number): void {
  const random = seededRandom(world.seed * 1_009 + index * 7_919);
  const draw = (below: number) => drawInteger(random, below);
  const [tenant, other] = draw(5) === 0 ? [...world.tenants].reverse() : world.tenants;
  if (tenant === undefined || other === undefined) throw new Error("two tenants are needed");
  const pick = <T>(entries: readonly T[]) => entries[draw(entries.length)];
  const client: Client = { world, name: `client ${index}`, tenant, other, draw, pick };
  world.clients += 1;
  const action = index < 3 ? createBudget : drawAction(ACTIONS[world.kind.name], draw); // the others need budgets
  action(client)
    .catch((error: unknown) => fail(world, error))
    .finally(() => {
      world.clients -= 1;
    });
}

function drawAction(actions: (typeof ACTIONS)[WorldName], draw: (below: number) => number): Action {
  let left = draw(actions.reduce((sum, [, share]) => sum + share, 0));
  for (const [action, share] of actions) {
    if (left < share) return action;
    left -= share;
  }
  return createBudget;
}
