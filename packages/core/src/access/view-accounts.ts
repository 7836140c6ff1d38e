import type { AccessContext } from "./access-context.js";
import type { User } from "./user.js";
import { type AccountView, accountViewOf } from "./user-view.js";

type Reads = Pick<AccessContext, "store" | "clock">;

/** Users of one business with the number of their open sessions, by one look-up. */
export async function viewAccounts(
  { store, clock }: Reads,
  businessId: string,
  users: readonly User[],
): Promise<AccountView[]> {
  const ids = users.map(({ id }) => id);
  const open = ids.length === 0 ? null : await store.countLiveSessions(businessId, ids, clock.now());
  return users.map((user) => accountViewOf(user, open?.get(user.id) ?? 0));
}

export async function viewAccount({ store, clock }: Reads, user: User): Promise<AccountView> {
  const open = await store.countLiveSessions(user.businessId, [user.id], clock.now());
  return accountViewOf(user, open.get(user.id) ?? 0);
}
