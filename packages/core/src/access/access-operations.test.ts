import { describe, expect, it } from "vitest";
import { createCall } from "../kernel/call.js";
import { accessWorld } from "../testing/access-world.js";
import { createAccessOperations } from "./access-operations.js";

async function operations() {
  const world = await accessWorld();
  const call = createCall(async () => {});
  return { ...world, ...createAccessOperations(world.context, call) };
}

describe("access without HTTP", () => {
  it("creates a business and its first user, who logs in, refreshes the session and logs out for good", async () => {
    const { businesses, users, sessions } = await operations();
    const business = (await businesses.create({ name: "Sur" }))._unsafeUnwrap();
    expect(await businesses.find(business.id)).toMatchObject({ name: "Sur", tier: "STANDARD", timeZone: "UTC" });
    expect(await users.exist()).toBe(false);
    const login = { email: "Ana@example.org", password: "correct horse" };
    const user = { ...login, businessId: business.id, displayName: "Ana", role: "OWNER" } as const;
    const made = (await users.create(user))._unsafeUnwrap();
    expect(await users.exist()).toBe(true);
    const first = (await sessions.login(login, "192.0.2.7"))._unsafeUnwrap();
    expect(first.user).toMatchObject({ id: made.id, email: "Ana@example.org", role: "OWNER" });
    const second = (await sessions.refresh({ refresh_token: first.refresh_token }))._unsafeUnwrap();
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await sessions.refresh({ refresh_token: first.refresh_token })).isErr()).toBe(true);
    expect((await sessions.refresh({ refresh_token: second.refresh_token })).isErr()).toBe(true);
  });

  it("lists the businesses by cursor: each page follows the last known id", async () => {
    const { businesses } = await operations();
    for (const name of ["Norte", "Sur"]) await businesses.create({ name });
    const all = (await businesses.list())._unsafeUnwrap();
    expect(all.map(({ id, name }) => [id, name])).toEqual([
      ["1", expect.any(String)],
      [expect.any(String), "Norte"],
      [expect.any(String), "Sur"],
    ]);
    const [first, second, third] = all;
    expect((await businesses.list({ after: first?.id ?? null, limit: 1 }))._unsafeUnwrap()).toEqual([second]);
    expect((await businesses.list({ after: third?.id ?? null }))._unsafeUnwrap()).toEqual([]);
    expect((await businesses.list({ after: "0020" }))._unsafeUnwrapErr()).toMatchObject({ kind: "invalid" });
  });

  it("sets another password for a user and ends the sessions of the old one", async () => {
    const { businesses, users, sessions } = await operations();
    const business = (await businesses.create({ name: "Sur" }))._unsafeUnwrap();
    const login = { email: "ana@example.org", password: "correct horse" };
    await users.create({ ...login, businessId: business.id, displayName: "Ana", role: "OWNER" });
    const before = (await sessions.login(login, "192.0.2.7"))._unsafeUnwrap();
    expect((await users.resetPassword({ email: login.email, password: "another good one" })).isOk()).toBe(true);
    expect((await sessions.refresh({ refresh_token: before.refresh_token })).isErr()).toBe(true);
    expect((await sessions.login(login, "192.0.2.7")).isErr()).toBe(true);
    expect((await sessions.login({ ...login, password: "another good one" }, "192.0.2.7")).isOk()).toBe(true);
  });

  it("logs out a user of this service and refuses a host's user, who has no session here", async () => {
    const { sessions, owner } = await operations();
    expect((await sessions.logout(owner))._unsafeUnwrapErr()).toMatchObject({ kind: "unauthorized" });
    const system = { kind: "system", businessId: "1" } as const;
    expect((await sessions.logout(system))._unsafeUnwrapErr()).toMatchObject({ kind: "forbidden" });
  });

  it("creates, reads, updates, regenerates and revokes an API key", async () => {
    const { keys, owner } = await operations();
    const key = (await keys.create(owner, { name: "Shop", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    expect((await keys.list(owner, { page: 1, limit: 5 }))._unsafeUnwrap().data).toHaveLength(1);
    expect((await keys.list(owner))._unsafeUnwrap().pagination.total).toBe(1);
    expect((await keys.update(owner, key.id, { status: "SUSPENDED" }))._unsafeUnwrap().status).toBe("SUSPENDED");
    const secret = (await keys.readWebhookSecret(owner, key.id))._unsafeUnwrap();
    expect(secret.webhookSecret).toBe(key.webhookSecret);
    expect((await keys.regenerate(owner, key.id))._unsafeUnwrap().key).not.toBe(key.key);
    expect((await keys.revoke(owner, key.id))._unsafeUnwrap().status).toBe("REVOKED");
    expect((await keys.get(owner, key.id))._unsafeUnwrap().status).toBe("REVOKED");
  });

  it("raises the rate limit that a key may have when the business gets a higher tier", async () => {
    const { businesses, keys, owner } = await operations();
    const fast = { name: "Fast", scopes: ["READ_BUDGETS"] as const, rateLimitPerHour: 40_000 };
    const create = () => keys.create(owner, { ...fast, scopes: [...fast.scopes] });
    expect((await create())._unsafeUnwrapErr()).toMatchObject({ rule: "RATE_LIMIT_ABOVE_TIER" });
    expect((await businesses.setTier("1", "PREMIUM"))._unsafeUnwrap()).toEqual({ id: "1", tier: "PREMIUM" });
    expect((await create()).isOk()).toBe(true);
  });
});
