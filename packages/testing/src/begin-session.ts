import { insertUserCommit, openSessionCommit, type Session, type Store, type User } from "@budgetkit/core/store";
import { aSession, aUser } from "./fixtures.js";

/** Begins a session with the password that its user has; a user who is not there yet is made. */
export async function beginSession(store: Store, overrides: Partial<Session> = {}): Promise<Session> {
  const session = aSession(overrides);
  const { businessId, userId } = session;
  const user = (await store.findUser(businessId, userId)) ?? (await madeUser(store, businessId, userId));
  const committed = await store.commit(openSessionCommit(session, user.passwordHash));
  if (committed.kind === "refused") throw new Error(`no session begins for user ${userId}`);
  return session;
}

async function madeUser(store: Store, businessId: string, id: string): Promise<User> {
  const user = aUser({ businessId, id, emailKey: `${id}@business-${businessId}.example` });
  await store.commit(insertUserCommit(user));
  return user;
}
