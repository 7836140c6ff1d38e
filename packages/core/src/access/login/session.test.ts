import { aUser, seededRandom } from "@budgetkit/testing";
import { assert, describe, expect, it } from "vitest";
import { DAY_MS } from "../../kernel/clock.js";
import { deriveSecrets } from "../../kernel/secret-box.js";
import { accessWorld, aUserActor } from "../../testing/access-world.js";
import { insertUserCommit, replaceUserCommit } from "../access-commits.js";
import { authenticateUser } from "../authenticate.js";
import { mintRefreshToken } from "./refresh-token.js";
import { endSessionOf, logout, openSession, refreshSchema, refreshSession } from "./session.js";

const unauthorized = { kind: "unauthorized" };

async function worldWithSession() {
  const world = await accessWorld();
  const user = aUser();
  await world.store.commit(insertUserCommit(user));
  const opened = await openSession(world.context, user, { clientAddress: null, now: world.clock.now() });
  assert(opened !== null);
  return { ...world, user, opened };
}

const refreshTokenOf = (refresh_token: string) => ({ refresh_token });

describe("refreshSession", () => {
  it("refreshSession exchanges a refresh token for a new pair within the same session", async () => {
    const { context, clock, opened } = await worldWithSession();
    clock.advance(5_000);
    const renewed = (await refreshSession(context, opened, null, clock.now()))._unsafeUnwrap();
    expect(renewed.refresh_token).not.toBe(opened.refresh_token);
    expect(renewed.access_token).not.toBe(opened.access_token);
    expect(renewed.user).toEqual(opened.user);
    expect((await authenticateUser(context, renewed.access_token, clock.now()))._unsafeUnwrap().sessionId).toBe(
      (await authenticateUser(context, opened.access_token, clock.now()))._unsafeUnwrap().sessionId,
    );
    expect((await refreshSession(context, renewed, null, clock.now())).isOk()).toBe(true);
  });

  it("ends the session when a refresh token is used twice, for thief and owner alike", async () => {
    const { context, clock, opened } = await worldWithSession();
    const renewed = (await refreshSession(context, opened, null, clock.now()))._unsafeUnwrap();
    expect((await refreshSession(context, opened, null, clock.now()))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    expect((await refreshSession(context, renewed, null, clock.now()))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    expect((await authenticateUser(context, renewed.access_token, clock.now())).isErr()).toBe(true);
  });

  it("a refresh token works until 30 days after the last refresh", async () => {
    const { context, clock, opened } = await worldWithSession();
    clock.advance(30 * DAY_MS - 1);
    const renewed = (await refreshSession(context, opened, null, clock.now()))._unsafeUnwrap();
    clock.advance(30 * DAY_MS);
    expect((await refreshSession(context, renewed, null, clock.now()))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("keeps a session when its refresh token is guessed from ids (UNAUTHORIZED)", async () => {
    const { context, clock, opened } = await worldWithSession();
    const [prefix = "", sessionId = ""] = opened.refresh_token.split(".");
    const forged = `${prefix}.${sessionId}.${"A".repeat(43)}.${"A".repeat(43)}`;
    expect((await refreshSession(context, refreshTokenOf(forged), null, clock.now()))._unsafeUnwrapErr()).toMatchObject(
      unauthorized,
    );
    expect((await refreshSession(context, opened, null, clock.now())).isOk()).toBe(true);
  });

  it.each(["", "x", "bgk_rt_1.2.3", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"])("refreshSession refuses %j", async (token) => {
    const { context, clock } = await worldWithSession();
    expect((await refreshSession(context, refreshTokenOf(token), null, clock.now()))._unsafeUnwrapErr()).toMatchObject(
      unauthorized,
    );
  });

  it("refuses a refresh token of a session that does not exist", async () => {
    const { context, clock } = await worldWithSession();
    const claim = { businessId: "1", sessionId: "4242" };
    const token = mintRefreshToken(context.secrets.tokenKeys[0], claim, seededRandom(9));
    const refused = await refreshSession(context, refreshTokenOf(token), null, clock.now());
    expect(refused._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("refuses a refresh token of a user who does not exist", async () => {
    const { context, clock, store, opened } = await worldWithSession();
    const withoutUsers = { ...context, store: { ...store, findUser: async () => null } };
    expect((await refreshSession(withoutUsers, opened, null, clock.now()))._unsafeUnwrapErr()).toMatchObject(
      unauthorized,
    );
  });

  it("refuses a refresh token whose session ends by a new password during the refresh", async () => {
    const { context, clock, store, opened, user } = await worldWithSession();
    const findUser: typeof store.findUser = async (...asked) => {
      const found = await store.findUser(...asked);
      const changed = { ...user, version: user.version + 1, passwordHash: "new-hash" };
      await store.commit(replaceUserCommit(changed, user.version, { at: clock.now(), except: null }));
      return found;
    };
    const racing = { ...context, store: { ...store, findUser } };
    expect((await refreshSession(racing, opened, null, clock.now()))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("accepts a refresh token under a new service secret while the old one is listed", async () => {
    const { context, clock, opened } = await worldWithSession();
    const rotated = { ...context, secrets: deriveSecrets(["new", "a secret for tests"], seededRandom(9)) };
    const renewed = (await refreshSession(rotated, opened, null, clock.now()))._unsafeUnwrap();
    const alone = { ...context, secrets: deriveSecrets(["new"], seededRandom(9)) };
    expect((await refreshSession(alone, opened, null, clock.now()))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    expect((await refreshSession(alone, renewed, null, clock.now())).isOk()).toBe(true);
  });

  it("requires a refresh token in the body", () => {
    expect(refreshSchema.safeParse({}).success).toBe(false);
    expect(refreshSchema.safeParse({ refresh_token: "x".repeat(1_025) }).success).toBe(false);
  });

  it("accepts refresh tokens with identifiers of any size", () => {
    const claim = { businessId: "9007199254740991", sessionId: "9007199254740990" };
    const key = deriveSecrets(["x"], seededRandom(9)).tokenKeys[0];
    expect(refreshSchema.safeParse(refreshTokenOf(mintRefreshToken(key, claim, seededRandom(9)))).success).toBe(true);
  });
});

describe("logout", () => {
  it("logout ends the session at once for both tokens, and is UNAUTHORIZED the second time", async () => {
    const { context, clock, opened } = await worldWithSession();
    const actor = (await authenticateUser(context, opened.access_token, clock.now()))._unsafeUnwrap();
    expect((await logout(context, actor, clock.now()))._unsafeUnwrap()).toEqual({ message: "Logged out." });
    expect((await authenticateUser(context, opened.access_token, clock.now()))._unsafeUnwrapErr()).toMatchObject(
      unauthorized,
    );
    expect((await refreshSession(context, opened, null, clock.now()))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    expect((await logout(context, actor, clock.now()))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("logout leaves the user's other sessions open", async () => {
    const { context, clock, opened, user } = await worldWithSession();
    const other = await openSession(context, user, { clientAddress: null, now: clock.now() });
    assert(other !== null);
    const actor = (await authenticateUser(context, opened.access_token, clock.now()))._unsafeUnwrap();
    await logout(context, actor, clock.now());
    expect((await authenticateUser(context, other.access_token, clock.now())).isOk()).toBe(true);
  });

  it("logout refuses actors without a session of this service (FORBIDDEN)", async () => {
    const { context, clock } = await worldWithSession();
    const hostUser = { ...aUserActor("OWNER"), sessionId: null };
    for (const actor of [hostUser, { kind: "system", businessId: "1" } as const]) {
      expect((await logout(context, actor, clock.now()))._unsafeUnwrapErr().kind).toBe("forbidden");
    }
  });
});

describe("refreshSession with a grace for races", () => {
  const race = { graceMs: 60_000 };

  it("concurrent refreshes of one token get one successor, with which the session lives on", async () => {
    const { context, clock, opened } = await worldWithSession();
    const refresh = () => refreshSession(context, opened, null, clock.now(), race);
    const renewed = (await Promise.all([refresh(), refresh(), refresh()])).map((each) => each._unsafeUnwrap());
    const [successor, ...others] = new Set(renewed.map(({ refresh_token }) => refresh_token));
    expect(others).toEqual([]);
    clock.advance(60_000);
    expect((await refreshSession(context, refreshTokenOf(successor ?? ""), null, clock.now(), race)).isOk()).toBe(true);
  });

  it("a second use after the grace ends the session, also when the caller asks for a longer one", async () => {
    const { context, clock, opened } = await worldWithSession();
    const renewed = (await refreshSession(context, opened, null, clock.now(), race))._unsafeUnwrap();
    clock.advance(59_999);
    expect((await refreshSession(context, opened, null, clock.now(), race)).isOk()).toBe(true);
    clock.advance(1);
    const late = await refreshSession(context, opened, null, clock.now(), { graceMs: 3_600_000 });
    expect(late._unsafeUnwrapErr()).toMatchObject(unauthorized);
    expect((await authenticateUser(context, renewed.access_token, clock.now())).isErr()).toBe(true);
  });

  it("a token whose successor was used ends the session within the grace, and so does a use without one", async () => {
    const { context, clock, opened } = await worldWithSession();
    const first = (await refreshSession(context, opened, null, clock.now(), race))._unsafeUnwrap();
    expect((await refreshSession(context, first, null, clock.now(), race)).isOk()).toBe(true);
    expect((await refreshSession(context, opened, null, clock.now(), race)).isErr()).toBe(true);
    const other = await worldWithSession();
    await refreshSession(other.context, other.opened, null, other.clock.now(), race);
    expect((await refreshSession(other.context, other.opened, null, other.clock.now())).isErr()).toBe(true);
  });

  it("the grace ends with the session: a lost race after a logout is refused", async () => {
    const { context, clock, opened } = await worldWithSession();
    await refreshSession(context, opened, null, clock.now(), race);
    (await endSessionOf(context, opened, null, clock.now()))._unsafeUnwrap();
    expect((await refreshSession(context, opened, null, clock.now(), race)).isErr()).toBe(true);
  });
});

describe("endSessionOf", () => {
  it("endSessionOf ends the session of a used token, and ignores unknown tokens and ended sessions", async () => {
    const { context, clock, opened } = await worldWithSession();
    const renewed = (await refreshSession(context, opened, null, clock.now()))._unsafeUnwrap();
    expect((await endSessionOf(context, refreshTokenOf("made-up"), null, clock.now())).isOk()).toBe(true);
    expect((await authenticateUser(context, renewed.access_token, clock.now())).isOk()).toBe(true);
    for (const _ of ["once", "again"])
      expect((await endSessionOf(context, opened, null, clock.now())).isOk()).toBe(true);
    expect((await authenticateUser(context, renewed.access_token, clock.now())).isErr()).toBe(true);
  });
});
