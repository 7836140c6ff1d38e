import { anEventQuery } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import type { Actor } from "../../kernel/actor.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.js";
import { aUserActor } from "../../testing/access-world.js";
import { accountWorld, PASSWORD } from "../../testing/account-world.js";
import { changeRole, disableUser, enableUser } from "../administer-users.js";
import { HasherOverloaded } from "../password.js";
import { inviteUser, issueToken, resendInvitation } from "./invite-user.js";
import { requestPasswordReset, setPassword } from "./reset-by-token.js";

const NEXT = "a better password";
const system = { kind: "system", businessId: "1" } as const;
const ben = { email: "ben@example.com", displayName: "Ben", role: "MEMBER" } as const;
const notValid = { kind: "rule", rule: "TOKEN_NOT_VALID", details: { field: "token" } };

/** The account world with a hasher that waits: each hash begins at once and ends after `release`. */
async function gatedWorld() {
  const world = await accountWorld();
  const hashes: string[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hash = async (password: string) => {
    hashes.push(password);
    await gate;
    return world.context.hasher.hash(password);
  };
  const context = { ...world.context, userId: world.userId, hasher: { ...world.context.hasher, hash } };
  return { context, hashes, release: () => release() };
}

describe("an invitation", () => {
  it("creates an invited user who logs in after setting a password with the token, which works once", async () => {
    const { context, enter, mails, settled } = await accountWorld();
    const { user, token, link } = (await inviteUser(context, system, ben))._unsafeUnwrap();
    await settled();
    expect(user).toMatchObject({ email: ben.email, status: "INVITED", role: "MEMBER" });
    expect(link).toBe(`http://localhost:3000/v1/auth/password-page?token=${token}`);
    expect(mails).toMatchObject([{ purpose: "invitation", to: ben.email, displayName: "Ben", token, link }]);
    expect((await enter({ email: ben.email, password: "" })).isErr()).toBe(true);
    expect((await setPassword(context, { token, password: NEXT }, null)).isOk()).toBe(true);
    expect((await enter({ email: ben.email, password: NEXT })).isOk()).toBe(true);
    expect((await setPassword(context, { token, password: "yet another one" }, null))._unsafeUnwrapErr()).toMatchObject(
      notValid,
    );
  });

  it("an invitation expires after 7 days, and a renewed token replaces the former one", async () => {
    const { context, clock } = await accountWorld();
    const { user, token } = (await inviteUser(context, system, ben))._unsafeUnwrap();
    clock.advance(7 * DAY_MS);
    expect((await setPassword(context, { token, password: NEXT }, null))._unsafeUnwrapErr()).toMatchObject(notValid);
    const first = (await issueToken(context, system, String(user.id)))._unsafeUnwrap();
    const second = (await issueToken(context, system, String(user.id)))._unsafeUnwrap();
    clock.advance(7 * DAY_MS - 1);
    expect((await setPassword(context, { token: first.token, password: NEXT }, null)).isErr()).toBe(true);
    expect((await setPassword(context, { token: second.token, password: NEXT }, null)).isOk()).toBe(true);
  });

  it("mails a new invitation to a user who has not joined, and refuses it once the user has a password (CONFLICT)", async () => {
    const { context, mails, settled } = await accountWorld();
    const { user } = (await inviteUser(context, system, ben))._unsafeUnwrap();
    const second = (await resendInvitation(context, aUserActor("ADMIN"), String(user.id)))._unsafeUnwrap();
    await settled();
    expect(mails.at(-1)).toMatchObject({ purpose: "invitation", to: ben.email, token: second.token });
    expect((await setPassword(context, { token: second.token, password: NEXT }, null)).isOk()).toBe(true);
    for (const [actor, id, problem] of [
      [system, String(user.id), { kind: "conflict" }],
      [system, "999", { kind: "not-found" }],
      [aUserActor("MEMBER"), String(user.id), { kind: "forbidden" }],
    ] as const) {
      expect((await resendInvitation(context, actor, id))._unsafeUnwrapErr()).toMatchObject(problem);
    }
  });

  it("limits the invitations of a business to 100 an hour, but not those of the operator (RATE_LIMIT_EXCEEDED)", async () => {
    const { context, clock } = await accountWorld();
    const invite = (actor: Actor, name: string) => inviteUser(context, actor, { ...ben, email: `${name}@example.com` });
    const owner = aUserActor("OWNER");
    for (let made = 0; made < 100; made += 1) expect((await invite(owner, `guest-${made}`)).isOk()).toBe(true);
    expect((await invite(owner, "one-more"))._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited", limit: 100 });
    expect((await invite(system, "one-more")).isOk()).toBe(true);
    clock.advance(HOUR_MS);
    expect((await invite(owner, "later")).isOk()).toBe(true);
  });

  it("keeps no invitation token in the store or in the audit log", async () => {
    const { context, store } = await accountWorld();
    const { user, token } = (await inviteUser(context, system, ben))._unsafeUnwrap();
    const secret = token.slice(-43);
    expect(JSON.stringify(await store.findUser("1", String(user.id)))).not.toContain(secret);
    const { entries } = await store.listEvents("1", anEventQuery({ type: "user.invited" }));
    expect(entries).toMatchObject([{ actor: "system", subjectId: String(user.id), change: { to: "MEMBER" } }]);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it("an ADMIN's invitation stops working when its user becomes an OWNER (TOKEN_NOT_VALID)", async () => {
    const { context } = await accountWorld();
    const admin = aUserActor("ADMIN");
    const { user, token } = (await inviteUser(context, admin, ben))._unsafeUnwrap();
    const id = String(user.id);
    expect((await changeRole(context, aUserActor("OWNER"), id, "OWNER")).isOk()).toBe(true);
    expect((await setPassword(context, { token, password: NEXT }, null))._unsafeUnwrapErr()).toMatchObject(notValid);
    expect((await issueToken(context, admin, id))._unsafeUnwrapErr()).toMatchObject({ kind: "forbidden" });
    const renewed = (await issueToken(context, aUserActor("OWNER"), id))._unsafeUnwrap();
    expect((await setPassword(context, { token: renewed.token, password: NEXT }, null)).isOk()).toBe(true);
  });

  it("refuses an invitation to an email in use (CONFLICT), and one of an OWNER by an ADMIN (FORBIDDEN)", async () => {
    const { context, mails, settled } = await accountWorld();
    const taken = await inviteUser(context, system, { ...ben, email: "ANA@example.com" });
    expect(taken._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
    for (const [actor, role] of [
      ["ADMIN", "OWNER"],
      ["MEMBER", "MEMBER"],
    ] as const) {
      const refused = await inviteUser(context, aUserActor(actor), { ...ben, role });
      expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "forbidden" });
    }
    await settled();
    expect(mails).toEqual([]);
  });

  it("keeps the invited user when the mail fails, and reports the failure", async () => {
    const { context, errors, settled } = await accountWorld();
    const mailer = { send: () => Promise.reject(new Error("no route to the mail server")) };
    expect((await inviteUser({ ...context, mailer }, system, ben)).isOk()).toBe(true);
    await settled();
    expect(errors).toMatchObject([{ message: "no route to the mail server" }]);
  });
});

describe("a password reset", () => {
  it("mails a password reset token that works once within an hour, and ends the sessions", async () => {
    const { context, session, enter, mails, settled, store } = await accountWorld();
    const { isLive } = await session();
    expect((await requestPasswordReset(context, { email: "ANA@example.com" }, null)).isOk()).toBe(true);
    await settled();
    expect(mails).toMatchObject([
      { purpose: "password-reset", to: "ana@example.com", businessName: "Carpintería Norte" },
    ]);
    const token = mails[0]?.token ?? "";
    expect(await isLive()).toBe(true);
    expect((await setPassword(context, { token, password: "short" }, null))._unsafeUnwrapErr()).toMatchObject({
      rule: "WEAK_PASSWORD",
    });
    expect((await setPassword(context, { token, password: NEXT }, null)).isOk()).toBe(true);
    expect(await isLive()).toBe(false);
    expect((await enter({ password: NEXT })).isOk()).toBe(true);
    expect((await enter())._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect((await setPassword(context, { token, password: PASSWORD }, null))._unsafeUnwrapErr()).toMatchObject(
      notValid,
    );
    const { entries } = await store.listEvents("1", anEventQuery());
    const by = `user:${entries[0]?.subjectId}`;
    expect(entries.map(({ type, actor }) => [type, actor])).toEqual([
      ["user.logged_in", by],
      ["user.password_reset", by],
      ["user.reset_requested", "system"],
      ["user.logged_in", by],
      ["user.created", "system"],
    ]);
  });

  it("answers a password reset for an unknown email like one for a known email, and mails nothing", async () => {
    const { context, mails, settled } = await accountWorld();
    const known = await requestPasswordReset(context, { email: "ana@example.com" }, null);
    await settled();
    mails.length = 0;
    const unknown = await requestPasswordReset(context, { email: "nobody@example.com" }, null);
    await settled();
    expect(unknown).toEqual(known);
    expect(mails).toEqual([]);
  });

  it("answers a password reset without waiting for the mail", async () => {
    const { context } = await accountWorld();
    const never = { send: () => new Promise<void>(() => {}) };
    const asked = await requestPasswordReset({ ...context, mailer: never }, { email: "ana@example.com" }, null);
    expect(asked.isOk()).toBe(true);
  });

  it("issues a disabled user no password reset (USER_DISABLED) and refuses an earlier token, also once the user is enabled", async () => {
    const { context, userId, mails, settled } = await accountWorld();
    await inviteUser(context, system, { ...ben, role: "OWNER" });
    const other = (
      await inviteUser(context, system, { ...ben, email: "eve@example.com", role: "OWNER" })
    )._unsafeUnwrap();
    await setPassword(context, { token: other.token, password: NEXT }, null);
    const { token } = (await issueToken(context, system, userId))._unsafeUnwrap();
    await settled();
    mails.length = 0;
    expect((await disableUser(context, system, userId)).isOk()).toBe(true);
    await requestPasswordReset(context, { email: "ana@example.com" }, null);
    await settled();
    expect(mails).toEqual([]);
    expect((await issueToken(context, system, userId))._unsafeUnwrapErr()).toMatchObject({ rule: "USER_DISABLED" });
    await enableUser(context, system, userId);
    expect((await setPassword(context, { token, password: NEXT }, null))._unsafeUnwrapErr()).toMatchObject(notValid);
  });

  it("refuses the sixth password reset an hour for an account, known or unknown (RATE_LIMIT_EXCEEDED)", async () => {
    const { context, clock } = await accountWorld();
    for (const email of ["ana@example.com", "nobody@example.com"]) {
      const ask = () => requestPasswordReset(context, { email }, null);
      for (let count = 0; count < 5; count += 1) expect((await ask()).isOk()).toBe(true);
      expect((await ask())._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited", limit: 5 });
    }
    clock.advance(HOUR_MS);
    expect((await requestPasswordReset(context, { email: "ana@example.com" }, null)).isOk()).toBe(true);
  });

  it("refuses a password reset by mail without a mailer (501), and accepts an administrator's token for an hour", async () => {
    const { context, clock, userId, enter } = await accountWorld();
    const without = { ...context, mailer: null };
    const refused = await requestPasswordReset(without, { email: "ana@example.com" }, null);
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "not-implemented" });
    const { token } = (await issueToken(without, system, userId))._unsafeUnwrap();
    expect((await enter()).isOk()).toBe(true);
    clock.advance(HOUR_MS);
    expect((await setPassword(without, { token, password: NEXT }, null))._unsafeUnwrapErr()).toMatchObject(notValid);
    const again = (await issueToken(without, system, userId))._unsafeUnwrap();
    expect((await setPassword(without, { token: again.token, password: NEXT }, null)).isOk()).toBe(true);
    expect((await enter({ password: NEXT })).isOk()).toBe(true);
  });

  it("refuses a password reset token for an OWNER that an ADMIN issues (FORBIDDEN)", async () => {
    const { context, userId } = await accountWorld();
    const refused = await issueToken(context, aUserActor("ADMIN"), userId);
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "forbidden" });
  });

  it("lets exactly one of several concurrent callers set a password with a token", async () => {
    const { context, userId } = await accountWorld();
    const { token } = (await issueToken(context, system, userId))._unsafeUnwrap();
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) => setPassword(context, { token, password: `the password ${index}` }, null)),
    );
    expect(outcomes.filter((outcome) => outcome.isOk())).toHaveLength(1);
  });

  it("hashes one password however many callers and networks use a token at once", async () => {
    const { context, hashes, release } = await gatedWorld();
    const { token } = (await issueToken(context, system, context.userId))._unsafeUnwrap();
    const callers = Array.from({ length: 90 }, (_, index) =>
      setPassword(context, { token, password: `the password ${index}` }, `192.0.${index}.1`),
    );
    await vi.waitFor(() => expect(hashes).toHaveLength(1));
    release();
    const outcomes = await Promise.all(callers);
    expect(outcomes.filter((outcome) => outcome.isOk())).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.isErr() && outcome.error.kind === "rule")).toHaveLength(89);
    expect(hashes).toHaveLength(1);
  });

  it("checks the token again after waiting for another hash of the account (TOKEN_NOT_VALID)", async () => {
    const { context, hashes, release } = await gatedWorld();
    const first = (await issueToken(context, system, context.userId))._unsafeUnwrap();
    const running = setPassword(context, { token: first.token, password: NEXT }, null);
    await vi.waitFor(() => expect(hashes).toHaveLength(1));
    const second = (await issueToken(context, system, context.userId))._unsafeUnwrap();
    const waiting = setPassword(context, { token: second.token, password: NEXT }, null);
    await issueToken(context, system, context.userId);
    release();
    for (const each of [running, waiting]) expect((await each)._unsafeUnwrapErr()).toMatchObject(notValid);
    expect(hashes).toHaveLength(1);
  });

  it("hashes at most ten passwords for an account from one network in 15 minutes (RATE_LIMIT_EXCEEDED)", async () => {
    const { context, userId, clock } = await accountWorld();
    const { token } = (await issueToken(context, system, userId))._unsafeUnwrap();
    const set = (address: string, password = NEXT) => setPassword(context, { token, password }, address);
    for (let count = 0; count < 12; count += 1) {
      expect((await set("192.0.2.1", "short"))._unsafeUnwrapErr()).toMatchObject({ rule: "WEAK_PASSWORD" });
    }
    const failing = { ...context, hasher: { ...context.hasher, hash: () => Promise.reject(new HasherOverloaded()) } };
    for (let count = 0; count < 10; count += 1) {
      const refused = await setPassword(failing, { token, password: NEXT }, "192.0.2.1");
      expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "unavailable" });
    }
    expect((await set("192.0.2.1"))._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited", limit: 10 });
    clock.advance(15 * MINUTE_MS);
    expect((await set("192.0.2.1")).isOk()).toBe(true);
  });

  it("admits fifty tokens from one address in 15 minutes, for any accounts (RATE_LIMIT_EXCEEDED)", async () => {
    const { context, userId } = await accountWorld();
    const { token } = (await issueToken(context, system, userId))._unsafeUnwrap();
    for (let count = 0; count < 50; count += 1) {
      const invented = `bgk_ot_1.${count}.${"A".repeat(43)}`;
      const refused = await setPassword(context, { token: invented, password: NEXT }, "192.0.2.1");
      expect(refused._unsafeUnwrapErr()).toMatchObject(notValid);
    }
    const refused = await setPassword(context, { token, password: NEXT }, "192.0.2.1");
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited", limit: 50 });
    expect((await setPassword(context, { token, password: NEXT }, "198.51.100.1")).isOk()).toBe(true);
  });

  it.each(["", "bgk_ot_1.2", `bgk_ot_1.999999.${"A".repeat(43)}`, `bgk_ot_9.9.${"A".repeat(43)}`])(
    "refuses %j as a token",
    async (token) => {
      const { context } = await accountWorld();
      expect((await setPassword(context, { token, password: NEXT }, null))._unsafeUnwrapErr()).toMatchObject(notValid);
    },
  );

  it("links to the host's own password page, with the token in the fragment", async () => {
    const { context, userId } = await accountWorld();
    const hosted = { ...context, passwordPageUrl: "https://app.example/password" };
    const { link, token } = (await issueToken(hosted, system, userId))._unsafeUnwrap();
    expect(link).toBe(`https://app.example/password#token=${token}`);
  });
});
