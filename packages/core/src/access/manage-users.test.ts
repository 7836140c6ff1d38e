import { anEventQuery } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { parseInput } from "../kernel/validation.js";
import { accessWorld, aUserActor } from "../testing/access-world.js";
import { replaceHashCommit } from "./access-commits.js";
import { authenticateUser } from "./authenticate.js";
import { login } from "./login/login.js";
import {
  changeRole,
  createUser,
  createUserSchema,
  disableUser,
  enableUser,
  endUserSessions,
  findUserByEmail,
  listUsers,
  removeUser,
  resetPassword,
} from "./manage-users.js";

const ana = {
  businessId: "1",
  email: "Ana@Example.com",
  password: "correct horse",
  displayName: "Ana",
  role: "OWNER",
  emailVerified: false,
} as const;

describe("resetPassword", () => {
  it("hashes the passwords of an account one after the other", async () => {
    const { context } = await accessWorld();
    await createUser(context, ana);
    let running = 0;
    const hash = async (password: string) => {
      running += 1;
      expect(running).toBe(1);
      const hashed = await context.hasher.hash(password);
      running -= 1;
      return hashed;
    };
    const counted = { ...context, hasher: { ...context.hasher, hash } };
    const reset = () => resetPassword(counted, { email: ana.email, password: "another password" });
    const outcomes = await Promise.all([reset(), reset(), reset()]);
    expect(outcomes.every((outcome) => outcome.isOk())).toBe(true);
  });
});

describe("createUser", () => {
  it("makes a user with numeric identifiers and keeps no password", async () => {
    const { context, store } = await accessWorld();
    const user = (await createUser(context, ana))._unsafeUnwrap();
    expect(user).toEqual({
      id: expect.any(Number),
      email: "Ana@Example.com",
      displayName: "Ana",
      avatarUrl: null,
      businessId: 1,
      role: "OWNER",
      emailVerified: false,
    });
    const stored = await store.findUserByEmail("ana@example.com");
    expect(stored).toMatchObject({ businessId: "1", id: String(user.id), createdAt: context.clock.now() });
    expect(JSON.stringify(stored)).not.toContain(ana.password);
  });

  it("refuses an email that a user has already, ignoring case", async () => {
    const { context } = await accessWorld();
    await createUser(context, ana);
    expect((await createUser(context, { ...ana, email: "ana@EXAMPLE.com" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "conflict",
      details: { field: "email" },
    });
  });

  it("hashes once for an email that is given several times at once (CONFLICT)", async () => {
    const { context } = await accessWorld();
    const hash = vi.fn(context.hasher.hash);
    const counted = { ...context, hasher: { ...context.hasher, hash } };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => createUser(counted, ana)));
    expect(outcomes.filter((outcome) => outcome.isOk())).toHaveLength(1);
    expect(hash).toHaveBeenCalledTimes(1);
  });

  it("refuses a business that is not there", async () => {
    const { context } = await accessWorld();
    expect((await createUser(context, { ...ana, businessId: "99" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "not-found",
      resource: "business",
      id: "99",
    });
  });

  it.each([
    [{ email: "ana" }, "email"],
    [{ password: "x".repeat(1_025) }, "password"],
    [{ displayName: "" }, "displayName"],
    [{ role: "ROOT" }, "role"],
  ])("refuses %j", (change, field) => {
    expect(parseInput(createUserSchema, { ...ana, ...change })._unsafeUnwrapErr()).toMatchObject({
      errors: [{ field }],
    });
  });

  it("treats an email as unverified by default", () => {
    const { emailVerified: _, ...given } = ana;
    expect(createUserSchema.parse(given).emailVerified).toBe(false);
    expect(createUserSchema.parse({ ...given, emailVerified: true }).emailVerified).toBe(true);
  });
});

describe("resetPassword", () => {
  it("lets the user in by the new password alone, ends their sessions and says so in the audit", async () => {
    const { context, store, clock } = await accessWorld();
    const { id } = (await createUser(context, ana))._unsafeUnwrap();
    const enter = (password: string) => login(context, { email: ana.email, password }, null, clock.now());
    const before = (await enter(ana.password))._unsafeUnwrap();
    const reset = (
      await resetPassword(context, { email: "ANA@example.com", password: "a new password" })
    )._unsafeUnwrap();
    expect(reset).toMatchObject({ id, email: ana.email });
    expect((await enter(ana.password))._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect((await enter("a new password")).isOk()).toBe(true);
    expect((await authenticateUser(context, before.access_token, clock.now())).isErr()).toBe(true);
    const { entries } = await store.listEvents("1", anEventQuery({ type: "user.password_reset" }));
    expect(entries).toMatchObject([{ actor: "system", subjectId: String(id), change: { fields: ["password"] } }]);
  });

  it("refuses an unknown email, also when the user disappears during the call", async () => {
    const { context } = await accessWorld();
    const input = { email: ana.email, password: "a new password" };
    expect((await resetPassword(context, input))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
    await createUser(context, ana);
    const vanishing = { ...context, store: { ...context.store, findUser: async () => null } };
    expect((await resetPassword(vanishing, input))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
  });
});

describe("new passwords", () => {
  it.each([
    ["elevenchars", "at least 12 characters"],
    ["ÑÑÑÑÑÑÑÑÑÑÑ", "at least 12 characters"], // 22 bytes
    ["qwertyuiop123", "most common"],
    ["QwertyUiop123", "most common"],
    [ana.email, "email"],
  ])("refuses %j with 422 and its field, for a new user and for a reset", async (password, reason) => {
    const { context, store } = await accessWorld();
    const refused = (await createUser(context, { ...ana, password }))._unsafeUnwrapErr();
    const details = { field: "password" };
    const message = expect.stringContaining(reason);
    expect(refused).toEqual({ kind: "rule", rule: "WEAK_PASSWORD", details, message });
    expect(await store.hasUsers()).toBe(false);
    await createUser(context, ana);
    expect((await resetPassword(context, { email: ana.email, password }))._unsafeUnwrapErr()).toMatchObject(refused);
  });

  it("leave the login of a user with a shorter password from before", async () => {
    const { context, clock, store } = await accessWorld();
    const { id } = (await createUser(context, ana))._unsafeUnwrap();
    const { passwordHash } = (await store.findUser("1", String(id))) ?? { passwordHash: "" };
    await store.commit(replaceHashCommit("1", String(id), passwordHash, await context.hasher.hash("short")));
    expect((await login(context, { email: ana.email, password: "short" }, null, clock.now())).isOk()).toBe(true);
  });
});

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

  it("removes a user, whose session ends at once and whose email is free again", async () => {
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

  it("keeps the last active OWNER from being disabled, removed and demoted", async () => {
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

  it("lets an ADMIN change neither an OWNER nor make one, and a MEMBER nothing", async () => {
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
    expect((await listUsers(context, aUserActor("MEMBER"), { page: 1, limit: 1 })).isOk()).toBe(true);
  });

  it("says not-found for another business's user", async () => {
    const { context, ben } = await worldOfTwo();
    const other = { kind: "system", businessId: "2" } as const;
    for (const act of [disableUser, enableUser, removeUser, endUserSessions]) {
      expect((await act(context, other, ben.id))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", id: ben.id });
    }
    expect(await ben.isLoggedIn()).toBe(true);
  });

  it("writes an audit entry for each act that changes something, and none for others", async () => {
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
