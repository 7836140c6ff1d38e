import { anEventQuery } from "@budgetkit/testing";
import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { deriveSecrets } from "../../kernel/secret-box.js";
import { accountWorld, PASSWORD } from "../../testing/account-world.js";
import { resetSecondFactor } from "../administer-users.js";
import { login } from "../login/login.js";
import { confirmTotp, disableTotp, enrolTotp } from "./second-factor.js";

const STEP_MS = 30_000;
const needed = { kind: "second-factor-needed" };
const wrongCode = { kind: "rule", rule: "WRONG_CODE", details: { field: "code" } };

async function enrolledWorld() {
  const world = await accountWorld();
  const { context, clock, session, call } = world;
  const mine = await session();
  const enrolled = (await enrolTotp(context, mine.actor, { password: PASSWORD }, call()))._unsafeUnwrap();
  /** The code `steps` time steps from now. */
  const code = (steps = 0) => {
    const totp = new TOTP({ secret: Secret.fromBase32(enrolled.secret) });
    return totp.generate({ timestamp: clock.now() + steps * STEP_MS });
  };
  return { ...world, ...mine, ...enrolled, code };
}

async function confirmedWorld() {
  const world = await enrolledWorld();
  const { context, actor, code, clock, call } = world;
  const { recoveryCodes } = (await confirmTotp(context, actor, { code: code() }, call()))._unsafeUnwrap();
  clock.advance(STEP_MS);
  return { ...world, recoveryCodes };
}

describe("enrolling a second factor", () => {
  it("enrolTotp shows the secret and its URL once; logins need no code before the confirmation", async () => {
    const { secret, url, enter, store, userId } = await enrolledWorld();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(url).toContain(`secret=${secret}`);
    expect(decodeURIComponent(url)).toMatch(/^otpauth:\/\/totp\/Carpintería Norte:ana@example\.com\?/);
    expect(JSON.stringify(await store.findUser("1", userId))).not.toContain(secret);
    expect((await enter()).isOk()).toBe(true);
  });

  it("enrolTotp requires the present password", async () => {
    const { context, session, call } = await accountWorld();
    const { actor } = await session();
    const refused = await enrolTotp(context, actor, { password: "wrong horse" }, call());
    expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "WRONG_PASSWORD" });
  });

  it("confirmTotp accepts a valid code once and shows ten recovery codes", async () => {
    const { context, actor, code, store, call } = await enrolledWorld();
    expect((await confirmTotp(context, actor, { code: "000000" }, call()))._unsafeUnwrapErr()).toMatchObject(wrongCode);
    const { recoveryCodes } = (await confirmTotp(context, actor, { code: code() }, call()))._unsafeUnwrap();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const each of recoveryCodes) expect(each).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(JSON.stringify(await store.listUsers("1", 10, 0))).not.toContain(recoveryCodes[0]);
    expect((await confirmTotp(context, actor, { code: code(1) }, call()))._unsafeUnwrapErr()).toMatchObject({
      kind: "conflict",
    });
  });

  it("confirmTotp ends the other sessions of the user, which were opened without a code", async () => {
    const { context, actor, code, session, isLive, call } = await enrolledWorld();
    const other = await session();
    (await confirmTotp(context, actor, { code: code() }, call()))._unsafeUnwrap();
    expect([await isLive(), await other.isLive()]).toEqual([true, false]);
  });

  it("refuses to enrol a second factor while one is in use (CONFLICT)", async () => {
    const { context, actor, call } = await confirmedWorld();
    const refused = await enrolTotp(context, actor, { password: PASSWORD }, call());
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
  });
});

