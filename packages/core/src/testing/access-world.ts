import type { AccessContext } from "../access/access-context.js";
import { scryptHasher } from "../access/password.js";
import type { Actor, Role } from "../kernel/actor.js";
import { createIdSource } from "../kernel/ids.js";
import { deriveSecrets } from "../kernel/secret-box.js";
import { aBusiness, FIXTURE_BUSINESS } from "./fixtures.js";
import { manualClock } from "./manual-clock.js";
import { memoryStore } from "./memory-store/index.js";
import { seededRandom } from "./seeded-random.js";

/** What access operations need, on a memory store with one STANDARD business and passwords that are cheap to hash. */
export async function accessWorld(overrides: Partial<AccessContext> = {}) {
  const store = memoryStore();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(7);
  const errors: unknown[] = [];
  const context: AccessContext = {
    store,
    limits: store,
    clock,
    random,
    ids: createIdSource(store),
    secrets: deriveSecrets(["a secret for tests"], random),
    hasher: scryptHasher(random, { cost: 2 }),
    allowPrivateDestinations: false,
    usesUnderWay: new Set(),
    onError: (error) => errors.push(error),
    ...overrides,
  };
  await store.reserveIds(1_000); // the fixtures' identifiers are among these
  await store.insertBusiness(aBusiness());
  return { store, clock, context, errors, owner: aUserActor("OWNER") };
}

/** A user of the fixtures' business who has logged in. */
export function aUserActor(role: Role, businessId: string = FIXTURE_BUSINESS): Actor {
  return { kind: "user", businessId, id: "30", role, sessionId: "40" };
}
