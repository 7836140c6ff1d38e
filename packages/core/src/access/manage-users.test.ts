import { anEventQuery } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { parseInput } from "../kernel/validation.js";
import { accessWorld } from "../testing/access-world.js";
import { replaceHashCommit } from "./access-commits.js";
import { authenticateUser } from "./authenticate.js";
import { login } from "./login/login.js";
import { createUser, createUserSchema, resetPassword } from "./manage-users.js";

const ana = {
  businessId: "1",
  email: "Ana@Example.com",
  password: "correct horse",
  displayName: "Ana",
  role: "OWNER",
  emailVerified: false,
} as const;

describe("resetPassword", () => {
  it("hashes the new passwords of an account one after the other", async () => {
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
  it("createUser makes a user with numeric identifiers and keeps no password in plain text", async () => {
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

  it("createUser refuses an email in use, ignoring case (CONFLICT)", async () => {
    const { context } = await accessWorld();
    await createUser(context, ana);
    expect((await createUser(context, { ...ana, email: "ana@EXAMPLE.com" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "conflict",
      details: { field: "email" },
    });
  });

  it("createUser hashes once for an email that is given several times at once (CONFLICT)", async () => {
    const { context } = await accessWorld();
    const hash = vi.fn(context.hasher.hash);
    const counted = { ...context, hasher: { ...context.hasher, hash } };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => createUser(counted, ana)));
    expect(outcomes.filter((outcome) => outcome.isOk())).toHaveLength(1);
    expect(hash).toHaveBeenCalledTimes(1);
  });

  it("createUser refuses a business that does not exist", async () => {
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
  ])("createUser refuses %j", (change, field) => {
    expect(parseInput(createUserSchema, { ...ana, ...change })._unsafeUnwrapErr()).toMatchObject({
      errors: [{ field }],
    });
  });

  it("createUser marks the email unverified by default", () => {
    const { emailVerified: _, ...given } = ana;
    expect(createUserSchema.parse(given).emailVerified).toBe(false);
    expect(createUserSchema.parse({ ...given, emailVerified: true }).emailVerified).toBe(true);
  });
});

describe("resetPassword", () => {
  it("resetPassword accepts the new password alone, ends the user's sessions and writes an audit entry", async () => {
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

  it("resetPassword refuses an unknown email, also when the user disappears during the call", async () => {
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
  ])("refuses the new password %j with its field, also in a reset (WEAK_PASSWORD)", async (password, reason) => {
    const { context, store } = await accessWorld();
    const refused = (await createUser(context, { ...ana, password }))._unsafeUnwrapErr();
    const details = { field: "password" };
    const message = expect.stringContaining(reason);
    expect(refused).toEqual({ kind: "rule", rule: "WEAK_PASSWORD", details, message });
    expect(await store.hasUsers()).toBe(false);
    await createUser(context, ana);
    expect((await resetPassword(context, { email: ana.email, password }))._unsafeUnwrapErr()).toMatchObject(refused);
  });

  it("accepts a login with a stored password that is shorter than today's minimum", async () => {
    const { context, clock, store } = await accessWorld();
    const { id } = (await createUser(context, ana))._unsafeUnwrap();
    const { passwordHash } = (await store.findUser("1", String(id))) ?? { passwordHash: "" };
    await store.commit(replaceHashCommit("1", String(id), passwordHash, await context.hasher.hash("short")));
    expect((await login(context, { email: ana.email, password: "short" }, null, clock.now())).isOk()).toBe(true);
  });
});
