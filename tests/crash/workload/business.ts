import { createBudgetService, scryptHasher, systemRandom } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";

export interface CrashBusiness {
  readonly businessId: string;
  readonly keyId: string;
  readonly key: string; // its rate limit is never reached
  readonly webhookSecret: string;
  readonly loginToken: string;
}

/** Creates a business with a key and a session before the server starts, and closes the store. */
export async function prepareBusiness(
  store: Store,
  secret: string,
  webhookUrl: string | null = null,
): Promise<CrashBusiness> {
  const passwordHasher = scryptHasher(systemRandom, { cost: 16 });
  const service = createBudgetService({ store, secret, passwordHasher, allowPrivateDestinations: true });
  const business = (await service.businesses.create({ name: "Norte", tier: "ENTERPRISE" }))._unsafeUnwrap();
  const login = { email: "ana@example.org", password: "correct horse" };
  const owner = { ...login, businessId: business.id, displayName: "Ana", role: "OWNER" } as const;
  (await service.users.create(owner))._unsafeUnwrap();
  const { access_token } = (await service.sessions.login(login))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  (await service.businesses.update(actor, { numberPattern: "K-{seq}" }))._unsafeUnwrap();
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"] as const;
  const input = { name: "writers", scopes: [...scopes], rateLimitPerHour: 1_000_000_000, webhookUrl };
  const { id, key, webhookSecret } = (await service.keys.create(actor, input))._unsafeUnwrap();
  await store.close();
  return { businessId: business.id, keyId: id, key, webhookSecret, loginToken: access_token };
}
