import type { BudgetContext } from "../budgets/budget-context.js";
import { createBudgetOperations } from "../budgets/budget-operations.js";
import type { DomainEvent } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import { createCall } from "../kernel/call.js";
import { createIdSource } from "../kernel/ids.js";
import { manualClock } from "./manual-clock.js";
import { memoryStore } from "./memory-store/index.js";
import { seededRandom } from "./seeded-random.js";

/** Budget operations on a memory store at a clock that stands still: what a test of the rules needs. */
export function budgetWorld(overrides: Partial<BudgetContext> = {}) {
  const store = memoryStore();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const announced: DomainEvent[] = [];
  const context: BudgetContext = {
    store,
    clock,
    random: seededRandom(7),
    ids: createIdSource(store),
    rounding: "half-up",
    references: "open",
    announce: (events) => announced.push(...events),
    publicBaseUrl: "https://quotes.example",
    findBusiness: async () => ({ name: "Carpintería Norte", timeZone: "UTC" }),
    ...overrides,
  };
  const actor: Actor = { kind: "key", businessId: "1", id: "12", scopes: ["READ_BUDGETS", "WRITE_BUDGETS"] };
  const everything = { type: null, subjectId: null, since: null, until: null, limit: 1_000, offset: 0 };
  return {
    store,
    clock,
    context,
    announced,
    actor,
    budgets: createBudgetOperations(
      () => context,
      createCall(async () => {}),
    ),
    /** The business's events in the order in which they happened. */
    events: async () => [...(await store.listEvents("1", everything)).entries].reverse(),
  };
}
