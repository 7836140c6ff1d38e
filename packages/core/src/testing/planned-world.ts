import { aBudget, anEvent } from "@budgetkit/testing";
import { expect, onTestFinished, vi } from "vitest";
import { insertBudgetCommit } from "../budgets/budget-commits.js";
import type { Committed } from "../commit/commit.js";
import { createRunCommit } from "../commit/run-commit.js";
import type { DomainEvent } from "../events/event.js";
import type { Condition, StoreCommit, Write } from "../store.js";
import type { DeliveryStatus } from "../webhooks/delivery.js";
import type { WebhookEndpoint } from "../webhooks/endpoint.js";
import { type Script, type WebhookWorld, webhookWorld } from "./webhook-world.js";

/** Commits budgets, each with the events given or one, as a service does: with planned deliveries. */
export function planningCommits({ dispatcher, store, clock }: WebhookWorld) {
  const run = createRunCommit<Write, Condition>({
    store,
    planDeliveries: dispatcher.planDeliveries,
    announce: (_, isPlanned) => {
      if (!isPlanned) dispatcher.wakeForEvents();
    },
  });
  return async (id: string, given?: readonly Partial<DomainEvent>[]): Promise<Committed["kind"]> => {
    const events = (given ?? [{ id: `9${id}` }]).map((each) =>
      anEvent({ subjectId: id, occurredAt: clock.now(), ...each }),
    );
    return (await run(insertBudgetCommit(aBudget({ id }), { events }))).kind;
  };
}

interface PlannedWorldOptions {
  readonly script?: Script;
  readonly endpoint?: Partial<WebhookEndpoint>;
}

/** A world with a started dispatcher, which knows the subscribers from the fan-out of a first event. */
export async function plannedWorld(
  overrides: Parameters<typeof webhookWorld>[0] = {},
  { script, endpoint = {} }: PlannedWorldOptions = {},
) {
  const world = await webhookWorld(overrides, script);
  await world.endpoint(endpoint);
  world.dispatcher.start();
  onTestFinished(() => world.dispatcher.stop());
  const commit = planningCommits(world);
  await commit("1");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered"]));
  const fanOut = vi.spyOn(world.store, "fanOut");
  return { ...world, commit, fanOut };
}

export async function statusesOf(world: Pick<WebhookWorld, "deliveries">): Promise<DeliveryStatus[]> {
  return (await world.deliveries()).map(({ status }) => status);
}

/** The store passes its next commit to `replaced`, which runs it or not. */
export function replaceCommit(
  { store }: Pick<WebhookWorld, "store">,
  replaced: (run: () => Promise<Committed>) => Promise<Committed>,
): void {
  const { commit } = store;
  vi.spyOn(store, "commit").mockImplementationOnce((given: StoreCommit) => replaced(() => commit(given)));
}

/** The next commit does not report the deliveries that it makes, as after a lost connection. */
export function hideMade(world: Pick<WebhookWorld, "store">): void {
  replaceCommit(world, async (run) => {
    const committed = await run();
    return committed.kind === "written" ? { ...committed, made: null } : committed;
  });
}
