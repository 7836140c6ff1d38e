import { pluralOf } from "../plural.js";

const plural = pluralOf("en");

/** Roles by their names; null = not known. */
interface RoleMove {
  readonly from: string | null;
  readonly to: string | null;
}

/** What stands before the person's name, and what after it. */
type Act = (roles: RoleMove) => readonly [before: string, after: string];

type ActName =
  | "user.invited"
  | "user.role_changed"
  | "user.disabled"
  | "user.enabled"
  | "user.removed"
  | "user.sessions_ended"
  | "user.second_factor_enabled"
  | "user.second_factor_disabled";

const acts: Readonly<Record<ActName, Act>> = {
  "user.invited": ({ to }) => ["", to === null ? " was invited" : ` was invited as ${to}`],
  "user.role_changed": ({ from, to }) => ["", ` became ${to ?? "?"}${from === null ? "" : `, was ${from}`}`],
  "user.disabled": () => ["", " was disabled"],
  "user.enabled": () => ["", " was enabled"],
  "user.removed": () => ["", " was deleted"],
  "user.sessions_ended": () => ["Sessions of ", " ended"],
  "user.second_factor_enabled": () => ["", " turned the second factor on"],
  "user.second_factor_disabled": () => ["The second factor of ", " was removed"],
};

export const people = {
  count: (joined: number, invited: number) => (invited === 0 ? `${joined}` : `${joined}, and ${invited} invited`),
  hostTitle: "People sign in elsewhere",
  hostText: "The application around this dashboard decides who signs in, and as what.",
  search: "Name or mail",
  invite: "Invite",
  noMatch: "No person matches.",
  person: "Person",
  role: "Role",
  factor: "Second factor",
  lastSeen: "Last seen",
  state: "State",
  states: { ACTIVE: "Active", INVITED: "Invited", DISABLED: "Disabled" },
  notJoined: "not joined yet",
  on: "On",
  off: "Off",
  never: "never",
  invitedAt: (date: string) => `invited ${date}`,
  sessions: (count: number) => plural(count, { one: "1 session", other: `${count} sessions` }),
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `${name} is now ${role}`,
  changeRole: "Change role",
  changeRoleTitle: (role: string) => `Change the role to ${role}`,
  ownRoleText: "It is your own role. What it may not do is gone from your screens at once.",
  makeOwnerText: "An owner may do everything, also with other owners.",
  takeOwnerText: "The person may no longer act for owners.",
  sendAgain: "Send again",
  ask: "Ask to turn it on",
  askSubject: "Turn on the second factor of your account",
  enable: "Enable",
  disable: "Disable",
  endSessions: "End sessions",
  removeFactor: "Remove second factor",
  remove: "Delete",
  questions: {
    disable: {
      title: (name: string) => `Disable ${name}`,
      text: "The person cannot sign in, and all sessions end at once. You can enable them again.",
    },
    endSessions: {
      title: (name: string) => `End the sessions of ${name}`,
      text: "The person is signed out everywhere, and may sign in again.",
    },
    removeFactor: {
      title: (name: string) => `Remove the second factor of ${name}`,
      text: "For a lost phone. Sessions end; from then on the password alone signs in.",
    },
    remove: {
      title: (name: string) => `Delete ${name}`,
      text: "It cannot be undone. What the person made stays, and the email is free again.",
    },
  },
  done: {
    disable: (name: string) => `${name} is disabled`,
    enable: (name: string) => `${name} is enabled`,
    endSessions: (name: string) => `Sessions of ${name} ended`,
    removeFactor: (name: string) => `The second factor of ${name} is removed`,
    remove: (name: string) => `${name} is deleted`,
    close: "Done",
  },
  inviteTitle: "Invite a person",
  name: "Name",
  email: "Email",
  roleHints: {
    OWNER: "Everything, also other owners.",
    ADMIN: "Everything but owners.",
    MEMBER: "Sells: budgets and customers. Reads the rest.",
  },
  invitedTitle: (email: string) => `${email} is invited`,
  linkText: "Where mails are sent, this link is on its way. You can also give it to the person yourself.",
  copyLink: "Copy link",
  linkUntil: (date: string) => `It works once, until ${date}, and is not shown again.`,
  rightsTitle: "What each role may do",
  rightsNote: "The server holds these rules. The dashboard only leaves out what it would refuse.",
  area: "Area",
  areas: {
    sell: "Budgets, customers, payments, messages",
    catalog: "Products, packages, business profile",
    integrate: "API keys, webhooks, integrations",
    people: "Invite, change roles, end sessions",
    owners: "Make or remove an owner",
  },
  may: { read: "read", members: "all but owners" },
  signIn: "Sign-in",
  demand: "Second factor for everyone",
  wouldHaveTo: (count: number) =>
    plural(count, { one: "1 person would have to set it up", other: `${count} people would have to set it up` }),
  lackNow: (count: number) => plural(count, { one: "1 person has none yet", other: `${count} people have none yet` }),
  ownerDecides: "An owner decides it.",
  openSessions: (count: number) => plural(count, { one: "1 open session", other: `${count} open sessions` }),
  demandTitle: "Demand a second factor",
  demandText: (count: number) =>
    plural(count, {
      one: "1 person has none: at the next click they set it up, and can do nothing else before.",
      other: `${count} people have none: at the next click they set it up, and can do nothing else before.`,
    }),
  demandVerb: "Demand it",
  undemandTitle: "Demand it no longer",
  undemandText: "Then a password alone signs in those who turn their second factor off.",
  undemand: "Demand it no longer",
  demanded: "Everyone needs a second factor now",
  notDemanded: "The second factor is optional now",
  ownFactorFirst: "You have no second factor yourself, and could lock everyone out.",
  setItUp: "Set it up",
  changesTitle: "Changes of access",
  ledger: "Ledger",
  noChanges: "No changes yet.",
  what: "What",
  by: "By",
  when: "When",
  system: "The operator",
  acts,
};
