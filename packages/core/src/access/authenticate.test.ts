import { anApiKey, aUser, beginSession, FIXTURE_TIME, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { accessWorld } from "../testing/access-world.js";
import { type AccessCommit, insertKeyCommit, insertUserCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import type { ApiKey } from "./api-key.js";
import { authenticateKey, authenticateUser, keyActor } from "./authenticate.js";
import { mintKey } from "./keys/key-format.js";
import { signAccessToken } from "./login/access-token.js";
import type { Session, User } from "./user.js";

const unauthorized = { kind: "unauthorized" };
const current = mintKey(seededRandom(1));
const former = mintKey(seededRandom(2));
const NOW = FIXTURE_TIME + 90_500; // half a second into the second minute and a half

async function worldWithKey(overrides: Partial<ApiKey> = {}) {
  const world = await accessWorld();
  await world.store.commit(insertKeyCommit(anApiKey({ keyHash: current.keyHash, ...overrides })));
  const present = (address: string | null = null, now = NOW, key = current.key) =>
    authenticateKey(world.context, key, address, now);
  return { ...world, present };
}

function usesIn({ writes }: AccessCommit) {
  return writes.filter((write) => write.kind === "key-use");
}

describe("authenticateKey", () => {
  it("authenticates a key as the actor of the request", async () => {
    const { present } = await worldWithKey();
    const key = (await present())._unsafeUnwrap();
    expect(keyActor(key)).toEqual({
      kind: "key",
      businessId: "1",
      id: "20",
      scopes: ["READ_BUDGETS", "WRITE_BUDGETS"],
    });
  });

  it("refuses keys that do not exist (UNAUTHORIZED)", async () => {
    const { present } = await worldWithKey();
    expect((await present(null, NOW, former.key))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("refuses malformed keys without reading the store (UNAUTHORIZED)", async () => {
    const { context, store } = await accessWorld();
    let lookups = 0;
    const counting = {
      ...context,
      store: {
        ...store,
        findKeyByHash: (hash: string) => {
          lookups += 1;
          return store.findKeyByHash(hash);
        },
      },
    };
    for (const text of ["", "bgk_live_", `${current.key}x`, "hash-of-key-20"]) {
      expect((await authenticateKey(counting, text, null, NOW))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    }
    expect(lookups).toBe(0);
    await authenticateKey(counting, current.key, null, NOW);
    expect(lookups).toBe(1);
  });

  it.each(["SUSPENDED", "REVOKED"] as const)("refuses a %s key", async (status) => {
    const { present } = await worldWithKey({ status });
    expect((await present())._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("refuses a key from the moment it expires", async () => {
    const { present } = await worldWithKey({ expiresAt: NOW });
    expect((await present(null, NOW - 1)).isOk()).toBe(true);
    expect((await present(null, NOW))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("accepts a replaced key until its grace period ends, and the new key throughout", async () => {
    const { present } = await worldWithKey({ previousKeyHash: former.keyHash, previousKeyExpiresAt: NOW });
    expect((await present(null, NOW - 1, former.key)).isOk()).toBe(true);
    expect((await present(null, NOW, former.key))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    expect((await present(null, NOW - 1)).isOk()).toBe(true);
    expect((await present(null, NOW)).isOk()).toBe(true);
  });

  it("refuses a replaced key without a grace period, and one that the store found by mistake", async () => {
    const { present } = await worldWithKey({ previousKeyHash: former.keyHash, previousKeyExpiresAt: null });
    expect((await present(null, NOW, former.key))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    const { context, store } = await accessWorld();
    const mistaken = {
      ...context,
      store: { ...store, findKeyByHash: async () => ({ ...anApiKey(), tier: "STANDARD" as const }) },
    };
    expect((await authenticateKey(mistaken, current.key, null, NOW))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("refuses clients outside the allow-list of a key, and clients of unknown address (FORBIDDEN)", async () => {
    const { present } = await worldWithKey({ allowedIps: ["10.0.0.0/8"] });
    expect((await present("10.1.2.3")).isOk()).toBe(true);
    expect((await present("::ffff:10.1.2.3")).isOk()).toBe(true);
    for (const address of ["11.1.2.3", null]) {
      expect((await present(address))._unsafeUnwrapErr().kind).toBe("forbidden");
    }
  });

  it("records the last use of a key, once a minute", async () => {
    const { present, context } = await worldWithKey();
    const writes: number[] = [];
    const commit: AccessContext["commit"] = async (written) => {
      writes.push(...usesIn(written).map(({ at }) => at));
      return context.commit(written);
    };
    const use = (now: number) => authenticateKey({ ...context, commit }, current.key, null, now);
    for (const now of [NOW, NOW + 1, FIXTURE_TIME + 2 * MINUTE_MS - 1, FIXTURE_TIME + 2 * MINUTE_MS]) await use(now);
    expect(writes).toEqual([FIXTURE_TIME + MINUTE_MS, FIXTURE_TIME + 2 * MINUTE_MS]);
    expect((await present())._unsafeUnwrap().lastUsedAt).toBe(FIXTURE_TIME + 2 * MINUTE_MS);
  });

  it("writes the last use once at a time, however slow the store, and again when the write failed", async () => {
    const { context, store, errors } = await worldWithKey();
    await store.commit(insertKeyCommit(anApiKey({ id: "21", keyHash: former.keyHash })));
    const writes: [id: string, usedAt: number][] = [];
    const ends: ((error: Error) => void)[] = [];
    const commit: AccessContext["commit"] = (written) => {
      writes.push(...usesIn(written).map(({ keyId, at }): [string, number] => [keyId, at]));
      return new Promise((_resolve, reject) => ends.push(reject));
    };
    const use = (now: number, key = current.key) => authenticateKey({ ...context, commit }, key, null, now);
    for (const now of [NOW, NOW, NOW + MINUTE_MS, NOW + MINUTE_MS]) await use(now);
    await use(NOW, former.key);
    const minute = FIXTURE_TIME + MINUTE_MS;
    const awaited = [
      ["20", minute],
      ["20", minute + MINUTE_MS],
      ["21", minute],
    ];
    expect(writes).toEqual(awaited);
    for (const end of ends) end(new Error("away"));
    await expect.poll(() => errors).toHaveLength(3);
    await use(NOW);
    expect(writes).toEqual([...awaited, ["20", minute]]);
  });

  it("counts no refused request as a use of the key", async () => {
    const { present, store } = await worldWithKey({ allowedIps: ["10.0.0.0/8"] });
    await present("11.1.2.3");
    expect((await store.findKey("1", "20"))?.lastUsedAt).toBeNull();
  });

  it("serves the request when the last use cannot be written, and reports the error", async () => {
    const { context, errors } = await worldWithKey();
    const full = new Error("disk full");
    const failing = { ...context, commit: () => Promise.reject(full) };
    expect((await authenticateKey(failing, current.key, null, NOW)).isOk()).toBe(true);
    await expect.poll(() => errors).toEqual([full]);
  });
});

describe("authenticateUser", () => {
  const claims = { businessId: "1", userId: "30", sessionId: "40" };

  async function worldWithSession(session: Partial<Session> = {}, user: Partial<User> = {}) {
    const world = await accessWorld();
    await world.store.commit(insertUserCommit(aUser(user)));
    await beginSession(world.store, session);
    const token = (changes: Partial<typeof claims> = {}) =>
      signAccessToken(world.context.secrets.tokenKeys[0], { ...claims, ...changes }, NOW);
    const present = async (changes: Partial<typeof claims> = {}, now = NOW) =>
      authenticateUser(world.context, await token(changes), now);
    return { ...world, token, present };
  }

  it("refuses a user whose stored role this version does not know", async () => {
    const { store, context, present } = await worldWithSession();
    const findUser = async () => Object.assign({ ...aUser() }, { role: "VIEWER" });
    Object.assign(context, { store: { ...store, findUser } });
    expect((await present())._unsafeUnwrapErr().kind).toBe("forbidden");
  });

  it("authenticates a user with the role that is stored now", async () => {
    const { present } = await worldWithSession({}, { role: "MEMBER" });
    expect((await present())._unsafeUnwrap()).toEqual({
      kind: "user",
      businessId: "1",
      id: "30",
      role: "MEMBER",
      sessionId: "40",
      lacksSecondFactor: true,
    });
  });

  it("refuses an access token that is no longer valid", async () => {
    const { present, context } = await worldWithSession();
    expect((await present({}, NOW + HOUR_MS))._unsafeUnwrapErr()).toMatchObject(unauthorized);
    expect((await authenticateUser(context, "nonsense", NOW))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it.each([
    ["ended", { endedAt: NOW }],
    ["lapsed", { refreshExpiresAt: NOW }],
    ["of another user", { userId: "31" }],
    ["of another business", { businessId: "2" }],
    ["unknown", { id: "41" }],
  ])("refuses an access token whose session is %s", async (_, session) => {
    const { present } = await worldWithSession(session);
    expect((await present())._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });

  it("refuses an access token whose user was removed", async () => {
    const { context, store, token } = await worldWithSession();
    const withoutUsers = { ...context, store: { ...store, findUser: async () => null } };
    expect((await authenticateUser(withoutUsers, await token(), NOW))._unsafeUnwrapErr()).toMatchObject(unauthorized);
  });
});
