import type { AccessStore, Session, User } from "@budgetkit/core/store";
import { aSession, aUser } from "./fixtures.js";

/** Begins a session with the password that its user has; a user who is not there yet is made. */
export async function beginSession(store: AccessStore, overrides: Partial<Session> = {}): Promise<Session> {
  const session = aSession(overrides);
  const { businessId, userId } = session;
  const user = (await store.findUser(businessId, userId)) ?? (await madeUser(store, businessId, userId));
  const outcome = await store.insertSession(session, user.passwordHash);
  if (outcome === "stale") throw new Error(`no session begins for user ${userId}`);
  return session;
}

async function madeUser(store: AccessStore, businessId: string, id: string): Promise<User> {
  const user = aUser({ businessId, id, emailKey: `${id}@business-${businessId}.example` });
  await store.insertUser(user);
  return user;
}
