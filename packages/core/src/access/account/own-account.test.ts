import { anEventQuery } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { accountWorld, PASSWORD } from "../../testing/account-world.js";
import { createUser } from "../manage-users.js";
import { changeEmail, changePassword } from "./own-account.js";

const NEXT = "a better password";

describe("changePassword", () => {
  it("changePassword sets the new password and ends the other sessions, not the caller's", async () => {
    const { context, session, enter, call, store } = await accountWorld();
    const [mine, other] = [await session(), await session()];
    const input = { currentPassword: PASSWORD, newPassword: NEXT };
    expect((await changePassword(context, mine.actor, input, call())).isOk()).toBe(true);
    expect([await mine.isLive(), await other.isLive()]).toEqual([true, false]);
    expect((await enter())._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect((await enter({ password: NEXT })).isOk()).toBe(true);
    const { entries } = await store.listEvents("1", anEventQuery({ type: "user.password_changed" }));
    expect(entries).toMatchObject([{ change: { fields: ["password"] } }]);
    expect(JSON.stringify(entries)).not.toContain(NEXT);
  });

  it("changePassword refuses a wrong present password and a weak new one with their fields, and changes nothing", async () => {
    const { context, session, enter, call } = await accountWorld();
    const { actor, isLive } = await session();
    const refused = async (currentPassword: string, newPassword: string) =>
      (await changePassword(context, actor, { currentPassword, newPassword }, call()))._unsafeUnwrapErr();
    const details = { field: "currentPassword" };
    expect(await refused("wrong horse", NEXT)).toMatchObject({ kind: "rule", rule: "WRONG_PASSWORD", details });
    expect(await refused(PASSWORD, "short")).toMatchObject({
      rule: "WEAK_PASSWORD",
      details: { field: "newPassword" },
    });
    expect(await isLive()).toBe(true);
    expect((await enter()).isOk()).toBe(true);
  });

  it("changePassword counts a wrong present password as a failed login (RATE_LIMIT_EXCEEDED)", async () => {
    const { context, session, call } = await accountWorld();
    const { actor } = await session();
    const guess = async () =>
      (
        await changePassword(context, actor, { currentPassword: "wrong", newPassword: NEXT }, call())
      )._unsafeUnwrapErr();
    for (let count = 0; count < 10; count += 1) expect((await guess()).kind).toBe("rule");
    expect((await guess()).kind).toBe("rate-limited");
  });

  it("changePassword refuses actors who are not users of this service (FORBIDDEN)", async () => {
    const { context, call } = await accountWorld();
    const input = { currentPassword: PASSWORD, newPassword: NEXT };
    for (const actor of [
      { kind: "system", businessId: "1" },
      { kind: "user", businessId: "1", id: "7", role: "OWNER", sessionId: null },
    ] as const) {
      expect((await changePassword(context, actor, input, call()))._unsafeUnwrapErr().kind).toBe("forbidden");
    }
  });
});

describe("changeEmail", () => {
  it("changeEmail changes the email with the present password, and marks the new one unverified", async () => {
    const { context, session, enter, call, store } = await accountWorld();
    const { actor, isLive } = await session();
    const changed = await changeEmail(context, actor, { password: PASSWORD, email: "Ana@Sur.example" }, call());
    expect(changed._unsafeUnwrap()).toMatchObject({ email: "Ana@Sur.example", emailVerified: false });
    expect(await isLive()).toBe(true);
    expect((await enter())._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect((await enter({ email: "ana@sur.example" })).isOk()).toBe(true);
    const { entries } = await store.listEvents("1", anEventQuery({ type: "user.email_changed" }));
    expect(entries).toMatchObject([{ change: { fields: ["email"] } }]);
  });

  it("changeEmail refuses a wrong password, and an email of another user", async () => {
    const { context, session, call } = await accountWorld();
    const { actor } = await session();
    const eve = { businessId: "1", email: "eve@example.com", password: NEXT, displayName: "Eve" } as const;
    await createUser(context, { ...eve, role: "MEMBER", emailVerified: false });
    const refused = async (password: string) =>
      (await changeEmail(context, actor, { password, email: "EVE@example.com" }, call()))._unsafeUnwrapErr();
    expect(await refused("wrong horse")).toMatchObject({ rule: "WRONG_PASSWORD", details: { field: "password" } });
    expect(await refused(PASSWORD)).toMatchObject({ kind: "conflict", details: { field: "email" } });
  });
});
