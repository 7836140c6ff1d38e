import { seededRandom } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import type { Committed } from "../../commit/commit.js";
import { MINUTE_MS } from "../../kernel/clock.js";
import { createOneAtATime } from "../../kernel/one-at-a-time.js";
import { accessWorld } from "../../testing/access-world.js";
import { authenticateUser } from "../authenticate.js";
import { createHashQueue } from "../hash-queue.js";
import { createUser, resetPassword } from "../manage-users.js";
import { HasherOverloaded, type PasswordHasher, scryptHasher } from "../password.js";
import { login, loginSchema } from "./login.js";
import { loginViewSchema } from "./session.js";

const password = "correct horse";

async function worldWithAna() {
  const calls: string[] = [];
  const scrypt = scryptHasher(seededRandom(1), { cost: 2 });
  const hasher: PasswordHasher = {
    ...scrypt,
    hash: (text) => {
      calls.push("hash");
      return scrypt.hash(text);
    },
    verify: (text, hash) => {
      calls.push("verify");
      return scrypt.verify(text, hash);
    },
  };
  const world = await accessWorld({ hasher });
  const user = await createUser(world.context, {
    businessId: "1",
    email: "Ana@example.com",
    password,
    displayName: "Ana",
    role: "ADMIN",
    emailVerified: true,
  });
  calls.length = 0;
  return { ...world, calls, user: user._unsafeUnwrap() };
}

type World = Awaited<ReturnType<typeof worldWithAna>>;

