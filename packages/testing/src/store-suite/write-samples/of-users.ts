import {
  endSessionCommit,
  insertUserCommit,
  openSessionCommit,
  type RefreshRotation,
  refreshSessionCommit,
  removeUserCommit,
  replaceHashCommit,
  replaceUserCommit,
  type Store,
  type User,
} from "@budgetkit/core/store";
import { anAuditEntry, aSession, aUser, FIXTURE_TIME as NOW } from "../../fixtures.js";
import { aWrite, stores, type WriteSample } from "./sample.js";

const { passwordHash } = aUser();
const stored = (overrides: Partial<User> = {}) => aUser({ version: 2, ...overrides });
const next = (overrides: Partial<User> = {}) => aUser({ version: 3, ...overrides });
const eve = aUser({ businessId: "1001", id: "31", emailKey: "eve@example.com" });
const another = aUser({ id: "32", emailKey: "bob@example.com" }); // another OWNER of the business
const disabled = aUser({ id: "33", emailKey: "zoe@example.com", disabledAt: NOW });

const withUser = stores(insertUserCommit(stored()), insertUserCommit(eve), insertUserCommit(disabled));
const withSession = stores(
  insertUserCommit(stored()),
  openSessionCommit(aSession(), passwordHash),
  openSessionCommit(aSession({ id: "41", endedAt: NOW - 1 }), passwordHash),
  openSessionCommit(aSession({ id: "42", refreshExpiresAt: NOW }), passwordHash),
);

const readUser = async (store: Store) => {
  const byEmail = await store.findUserByEmail(aUser().emailKey);
  return [await store.findUser("1", "30"), byEmail?.businessId === "1" ? byEmail : null];
};
const shown = (user: User) => [user, user];
const EMAIL_TAKEN = { taken: "email", value: eve.emailKey } as const;

/** A user with the number of the mark as id: callers at once have one email, and ids of their own. */
const named = (mark: string) => aUser({ id: mark.replace(/\D/g, "") || "30", displayName: mark });

export const userSamples = [
  aWrite({
    name: "a new user",
    beside: ["audit"],
    prepare: stores(insertUserCommit(eve), insertUserCommit(another)),
    commit: (mark) => insertUserCommit(named(mark)),
    read: async (store) => (await readUser(store))[1],
    after: named,
    again: { taken: "email", value: aUser().emailKey },
    refusals: {
      "a user of another business has its email": [insertUserCommit(aUser({ emailKey: eve.emailKey })), EMAIL_TAKEN],
      "its id is taken": [insertUserCommit(aUser({ id: "32" })), "rejected"],
    },
    elsewhere: "written",
  }),
  aWrite({
    name: "a changed user",
    beside: ["audit"],
    prepare: withUser,
    commit: (mark) => replaceUserCommit(next({ displayName: mark }), 2),
    read: readUser,
    after: (mark) => shown(next({ displayName: mark })),
    again: "stale",
    refusals: {
      "its version is past": [replaceUserCommit(stored({ displayName: "late" }), 1), "stale"],
      "its version is yet to come": [replaceUserCommit(aUser({ version: 4 }), 3), "stale"],
      "a user of another business has its email": [replaceUserCommit(next({ emailKey: eve.emailKey }), 2), EMAIL_TAKEN],
      "no OWNER would stay": [replaceUserCommit(next({ role: "ADMIN" }), 2), "last-owner"],
    },
    elsewhere: "stale",
    ids: ["1", "30"],
  }),
];

const entry = anAuditEntry({ id: "96", type: "user.removed", subjectId: "30" });

export const userRemovalSamples = [
  aWrite({
    name: "a removed user",
    beside: ["audit"],
    prepare: stores(insertUserCommit(stored()), insertUserCommit(another)),
    commit: () => removeUserCommit("30", 2, entry),
    read: readUser,
    after: () => [null, null],
    again: "stale",
    refusals: {
      "its version is past": [removeUserCommit("30", 1, entry), "stale"],
      "its version is yet to come": [removeUserCommit("30", 3, entry), "stale"],
    },
    elsewhere: "stale",
    ids: ["1", "30"],
  }),
];

