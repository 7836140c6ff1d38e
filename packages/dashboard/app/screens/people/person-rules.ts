import type { Account } from "@budgetkit/client";
import type { Role } from "../../session/session.js";

/** Who looks at the list. */
export interface Viewer {
  readonly userId: string;
  readonly role: Role;
}

/** What the viewer may do with a person. The service holds these rules; the screen leaves out what it would refuse. */
export interface Allowed {
  /** The roles to choose from, the present one included; one alone = it stays. */
  readonly roles: readonly Role[];
  readonly resend: boolean;
  readonly disable: boolean;
  readonly enable: boolean;
  readonly endSessions: boolean;
  readonly removeFactor: boolean;
  readonly remove: boolean;
}

const NOTHING = {
  resend: false,
  disable: false,
  enable: false,
  endSessions: false,
  removeFactor: false,
  remove: false,
};

/** The roles that the viewer may give. An ADMIN makes no OWNER. */
export function rolesOf({ role }: Pick<Viewer, "role">): readonly Role[] {
  return role === "OWNER" ? ["OWNER", "ADMIN", "MEMBER"] : ["ADMIN", "MEMBER"];
}

export function allowedOf(viewer: Viewer, person: Account, people: readonly Account[]): Allowed {
  const isOwn = String(person.id) === viewer.userId;
  if (viewer.role === "MEMBER" || (viewer.role === "ADMIN" && person.role === "OWNER")) {
    return { ...NOTHING, roles: [person.role] };
  }
  const isDisabled = person.status === "DISABLED";
  const staysOwner = isLastOwner(person, people) || isDisabled;
  return {
    roles: staysOwner ? [person.role] : rolesOf(viewer),
    resend: person.status === "INVITED",
    disable: !isOwn && !isDisabled && !isLastOwner(person, people),
    enable: isDisabled,
    endSessions: person.openSessions > 0,
    removeFactor: !isOwn && person.hasSecondFactor && (viewer.role === "OWNER" || person.role === "MEMBER"),
    remove: !isOwn && !isLastOwner(person, people),
  };
}

/** One OWNER who can log in stays. */
function isLastOwner(person: Account, people: readonly Account[]): boolean {
  return isActiveOwner(person) && !people.some((other) => other.id !== person.id && isActiveOwner(other));
}

function isActiveOwner({ role, status }: Account): boolean {
  return role === "OWNER" && status === "ACTIVE";
}

/** Those who could only enrol a second factor if the business demanded one. */
export function withoutFactor(people: readonly Account[]): readonly Account[] {
  return people.filter(({ status, hasSecondFactor }) => status !== "DISABLED" && !hasSecondFactor);
}

export function matchesSearch({ displayName, email }: Account, text: string): boolean {
  const wanted = text.trim().toLocaleLowerCase();
  return [displayName, email].some((each) => each.toLocaleLowerCase().includes(wanted));
}
