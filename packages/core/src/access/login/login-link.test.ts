import { aUser } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { accessWorld } from "../../testing/access-world.js";
import { insertUserCommit } from "../access-commits.js";
import { setPassword } from "../account/reset-by-token.js";
import { endUserSessions } from "../administer-users.js";
import { authenticateUser } from "../authenticate.js";
import { enter, issueLoginToken } from "./login-link.js";

const MINUTE_MS = 60_000;

async function worldWithToken(overrides: Partial<ReturnType<typeof aUser>> = {}) {
  const world = await accessWorld();
  const user = aUser(overrides);
  await world.store.commit(insertUserCommit(user));
  const system = { kind: "system", businessId: user.businessId } as const;
  const issue = () => issueLoginToken(world.context, system, user.id);
  const use = (token: string) => enter(world.context, { token }, "203.0.113.7", world.clock.now());
  return { ...world, user, issue, use };
}

describe("a token that logs in", () => {
  it("enter opens a session of the user once, of concurrent callers for exactly one", async () => {
    const { context, clock, user, issue, use } = await worldWithToken();
    const { token, expiresAt } = (await issue())._unsafeUnwrap();
    expect(expiresAt.getTime()).toBe(clock.now() + 10 * MINUTE_MS);
    const entered = await Promise.all([use(token), use(token), use(token)]);
    const views = entered.flatMap((each) => (each.isOk() ? [each.value] : []));
    expect(views.length).toBe(1);
    const actor = await authenticateUser(context, views[0]?.access_token ?? "", clock.now());
    expect(actor._unsafeUnwrap()).toMatchObject({ id: user.id, role: user.role });
    expect((await use(token))._unsafeUnwrapErr().kind).toBe("unauthorized");
  });

  it("enter refuses a token after 10 minutes, a replaced one, and that of a user who is disabled since", async () => {
    const { clock, context, issue, use } = await worldWithToken();
    const first = (await issue())._unsafeUnwrap().token;
    const second = (await issue())._unsafeUnwrap().token;
    expect((await use(first)).isErr()).toBe(true);
    clock.advance(10 * MINUTE_MS);
    expect((await use(second)).isErr()).toBe(true);
    const { issue: issueDisabled } = await worldWithToken({ disabledAt: context.clock.now() });
    expect((await issueDisabled())._unsafeUnwrapErr()).toMatchObject({ rule: "USER_DISABLED" });
  });

  it("a token that logs in ends with the sessions of its user", async () => {
    const { context, user, issue, use } = await worldWithToken();
    const { token } = (await issue())._unsafeUnwrap();
    const system = { kind: "system", businessId: user.businessId } as const;
    (await endUserSessions(context, system, user.id))._unsafeUnwrap();
    expect((await use(token))._unsafeUnwrapErr().kind).toBe("unauthorized");
  });

  it("a token that logs in sets no password", async () => {
    const { context, issue, use } = await worldWithToken();
    const { token } = (await issue())._unsafeUnwrap();
    const set = await setPassword(context, { token, password: "a better password" }, null);
    expect(set._unsafeUnwrapErr()).toMatchObject({ rule: "TOKEN_NOT_VALID" });
    expect((await use(token)).isOk()).toBe(true);
  });

  it("issueLoginToken refuses users, administrators too", async () => {
    const { context, user } = await worldWithToken();
    for (const role of ["OWNER", "ADMIN", "MEMBER"] as const) {
      const actor = { kind: "user", businessId: user.businessId, id: user.id, role, sessionId: null } as const;
      expect((await issueLoginToken(context, actor, user.id))._unsafeUnwrapErr().kind).toBe("forbidden");
    }
  });
});