describe("a login with a second factor", () => {
  it("a login with a second factor requires a code, and accepts the code of each time step once", async () => {
    const { enter, code, clock } = await confirmedWorld();
    expect((await enter())._unsafeUnwrapErr()).toMatchObject(needed);
    const used = code();
    expect((await enter({ totp: used })).isOk()).toBe(true);
    expect((await enter({ totp: used }))._unsafeUnwrapErr()).toMatchObject(needed);
    clock.advance(STEP_MS);
    expect((await enter({ totp: used }))._unsafeUnwrapErr()).toMatchObject(needed);
    expect((await enter({ totp: code() })).isOk()).toBe(true);
  });

  it("accepts a code from a clock that is one time step off, and no more", async () => {
    const { enter, code, clock } = await confirmedWorld();
    clock.advance(10 * STEP_MS);
    expect((await enter({ totp: code(-2) })).isErr()).toBe(true);
    expect((await enter({ totp: code(2) })).isErr()).toBe(true);
    expect((await enter({ totp: code(-1) })).isOk()).toBe(true);
    expect((await enter({ totp: code(1) })).isOk()).toBe(true);
    expect((await enter({ totp: code() })).isErr()).toBe(true);
  });

  it("lets exactly one of several concurrent logins use a code", async () => {
    const { enter, code } = await confirmedWorld();
    const totp = code();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => enter({ totp })));
    expect(outcomes.filter((outcome) => outcome.isOk())).toHaveLength(1);
  });

  it("accepts each recovery code instead of a code once, in any spelling", async () => {
    const { enter, recoveryCodes } = await confirmedWorld();
    const [first = "", second = ""] = recoveryCodes;
    expect((await enter({ recoveryCode: first.toUpperCase().replaceAll("-", " ") })).isOk()).toBe(true);
    expect((await enter({ recoveryCode: first }))._unsafeUnwrapErr()).toMatchObject(needed);
    expect((await enter({ recoveryCode: second })).isOk()).toBe(true);
  });

  it("accepts codes under a new service secret, and without the old secret once a code was used", async () => {
    const { context, clock, code, userId, store } = await confirmedWorld();
    const input = () => ({ email: "ana@example.com", password: PASSWORD, totp: code() });
    const both = deriveSecrets(["the new secret", "a secret for tests"], context.random);
    expect((await login({ ...context, secrets: both }, input(), null, clock.now())).isOk()).toBe(true);
    clock.advance(STEP_MS);
    const alone = { ...context, secrets: deriveSecrets(["the new secret"], context.random) };
    expect((await login(alone, input(), null, clock.now())).isOk()).toBe(true);
    expect((await store.findUser("1", userId))?.secondFactor?.confirmedAt).not.toBe(null);
  });

  it("refuses a wrong password without revealing the second factor (UNAUTHORIZED)", async () => {
    const { enter, code } = await confirmedWorld();
    const refused = await enter({ password: "wrong horse", totp: code() });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect((await enter({ totp: code() })).isOk()).toBe(true);
  });

  it("counts a wrong code as a failed login, and a right password without a code not", async () => {
    const { enter, code } = await confirmedWorld();
    for (let count = 0; count < 12; count += 1) expect((await enter())._unsafeUnwrapErr()).toMatchObject(needed);
    for (let count = 0; count < 10; count += 1) {
      expect((await enter({ totp: "000000" }))._unsafeUnwrapErr()).toMatchObject(needed);
    }
    expect((await enter({ totp: code() }))._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited" });
  });
});

describe("disabling a second factor", () => {
  it("requires the password and a code to disable the second factor (WRONG_PASSWORD, WRONG_CODE)", async () => {
    const { context, actor, code, call, enter, store } = await confirmedWorld();
    const disable = (password: string, given: string) => disableTotp(context, actor, { password, code: given }, call());
    expect((await disable("wrong horse", code()))._unsafeUnwrapErr()).toMatchObject({ rule: "WRONG_PASSWORD" });
    expect((await disable(PASSWORD, "000000"))._unsafeUnwrapErr()).toMatchObject(wrongCode);
    expect((await disable(PASSWORD, code())).isOk()).toBe(true);
    expect((await disable(PASSWORD, code()))._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
    expect((await enter()).isOk()).toBe(true);
    const { entries } = await store.listEvents("1", anEventQuery());
    expect(entries.map(({ type }) => type).reverse()).toEqual([
      "user.created",
      "user.logged_in",
      "user.second_factor_enrolled",
      "user.second_factor_enabled",
      "user.login_failed",
      "user.login_failed",
      "user.second_factor_disabled",
      "user.logged_in",
    ]);
  });

  it("disables the second factor with a recovery code", async () => {
    const { context, actor, call, recoveryCodes } = await confirmedWorld();
    const input = { password: PASSWORD, code: recoveryCodes[3] ?? "" };
    expect((await disableTotp(context, actor, input, call())).isOk()).toBe(true);
  });

  it("an operator resets the second factor of a user who lost it, and ends their sessions", async () => {
    const { context, userId, enter, isLive } = await confirmedWorld();
    const operator = { kind: "system", businessId: "1" } as const;
    expect((await resetSecondFactor(context, operator, userId))._unsafeUnwrap()).toMatchObject({
      hasSecondFactor: false,
    });
    expect(await isLive()).toBe(false);
    expect((await enter()).isOk()).toBe(true);
  });
});
