import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { scryptHasher } from "./access/password.js";
import { type BudgetServiceOptions, createBudgetService } from "./create-service.js";
import { createMemoryRateLimitStore } from "./limits/memory-rate-limit-store.js";
import { aSession, manualClock, memoryStore, seededRandom } from "./testing.js";

const secret = "a secret of at least thirty-two characters";

function serviceOf(overrides: Partial<BudgetServiceOptions> = {}) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(1);
  const store = memoryStore();
  const passwordHasher = scryptHasher(random, { cost: 16 });
  const service = createBudgetService({ store, secret, clock, random, passwordHasher, ...overrides });
  return { service, clock, store };
}

const input = { customerId: "c", items: [{ description: "Chair", quantity: 1, unitPrice: 10 }] };

describe("a service", () => {
  it("is put together from a store and a secret, and works without HTTP", async () => {
    const { service } = serviceOf();
    const business = (await service.businesses.create({ name: "Norte", timeZone: "America/Lima" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const created = (await service.budgets.create(actor, { ...input, validUntil: "2026-03-02" }))._unsafeUnwrap();
    expect(created).toMatchObject({ createdBy: "system", validUntil: "2026-03-03T04:59:59.999Z" });
    await service.catalog.saveCustomer(actor, { id: "c", name: "Ana" });
    expect((await service.budgets.get(actor, created.id))._unsafeUnwrap().customer.name).toBe("Ana");
    expect((await service.events.list(actor))._unsafeUnwrap().data).toHaveLength(1);
  });

  it("serves login, keys and budgets over HTTP", async () => {
    const { service } = serviceOf({ publicBaseUrl: "https://quotes.example/v1/" });
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const user = { businessId: business.id, email: "ana@example.org", displayName: "Ana", role: "OWNER" } as const;
    expect(await service.users.exist()).toBe(false);
    await service.users.create({ ...user, password: "correct horse" });
    expect(await service.users.exist()).toBe(true);
    const session = (await service.sessions.login({ email: user.email, password: "correct horse" }))._unsafeUnwrap();
    const send = (path: string, token: string, body?: unknown) =>
      service.fetch(
        new Request(`https://host.example/v1${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    const made = await send("/api-keys", session.access_token, { name: "k", scopes: ["WRITE_BUDGETS"] });
    const key = z.object({ key: z.string() }).parse(await made.json());
    const created = await send("/api/public/budgets", key.key, input);
    expect(created.status).toBe(201);
    const { data } = z.object({ data: z.object({ id: z.string() }) }).parse(await created.json());
    const link = await send(`/api/public/budgets/${data.id}/public-link`, key.key, {});
    const published = z.object({ data: z.object({ publicUrl: z.string() }) }).parse(await link.json());
    expect(published.data.publicUrl).toMatch(/^https:\/\/quotes\.example\/v1\/p\//);
  });

  it("refuses a secret that is too short, and an empty list", () => {
    expect(() => serviceOf({ secret: "short" })).toThrow(RangeError);
    expect(() => serviceOf({ secret: [] })).toThrow(RangeError);
    expect(() => serviceOf({ secret: [secret, "short"] })).toThrow(RangeError);
  });

  it("checks input in process as it does over HTTP", async () => {
    const { service } = serviceOf();
    const actor = { kind: "system", businessId: "1" } as const;
    const refused = (await service.budgets.create(actor, { ...input, items: [] }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "invalid", errors: [{ field: "items", code: "MIN_LENGTH" }] });
    const metadata = JSON.parse('{"__proto__": 1}');
    expect((await service.budgets.create(actor, { ...input, metadata })).isErr()).toBe(true);
  });

  it("keeps the windows where the host wants them", async () => {
    const rateLimits = createMemoryRateLimitStore();
    const admit = vi.spyOn(rateLimits, "admit");
    const { service } = serviceOf({ rateLimits });
    await service.sessions.login({ email: "nobody@example.org", password: "whatever it is" });
    expect(admit).toHaveBeenCalled();
  });

  it("expires, forgets and tidies at each round of upkeep", async () => {
    const { service, clock, store } = serviceOf();
    const actor = { kind: "system", businessId: "1" } as const;
    const { id } = (await service.budgets.create(actor, { ...input, validUntil: "2026-03-03" }))._unsafeUnwrap();
    const claim = {
      businessId: "1",
      key: "k",
      claimId: "a",
      fingerprint: "f",
      leaseUntil: 1,
      expiresAt: clock.now() + 1,
    };
    await store.claimKey(claim, clock.now());
    await store.admit("s", [{ lengthMs: 1_000, limit: 1 }], clock.now());
    for (const [id, refreshExpiresAt] of [
      ["40", clock.now() + 1],
      ["41", clock.now() + 24 * 3_600_000],
    ] as const) {
      await store.insertSession(aSession({ id, refreshExpiresAt }));
    }
    clock.advance(2 * 24 * 3_600_000);
    await service.tick();
    expect(await store.findSession("1", "40")).toBeNull();
    expect(await store.findSession("1", "41")).not.toBeNull(); // for a day
    expect((await store.findBudget("1", id))?.status).toBe("EXPIRED");
    expect(await store.pruneClaims(clock.now(), 10)).toBe(0);
    expect(await store.pruneWindows(clock.now(), 10)).toBe(0);
  });

  it("keeps the upkeep going between start and stop, and tells of a round that failed", async () => {
    vi.useFakeTimers();
    try {
      const onError = vi.fn();
      const { service, store } = serviceOf({ onError });
      const failing = vi.spyOn(store, "pruneClaims").mockRejectedValue(new Error("away"));
      await service.start();
      await service.start();
      await vi.advanceTimersByTimeAsync(5_000);
      await service.stop();
      expect(failing).toHaveBeenCalledTimes(1);
      expect(onError).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(failing).toHaveBeenCalledTimes(1);
      await service.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it("makes the store ready before the first use, and tries again when that failed", async () => {
    const store = memoryStore();
    const migrate = vi.spyOn(store, "migrate").mockRejectedValueOnce(new Error("locked"));
    const { service } = serviceOf({ store, onError: () => {} });
    const request = () => service.fetch(new Request("https://host.example/v1/"));
    expect((await request()).status).toBe(500);
    expect((await request()).status).toBe(200);
    expect((await request()).status).toBe(200);
    expect(migrate).toHaveBeenCalledTimes(2);
    expect(await service.isReady()).toBe(true);
  });

  it("prints what went wrong unless the host wants to be told", async () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const store = memoryStore();
    vi.spyOn(store, "findBusiness").mockRejectedValue(new Error("boom"));
    vi.spyOn(store, "findBudgetByPublicToken").mockRejectedValue("plain text");
    const service = createBudgetService({ store, secret, allowPrivateDestinations: true, references: "open" });
    await service.fetch(new Request(`https://host.example/p/${"a".repeat(43)}`));
    expect(written).toHaveBeenCalledWith(expect.stringContaining("plain text"));
    written.mockRestore();
  });
});
