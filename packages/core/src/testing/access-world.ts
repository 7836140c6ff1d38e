import { aBusiness, FIXTURE_BUSINESS, manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { insertBusinessCommit } from "../access/access-commits.js";
import type { AccessContext } from "../access/access-context.js";
import { scryptHasher } from "../access/password.js";
import type { Actor, Role } from "../kernel/actor.js";
import { createIdSource } from "../kernel/ids.js";
import { createOneAtATime } from "../kernel/one-at-a-time.js";
import { deriveSecrets } from "../kernel/secret-box.js";
import { cancelWaiting } from "../webhooks/deliveries/bounded-steps.js";
import { commitOn } from "./commit-on.js";

/** An access context on a memory store with one STANDARD business and a cheap password hash. */
export async function accessWorld(overrides: Partial<AccessContext> = {}) {
  const store = memoryStore();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(7);
  const errors: unknown[] = [];
  const context: AccessContext = {
    store,
    commit: commitOn(store),
    limits: store,
    clock,
    random,
    quota: { budgets: null, bytes: null },
    ids: createIdSource(store),
    secrets: deriveSecrets(["a secret for tests"], random),
    hasher: scryptHasher(random, { cost: 2 }),
    byAccount: createOneAtATime(),
    mailer: null,
    underWay: new Set(),
    passwordPageUrl: null,
    publicBaseUrl: "http://localhost:3000/v1",
    allowPrivateDestinations: false,
    cancelCallbacks: (businessId, id, now) => cancelWaiting(store, businessId, { kind: "key", id }, now),
    usesUnderWay: new Set(),
    onError: (error) => errors.push(error),
    ...overrides,
  };
  await store.commit(insertBusinessCommit(aBusiness()));
  return { store, clock, context, errors, owner: aUserActor("OWNER") };
}

/** A logged-in user of the fixtures' business. */
export function aUserActor(role: Role, businessId: string = FIXTURE_BUSINESS): Actor {
  return { kind: "user", businessId, id: "30", role, sessionId: "40" };
}
