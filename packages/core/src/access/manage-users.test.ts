import { describe, expect, it } from "vitest";
import { parseInput } from "../kernel/validation.js";
import { accessWorld } from "../testing/access-world.js";
import { anEventQuery } from "../testing/fixtures.js";
import { login } from "./login.js";
import {
  createBusiness,
  createBusinessSchema,
  createUser,
  createUserSchema,
  listBusinessesSchema,
  resetPassword,
  setTier,
  tierSchema,
} from "./manage-users.js";

const ana = {
  businessId: "1",
  email: "Ana@Example.com",
  password: "correct horse",
  displayName: "Ana",
  role: "OWNER",
  emailVerified: false,
} as const;

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

  it("refuses an email that anybody has already, in whatever case", async () => {
    const { context } = await accessWorld();
    await createUser(context, ana);
    expect((await createUser(context, { ...ana, email: "ana@EXAMPLE.com" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "conflict",
      details: { field: "email" },
    });
  });

  it("refuses a business that is not there", async () => {
    const { context } = await accessWorld();
    expect((await createUser(context, { ...ana, businessId: "99" }))._unsafeUnwrapErr()).toEqual({
      kind: "not-found",
      resource: "business",
      id: "99",
    });
  });

  it.each([
    [{ email: "ana" }, "email"],
    [{ password: "seven77" }, "password"],
    [{ password: "x".repeat(1_025) }, "password"],
    [{ displayName: "" }, "displayName"],
    [{ role: "ROOT" }, "role"],
  ])("refuses %j", (change, field) => {
    expect(parseInput(createUserSchema, { ...ana, ...change })._unsafeUnwrapErr()).toMatchObject({
      errors: [{ field }],
    });
  });

  it("takes an email as unverified unless told otherwise", () => {
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
    (await enter(ana.password))._unsafeUnwrap();
    const reset = (await resetPassword(context, { email: "ANA@example.com", password: "a new one" }))._unsafeUnwrap();
    expect(reset).toMatchObject({ user: { id, email: ana.email }, endedSessions: 1 });
    expect((await enter(ana.password))._unsafeUnwrapErr()).toEqual({ kind: "unauthorized" });
    expect((await enter("a new one")).isOk()).toBe(true);
    const { entries } = await store.listEvents("1", anEventQuery());
    expect(entries).toMatchObject([{ type: "user.password_reset", actor: "system", subjectId: String(id) }]);
  });

  it("refuses an email that nobody has, also when the user vanishes meanwhile", async () => {
    const { context } = await accessWorld();
    const input = { email: ana.email, password: "a new one" };
    expect((await resetPassword(context, input))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
    await createUser(context, ana);
    const vanishing = { ...context, store: { ...context.store, resetPasswordHash: async () => null } };
    expect((await resetPassword(vanishing, input))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
  });
});

describe("createBusiness", () => {
  it("makes a business with an id of its own", async () => {
    const { context, store } = await accessWorld();
    const input = { name: "Taller Sur", tier: "PREMIUM", timeZone: "America/Lima" } as const;
    const business = (await createBusiness(context, input))._unsafeUnwrap();
    expect(business).toEqual({ ...input, id: expect.stringMatching(/^[1-9]\d*$/), createdAt: context.clock.now() });
    expect(await store.findBusiness(business.id)).toEqual(business);
  });

  it("makes it STANDARD and in UTC unless told otherwise", () => {
    expect(createBusinessSchema.parse({ name: "Taller Sur" })).toMatchObject({ tier: "STANDARD", timeZone: "UTC" });
  });

  it("refuses a time zone that does not exist", () => {
    const refused = parseInput(createBusinessSchema, { name: "Taller Sur", timeZone: "Mars/Olympus" });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field: "timeZone" }] });
  });
});

describe("listBusinessesSchema", () => {
  it("asks for the first hundred unless told otherwise", () => {
    expect(listBusinessesSchema.parse({})).toEqual({ after: null, limit: 100 });
    expect(listBusinessesSchema.parse({ after: "1001", limit: 2 })).toEqual({ after: "1001", limit: 2 });
  });

  it.each(["", "0", "0020", "-1", "1.5", "1e3", "abc", "9007199254740993", "9999999999999999"])(
    "refuses %j, which is nobody's id: the list would begin anew",
    (after) => {
      expect(listBusinessesSchema.safeParse({ after }).success).toBe(false);
    },
  );

  it.each([0, 101, 1.5])("refuses to give %s at once", (limit) => {
    expect(listBusinessesSchema.safeParse({ limit }).success).toBe(false);
  });
});

describe("setTier", () => {
  it("moves a business to another tier", async () => {
    const { context, store } = await accessWorld();
    expect((await setTier(context, "1", "PREMIUM"))._unsafeUnwrap()).toEqual({ id: "1", tier: "PREMIUM" });
    expect(await store.findBusiness("1")).toMatchObject({ tier: "PREMIUM" });
  });

  it("refuses a business that is not there, and a tier that does not exist", async () => {
    const { context } = await accessWorld();
    expect((await setTier(context, "99", "PREMIUM"))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", id: "99" });
    expect(tierSchema.safeParse("GOLD").success).toBe(false);
  });
});
