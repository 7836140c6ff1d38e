import type { Session } from "./session.js";

type Person = Pick<Session, "userId" | "businessId">;

/**
 * False when another person logged in: what the tab has read, and an act that was begun in it, belong to the former one.
 * A person who logged out and in again is the same.
 */
export function isSamePerson(former: Person, present: Person): boolean {
  return former.userId === present.userId && former.businessId === present.businessId;
}
