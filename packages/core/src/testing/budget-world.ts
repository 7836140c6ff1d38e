import { aClaim, manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { EMPTY_PROFILE } from "../access/business.js";
import type { BudgetContext } from "../budgets/budget-context.js";
import { createBudgetOperations } from "../budgets/budget-operations.js";
import type { DomainEvent } from "../events/event.js";
import { HeldClaim } from "../idempotency/held-claim.js";
import type { Actor } from "../kernel/actor.js";
import { createCall } from "../kernel/call.js";
import { createIdSource } from "../kernel/ids.js";
import { deriveSecrets } from "../kernel/secret-box.js";
import { createSigningKeys } from "../signing/signing-keys.js";
import type { Store } from "../store.js";
import { commitOn } from "./commit-on.js";

type Overrides = Partial<Omit<BudgetContext, "store">> & { readonly store?: Store };

/** Budget operations on a memory store, or on the given one, with a manual clock. */
export function budgetWorld({ store = memoryStore(), ...overrides }: Overrides = {}) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const announced: DomainEvent[] = [];
  const { box } = deriveSecrets(["a secret for tests"], seededRandom(8));
  const context: BudgetContext = {
    store,
    commit: commitOn(store, (events) => void announced.push(...events)),
    clock,
    random: seededRandom(7),
    box,
    sign: createSigningKeys({ store, clock, random: seededRandom(9), box }).sign,
    ids: createIdSource(store),
    rounding: "half-up",
    references: "open",
    quota: { budgets: null, bytes: null },
    linkReadings: null,
    mailing: null,
    publicBaseUrl: "https://quotes.example",
    listShared: async () => [],
    findBusiness: async () => ({ name: "Carpintería Norte", timeZone: "UTC", profile: EMPTY_PROFILE }),
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
    /** The claim of an Idempotency-Key that another request has taken over. */
    lostClaim: new HeldClaim(aClaim(), box),
    budgets: createBudgetOperations(
      () => context,
      createCall(async () => {}),
    ),
    /** The business's events, oldest first. */
    events: async () => [...(await store.listEvents("1", everything)).entries].reverse(),
  };
}