describe("login", () => {
  it("answers with tokens and the user, in the contract's shape", async () => {
    const { context, clock, user } = await worldWithAna();
    const view = (
      await login(context, { email: "ANA@example.com", password }, "203.0.113.7", clock.now())
    )._unsafeUnwrap();
    expect(loginViewSchema.parse(view)).toEqual(view);
    expect(view).toMatchObject({ token_type: "Bearer", expires_in: 3_600, user });
    expect(user).toMatchObject({ businessId: 1, email: "Ana@example.com", role: "ADMIN" });
    const actor = (await authenticateUser(context, view.access_token, clock.now()))._unsafeUnwrap();
    expect(actor).toMatchObject({ kind: "user", businessId: "1", id: String(user.id), role: "ADMIN" });
  });

  it("refuses a wrong password and an unknown email alike, after the same amount of hashing", async () => {
    const { context, clock, calls } = await worldWithAna();
    const wrong = await login(context, { email: "ana@example.com", password: "wrong horse" }, null, clock.now());
    expect(wrong._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect(calls).toEqual(["verify"]);
    const unknown = await login(context, { email: "eve@example.com", password }, null, clock.now());
    expect(unknown._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect(calls).toEqual(["verify", "hash"]);
  });

  it("refuses a network's eleventh attempt on an account before any hashing, the right password included", async () => {
    const { context, clock, calls } = await worldWithAna();
    const attempt = (given: string, address: string, at = clock.now()) =>
      login(context, { email: "Ana@example.com", password: given }, address, at);
    for (let count = 0; count < 10; count += 1) await attempt("wrong horse", "203.0.113.7");
    calls.length = 0;
    const refused = await attempt(password, "203.0.113.7", clock.now() + 1);
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      kind: "rate-limited",
      limit: 10,
      remaining: 0,
      resetAtMs: clock.now() + 15 * MINUTE_MS,
    });
    expect(calls).toEqual([]);
    expect((await attempt(password, "198.51.100.1")).isOk()).toBe(true);
    clock.advance(15 * MINUTE_MS);
    expect((await attempt(password, "203.0.113.7")).isOk()).toBe(true);
  });

  it("hashes first for a network that has logged in, and as a decoy for an unknown email", async () => {
    const { context, clock } = await worldWithAna();
    const priorities: unknown[] = [];
    const hasher: PasswordHasher = {
      ...context.hasher,
      hash: async (text, priority) => {
        priorities.push(priority);
        return context.hasher.hash(text, priority);
      },
      verify: async (text, hash, priority) => {
        priorities.push(priority);
        return context.hasher.verify(text, hash, priority);
      },
    };
    for (const email of ["ana@example.com", "ana@example.com", "eve@example.com"]) {
      await login({ ...context, hasher }, { email, password }, "203.0.113.7", clock.now());
    }
    expect(priorities).toEqual(["normal", "known-network", "decoy"]);
  });

  it("does not count the logins that succeed among them", async () => {
    const { context, clock } = await worldWithAna();
    for (let count = 0; count < 25; count += 1) {
      expect((await login(context, { email: "ana@example.com", password }, null, clock.now())).isOk()).toBe(true);
    }
    const guess = () => login(context, { email: "ana@example.com", password: "wrong horse" }, null, clock.now());
    for (let count = 0; count < 10; count += 1) expect((await guess())._unsafeUnwrapErr().kind).toBe("unauthorized");
    expect((await guess())._unsafeUnwrapErr().kind).toBe("rate-limited");
  });

  it("is unavailable for a moment, to known and unknown users alike, when too many passwords are being hashed", async () => {
    const { context, clock, store } = await worldWithAna();
    const overloaded = () => Promise.reject(new HasherOverloaded());
    const busy = { ...context, hasher: { ...context.hasher, hash: overloaded, verify: overloaded } };
    const committing = vi.spyOn(store, "commit");
    for (const email of ["ana@example.com", "eve@example.com"]) {
      const refused = await login(busy, { email, password }, null, clock.now());
      expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "unavailable", retryAfterSeconds: 1 });
    }
    expect(committing).not.toHaveBeenCalled();
  });

  it("counts no failure while too many passwords are being hashed", async () => {
    const { context, clock } = await worldWithAna();
    const overloaded = () => Promise.reject(new HasherOverloaded());
    const busy = { ...context, hasher: { ...context.hasher, verify: overloaded } };
    const attempt = (in_: typeof context) =>
      login(in_, { email: "ana@example.com", password }, "203.0.113.7", clock.now());
    for (let count = 0; count < 10; count += 1) {
      expect((await attempt(busy))._unsafeUnwrapErr().kind).toBe("unavailable");
    }
    expect((await attempt(context)).isOk()).toBe(true);
  });

  it.each(["ana@example.com", "eve@example.com"])(
    "hashes one by one for attempts on %s that come at once, so that their time does not show whether it exists",
    async (email) => {
      const { context, clock } = await worldWithAna();
      const queue = createHashQueue({ slots: 2, maxWaiting: 64 }, () => new HasherOverloaded());
      let hashes = 0;
      const hash = async () => {
        hashes += 1;
        await new Promise(setImmediate);
      };
      const hasher: PasswordHasher = {
        ...context.hasher,
        verify: async () => {
          await queue.run(hash);
          return false;
        },
        hash: async () => {
          await queue.decoy(hash);
          return "";
        },
      };
      const guess = () => login({ ...context, hasher }, { email, password }, "203.0.113.7", clock.now());
      const guesses = await Promise.all(Array.from({ length: 8 }, guess));
      expect(guesses.map((each) => each._unsafeUnwrapErr().kind)).toEqual(
        Array.from({ length: 8 }, () => "unauthorized"),
      );
      expect(hashes).toBe(8);
    },
  );

  it("passes on any other failure of the hasher", async () => {
    const { context, clock } = await worldWithAna();
    const failing = { ...context.hasher, verify: () => Promise.reject(new Error("out of memory")) };
    const attempt = login({ ...context, hasher: failing }, { email: "ana@example.com", password }, null, clock.now());
    await expect(attempt).rejects.toThrow("out of memory");
  });

  it("replaces a hash of another cost at the next login, once", async () => {
    const { context, clock, store } = await worldWithAna();
    const dearer = { ...context, hasher: scryptHasher(seededRandom(2), { cost: 4 }) };
    expect((await login(dearer, { email: "ana@example.com", password }, null, clock.now())).isOk()).toBe(true);
    const renewed = await store.findUserByEmail("ana@example.com");
    expect(renewed?.passwordHash).toMatch(/^\$scrypt\$ln=2,/);
    expect((await login(dearer, { email: "ana@example.com", password }, null, clock.now())).isOk()).toBe(true);
    expect(await store.findUserByEmail("ana@example.com")).toEqual(renewed);
  });

  it("does not replace the hash when the password is wrong", async () => {
    const { context, clock, store } = await worldWithAna();
    const dearer = { ...context, hasher: scryptHasher(seededRandom(2), { cost: 4 }) };
    await login(dearer, { email: "ana@example.com", password: "wrong horse" }, null, clock.now());
    expect((await store.findUserByEmail("ana@example.com"))?.passwordHash).toMatch(/^\$scrypt\$ln=1,/);
  });

  /** A login whose check of the password has ended well, and waits to go on until `meanwhile` is done. */
  async function loginWhile(meanwhile: (world: World) => Promise<unknown>, hasher: Partial<PasswordHasher> = {}) {
    const world = await worldWithAna();
    const { context, clock } = world;
    let isFirst = true;
    const verify: PasswordHasher["verify"] = async (text, hash) => {
      const isRight = await context.hasher.verify(text, hash);
      if (isFirst) {
        isFirst = false;
        await meanwhile(world);
      }
      return isRight;
    };
    const held = { ...context, hasher: { ...context.hasher, ...hasher, verify } };
    return { ...world, outcome: await login(held, { email: "ana@example.com", password }, null, clock.now()) };
  }

  it("refuses the old password when it is replaced while it is being checked, and opens no session", async () => {
    const openings: Promise<Committed>[] = [];
    const { outcome } = await loginWhile(({ context, store }) => {
      const { commit } = store;
      vi.spyOn(store, "commit").mockImplementation((written) => {
        const committed = commit(written);
        if (written.writes.some(({ kind }) => kind === "session")) openings.push(committed);
        return committed;
      });
      return resetPassword(context, { email: "ana@example.com", password: "another horse" });
    });
    expect(outcome._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    expect(await Promise.all(openings)).toEqual([{ kind: "refused", by: "stale" }]);
  });

  it("refuses it when its hash would be renewed, too, and leaves the new password", async () => {
    const dearer = scryptHasher(seededRandom(2), { cost: 4 });
    const { context, clock, outcome } = await loginWhile(
      ({ context: its }) => resetPassword(its, { email: "ana@example.com", password: "another horse" }),
      { hash: dearer.hash, needsRehash: dearer.needsRehash },
    );
    expect(outcome._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    const next = await login(context, { email: "ana@example.com", password: "another horse" }, null, clock.now());
    expect(next.isOk()).toBe(true);
  });

  it("counts that refusal as a failure", async () => {
    const { context, clock } = await loginWhile(({ context: its }) =>
      resetPassword(its, { email: "ana@example.com", password: "another horse" }),
    );
    const guess = () => login(context, { email: "ana@example.com", password: "wrong horse" }, null, clock.now());
    for (let count = 0; count < 9; count += 1) expect((await guess())._unsafeUnwrapErr().kind).toBe("unauthorized");
    expect((await guess())._unsafeUnwrapErr().kind).toBe("rate-limited");
  });

  it("accepts the right password when another process renews its hash during the check", async () => {
    const dearer = scryptHasher(seededRandom(2), { cost: 4 });
    const { context, clock, outcome } = await loginWhile(
      ({ context: its }) => {
        const process = { ...its, hasher: dearer, byAccount: createOneAtATime() };
        return login(process, { email: "ana@example.com", password }, null, its.clock.now());
      },
      { hash: dearer.hash, needsRehash: dearer.needsRehash },
    );
    const view = outcome._unsafeUnwrap();
    expect((await authenticateUser(context, view.access_token, clock.now())).isOk()).toBe(true);
  });

  it("opens a session each time and keeps no token in the store", async () => {
    const { context, clock, store } = await worldWithAna();
    const input = { email: "ana@example.com", password };
    const first = (await login(context, input, null, clock.now()))._unsafeUnwrap();
    const second = (await login(context, input, null, clock.now()))._unsafeUnwrap();
    expect(first.refresh_token).not.toBe(second.refresh_token);
    const sessionId = first.refresh_token.split(".")[1] ?? "";
    const stored = JSON.stringify(await store.findSession("1", sessionId));
    expect(stored).toContain("refreshHash");
    expect(stored).not.toContain(first.refresh_token.slice(-43));
    expect(stored).not.toContain(first.access_token);
  });
});

describe("loginSchema", () => {
  it.each([
    {},
    { email: "", password: "x" },
    { email: "a", password: "" },
    { email: "a", password: "x".repeat(1_025) },
  ])("refuses %j", (input) => {
    expect(loginSchema.safeParse(input).success).toBe(false);
  });
});
