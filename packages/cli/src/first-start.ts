import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { BudgetService, Problem } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import type { Settings } from "./settings.js";
import { StartFailure } from "./start-failure.js";

/** Whoever can log in after the first start. */
export interface FirstOwner {
  readonly businessId: string;
  readonly email: string;
  readonly newPassword: string | null; // null = the one that the environment gave
}

/** How long a first start may take before another process makes another one. */
const LEASE_MS = 10_000;
const LOOKS_AGAIN_MS = 50;

/** The claim belongs to no business: the ids of businesses are greater. */
const FIRST_START = { businessId: "1", key: "first start" };

/**
 * Makes a business and its owner when nobody can log in yet; null = somebody can. Of processes that start at the same
 * time one makes them, and the others wait until it has.
 */
export async function makeFirstOwner(
  service: BudgetService,
  store: Store,
  settings: Settings,
): Promise<FirstOwner | null> {
  for (;;) {
    if (await service.users.exist()) return null;
    const claimId = randomUUID();
    const now = Date.now();
    const lease = { fingerprint: "", leaseUntil: now + LEASE_MS, expiresAt: now + LEASE_MS };
    if ((await store.claimKey({ ...FIRST_START, ...lease, claimId }, now)).kind === "claimed") {
      try {
        return (await service.users.exist()) ? null : await makeOwner(service, settings);
      } finally {
        await store.releaseClaim(FIRST_START.businessId, FIRST_START.key, claimId).catch(() => {}); // it lapses
      }
    }
    await pause(LOOKS_AGAIN_MS);
  }
}

async function makeOwner(service: BudgetService, settings: Settings): Promise<FirstOwner | null> {
  const { BUDGETKIT_ADMIN_EMAIL: email, BUDGETKIT_ADMIN_PASSWORD: given } = settings;
  const password = given ?? randomBytes(18).toString("base64url");
  const business = await service.businesses.create({ name: settings.BUDGETKIT_BUSINESS_NAME });
  if (business.isErr()) throw new StartFailure(reasonOf(business.error));
  const businessId = business.value.id;
  const owner = { businessId, email, password, displayName: "Owner", role: "OWNER" } as const;
  const user = await service.users.create(owner);
  if (user.isOk()) return { businessId, email, newPassword: given === null ? password : null };
  if (user.error.kind === "conflict") return null; // one whose claim had lapsed made the owner after all
  throw new StartFailure(reasonOf(user.error));
}

function reasonOf(problem: Problem): string {
  return `The first user could not be made: ${JSON.stringify(problem)}`;
}
