import { anEventQuery, aUser } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { Role } from "../kernel/actor.js";
import { accessWorld, aUserActor } from "../testing/access-world.js";
import { insertUserCommit } from "./access-commits.js";
import { changeRole, disableUser, enableUser, endUserSessions, removeUser, updateUser } from "./administer-users.js";
import { authenticateUser } from "./authenticate.js";
import { login } from "./login/login.js";
import { createUser, findUserByEmail, getUser, listUsers } from "./manage-users.js";

const ana = {
  businessId: "1",
  email: "Ana@Example.com",
  password: "correct horse",
  displayName: "Ana",
  role: "OWNER",
  emailVerified: false,
} as const;

/** Ana is OWNER, Ben ADMIN; both are logged in. */
async function worldOfTwo() {
  const world = await accessWorld();
  const { context, clock } = world;
  const ben = { ...ana, email: "ben@example.com", displayName: "Ben", role: "ADMIN" } as const;
  const make = async (input: typeof ana | typeof ben) => {
    const { id } = (await createUser(context, input))._unsafeUnwrap();
    const { email, password } = input;
    const enter = () => login(context, { email, password }, null, clock.now());
    const { access_token: token } = (await enter())._unsafeUnwrap();
    const isLoggedIn = async () => (await authenticateUser(context, token, clock.now())).isOk();
    return { id: String(id), enter, isLoggedIn };
  };
  return { ...world, ana: await make(ana), ben: await make(ben) };
}

const system = { kind: "system", businessId: "1" } as const;
const lastOwner = { kind: "rule", rule: "LAST_OWNER" };