export const hashSamples = [
  aWrite({
    name: "another password hash",
    prepare: withUser,
    commit: (mark) => replaceHashCommit("1", "30", passwordHash, mark),
    read: readUser,
    after: (mark) => shown(next({ passwordHash: mark })),
    again: "stale",
    refusals: { "another hash is stored": [replaceHashCommit("1", "30", "other", "next"), "stale"] },
    elsewhere: "stale",
    ids: ["1", "30"],
  }),
];

const readSession = (store: Store) => store.findSession("1", "40");
const notOpened: WriteSample["refusals"] = {
  "another hash is stored": [openSessionCommit(aSession(), "other"), "stale"],
  "it has no hash": [openSessionCommit(aSession(), ""), "stale"],
  "its user is disabled": [openSessionCommit(aSession({ userId: "33" }), passwordHash), "stale"],
  "its user is another business's": [openSessionCommit(aSession({ userId: "31" }), passwordHash), "stale"],
};

export const sessionSamples = [
  aWrite({
    name: "a new session",
    beside: ["audit"],
    prepare: withUser,
    commit: (mark) => openSessionCommit(aSession({ refreshHash: mark }), passwordHash),
    read: readSession,
    after: (mark) => aSession({ refreshHash: mark }),
    again: "rejected",
    refusals: notOpened,
    elsewhere: "stale",
    ids: ["30"],
  }),
];

function rotation(newHash: string, overrides: Partial<RefreshRotation> = {}): RefreshRotation {
  const { businessId, id: sessionId, refreshHash: expectedHash } = aSession();
  return { businessId, sessionId, expectedHash, newHash, newExpiresAt: NOW + 9, ...overrides };
}

export const refreshSamples = [
  aWrite({
    name: "another refresh token",
    prepare: withSession,
    commit: (mark) => refreshSessionCommit(rotation(mark), NOW),
    read: readSession,
    after: (mark) => aSession({ refreshHash: mark, refreshExpiresAt: NOW + 9 }),
    again: "stale",
    refusals: {
      "another token is stored": [refreshSessionCommit(rotation("next", { expectedHash: "other" }), NOW), "stale"],
      "its session has ended": [refreshSessionCommit(rotation("next", { sessionId: "41" }), NOW), "stale"],
      "its session has expired": [refreshSessionCommit(rotation("next", { sessionId: "42" }), NOW), "stale"],
    },
    elsewhere: "stale",
    ids: ["1", "40"],
  }),
];

export const sessionEndSamples = [
  aWrite({
    name: "an ended session",
    beside: ["audit"],
    prepare: withSession,
    commit: () => endSessionCommit("1", "40", NOW),
    read: readSession,
    after: () => aSession({ endedAt: NOW }),
    again: "missing",
    refusals: { "it has ended": [endSessionCommit("1", "41", NOW), "missing"] },
    elsewhere: "missing",
    ids: ["1", "40"],
  }),
];

export const sessionsEndSamples = [
  aWrite({
    name: "a changed user whose sessions end",
    beside: ["audit"],
    prepare: withSession,
    commit: (mark) => replaceUserCommit(next({ passwordHash: mark }), 2, { at: NOW, except: null }),
    read: async (store) => [await readUser(store), await readSession(store), await store.findSession("1", "41")],
    after: (mark) => [
      shown(next({ passwordHash: mark, lastLoginAt: aSession().createdAt })),
      aSession({ endedAt: NOW }),
      aSession({ id: "41", endedAt: NOW - 1 }),
    ],
    again: "stale",
    refusals: { "its version is past": [replaceUserCommit(stored(), 1, { at: NOW, except: null }), "stale"] },
    elsewhere: "stale",
    ids: ["1", "30"],
  }),
];