describe("administration of users", () => {
  it("lists the users of the business with their state", async () => {
    const { context, ben } = await worldOfTwo();
    await disableUser(context, system, ben.id);
    const { data, pagination } = (await listUsers(context, system, { page: 1, limit: 10 }))._unsafeUnwrap();
    expect(data).toMatchObject([
      { email: ana.email, status: "ACTIVE", role: "OWNER", hasSecondFactor: false },
      { email: "ben@example.com", status: "DISABLED", role: "ADMIN" },
    ]);
    expect(JSON.stringify(data)).not.toContain("scrypt");
    expect(pagination).toMatchObject({ total: 2, totalPages: 1 });
    const other = { kind: "system", businessId: "2" } as const;
    expect((await listUsers(context, other, { page: 1, limit: 10 }))._unsafeUnwrap().data).toEqual([]);
  });

  it("disables a user, whose session ends at once and who cannot log in until enabled", async () => {
    const { context, ben } = await worldOfTwo();
    expect((await disableUser(context, system, ben.id))._unsafeUnwrap()).toMatchObject({ status: "DISABLED" });
    expect(await ben.isLoggedIn()).toBe(false);
    expect((await ben.enter())._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect((await enableUser(context, system, ben.id))._unsafeUnwrap()).toMatchObject({ status: "ACTIVE" });
    expect(await ben.isLoggedIn()).toBe(false);
    expect((await ben.enter()).isOk()).toBe(true);
  });

  it("removes a user, whose session ends at once and whose email becomes free again", async () => {
    const { context, ben } = await worldOfTwo();
    expect((await removeUser(context, system, ben.id))._unsafeUnwrap()).toMatchObject({ email: "ben@example.com" });
    expect(await ben.isLoggedIn()).toBe(false);
    expect((await findUserByEmail(context, "ben@example.com"))._unsafeUnwrapErr().kind).toBe("not-found");
    expect((await createUser(context, { ...ana, email: "ben@example.com" })).isOk()).toBe(true);
  });

  it("ends all sessions of a user, who may log in again", async () => {
    const { context, ben } = await worldOfTwo();
    expect((await endUserSessions(context, system, ben.id)).isOk()).toBe(true);
    expect(await ben.isLoggedIn()).toBe(false);
    expect((await ben.enter()).isOk()).toBe(true);
  });

  it("refuses to disable, remove or demote the last active OWNER (LAST_OWNER)", async () => {
    const { context, ana, ben } = await worldOfTwo();
    expect((await disableUser(context, system, ana.id))._unsafeUnwrapErr()).toMatchObject(lastOwner);
    expect((await removeUser(context, system, ana.id))._unsafeUnwrapErr()).toMatchObject(lastOwner);
    expect((await changeRole(context, system, ana.id, "ADMIN"))._unsafeUnwrapErr()).toMatchObject(lastOwner);
    expect(await ana.isLoggedIn()).toBe(true);
    expect((await changeRole(context, system, ben.id, "OWNER"))._unsafeUnwrap()).toMatchObject({ role: "OWNER" });
    expect((await changeRole(context, system, ana.id, "MEMBER"))._unsafeUnwrap()).toMatchObject({ role: "MEMBER" });
    expect((await removeUser(context, system, ben.id))._unsafeUnwrapErr()).toMatchObject(lastOwner);
  });

  it("decides again on a user who becomes the last OWNER during the call", async () => {
    const { context, ana, ben } = await worldOfTwo();
    const racing = () => {
      let isFirst = true;
      const findUser: typeof context.store.findUser = async (...asked) => {
        const found = await context.store.findUser(...asked);
        if (isFirst) {
          isFirst = false;
          await changeRole(context, system, ben.id, "OWNER");
          await changeRole(context, system, ana.id, "MEMBER");
        }
        return found;
      };
      return { ...context, store: { ...context.store, findUser } };
    };
    expect((await endUserSessions(racing(), system, ben.id))._unsafeUnwrap()).toMatchObject({ role: "OWNER" });
    await changeRole(context, system, ana.id, "OWNER");
    await changeRole(context, system, ben.id, "ADMIN");
    const removed = await removeUser(racing(), aUserActor("ADMIN"), ben.id);
    expect(removed._unsafeUnwrapErr()).toMatchObject({ kind: "forbidden" });
  });

  it("refuses an ADMIN's change of an OWNER or promotion to OWNER, and every change by a MEMBER (FORBIDDEN)", async () => {
    const { context, ana, ben } = await worldOfTwo();
    const forbidden = { kind: "forbidden" };
    const admin = aUserActor("ADMIN");
    for (const act of [disableUser, removeUser, endUserSessions]) {
      expect((await act(context, admin, ana.id))._unsafeUnwrapErr()).toMatchObject(forbidden);
      expect((await act(context, aUserActor("MEMBER"), ben.id))._unsafeUnwrapErr()).toMatchObject(forbidden);
    }
    expect((await changeRole(context, admin, ben.id, "OWNER"))._unsafeUnwrapErr()).toMatchObject(forbidden);
    expect((await changeRole(context, admin, ana.id, "MEMBER"))._unsafeUnwrapErr()).toMatchObject(forbidden);
    expect((await changeRole(context, admin, ben.id, "MEMBER")).isOk()).toBe(true);
    const read = await listUsers(context, aUserActor("MEMBER"), { page: 1, limit: 1 });
    expect(read._unsafeUnwrapErr()).toMatchObject(forbidden);
    expect((await getUser(context, aUserActor("MEMBER"), ben.id))._unsafeUnwrapErr()).toMatchObject(forbidden);
    expect((await getUser(context, admin, ana.id))._unsafeUnwrap()).toMatchObject({ email: "Ana@Example.com" });
  });

  it("changes several fields of a user at once, with an audit entry for each, or none of them", async () => {
    const { context, store, ana, ben } = await worldOfTwo();
    const owner = aUserActor("OWNER");
    const input = { displayName: "Benedict", role: "MEMBER", disabled: true } as const;
    const changed = (await updateUser(context, owner, ben.id, input))._unsafeUnwrap();
    expect(changed).toMatchObject({ displayName: "Benedict", role: "MEMBER", status: "DISABLED" });
    expect(await ben.isLoggedIn()).toBe(false);
    expect((await updateUser(context, owner, ben.id, input)).isOk()).toBe(true);
    const refused = await updateUser(context, owner, ana.id, { displayName: "Anne", role: "ADMIN" });
    expect(refused._unsafeUnwrapErr()).toMatchObject(lastOwner);
    expect((await store.findUser("1", ana.id))?.displayName).toBe("Ana");
    const { entries } = await store.listEvents("1", anEventQuery({ subjectId: ben.id }));
    const written = entries.filter(({ type }) => !["user.logged_in", "user.created"].includes(type)).reverse();
    expect(written.map(({ type, data }) => [type, data])).toEqual([
      ["user.updated", { changes: { displayName: { from: "Ben", to: "Benedict" } } }],
      ["user.role_changed", { changes: { role: { from: "ADMIN", to: "MEMBER" } } }],
      ["user.disabled", { changes: { status: { from: "ACTIVE", to: "DISABLED" } } }],
    ]);
  });

  it("refuses users who disable or remove themselves (OWN_ACCOUNT), and the last OWNER first (LAST_OWNER)", async () => {
    const { context, ana, ben } = await worldOfTwo();
    const self = (id: string, role: Role) => ({ kind: "user", businessId: "1", id, role, sessionId: null }) as const;
    for (const act of [disableUser, removeUser]) {
      const ofBen = await act(context, self(ben.id, "ADMIN"), ben.id);
      expect(ofBen._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule: "OWN_ACCOUNT" });
      const ofAna = await act(context, self(ana.id, "OWNER"), ana.id);
      expect(ofAna._unsafeUnwrapErr()).toMatchObject(lastOwner);
    }
    await changeRole(context, system, ben.id, "OWNER");
    const ofAna = await removeUser(context, self(ana.id, "OWNER"), ana.id);
    expect(ofAna._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule: "OWN_ACCOUNT" });
    expect(await ana.isLoggedIn()).toBe(true);
  });

  it("looks for another OWNER among all users of a large business (LAST_OWNER)", async () => {
    const { context, store, ana } = await worldOfTwo();
    const self = { kind: "user", businessId: "1", id: ana.id, role: "OWNER", sessionId: null } as const;
    for (let made = 0; made < 110; made += 1) {
      const user = aUser({ id: `${900_000 + made}`, emailKey: `${made}@example.com`, role: "MEMBER" });
      await store.commit(insertUserCommit(user));
    }
    expect((await removeUser(context, self, ana.id))._unsafeUnwrapErr()).toMatchObject(lastOwner);
    await store.commit(insertUserCommit(aUser({ id: "990000", emailKey: "z@example.com", role: "OWNER" })));
    expect((await removeUser(context, self, ana.id))._unsafeUnwrapErr()).toMatchObject({ rule: "OWN_ACCOUNT" });
  });

  it("finds no user of another business (NOT_FOUND)", async () => {
    const { context, ben } = await worldOfTwo();
    const other = { kind: "system", businessId: "2" } as const;
    for (const act of [disableUser, enableUser, removeUser, endUserSessions]) {
      expect((await act(context, other, ben.id))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", id: ben.id });
    }
    expect(await ben.isLoggedIn()).toBe(true);
  });

  it("writes an audit entry for each administrative act that changes something, and none otherwise", async () => {
    const { context, store, ben } = await worldOfTwo();
    const owner = aUserActor("OWNER");
    await changeRole(context, owner, ben.id, "MEMBER");
    await disableUser(context, owner, ben.id);
    await disableUser(context, owner, ben.id);
    await enableUser(context, owner, ben.id);
    await endUserSessions(context, owner, ben.id);
    await removeUser(context, owner, ben.id);
    const { entries: all } = await store.listEvents("1", anEventQuery({ subjectId: ben.id }));
    const entries = all.filter(({ type }) => type !== "user.logged_in");
    expect(entries.map(({ type, actor, change: { from, to } }) => [type, actor, from, to]).reverse()).toEqual([
      ["user.created", "system", null, "ADMIN"],
      ["user.role_changed", "user:30", "ADMIN", "MEMBER"],
      ["user.disabled", "user:30", "ACTIVE", "DISABLED"],
      ["user.enabled", "user:30", "DISABLED", "ACTIVE"],
      ["user.sessions_ended", "user:30", null, null],
      ["user.removed", "user:30", "ACTIVE", null],
    ]);
    expect(JSON.stringify(entries)).not.toContain("scrypt");
  });
});
