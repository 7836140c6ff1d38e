import { aBusiness, aClaim, aDelivery, anApiKey } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { bindingOf, HeldClaim } from "../../idempotency/held-claim.js";
import { HOUR_MS, SECOND_MS, toTimestamp } from "../../kernel/clock.js";
import { parseInput } from "../../kernel/validation.js";
import { accessWorld, aUserActor } from "../../testing/access-world.js";
import { testDeliveryCommit } from "../../webhooks/endpoint-commits.js";
import { insertBusinessCommit, insertKeyCommit, setTierCommit } from "../access-commits.js";
import type { AccessContext } from "../access-context.js";
import { authenticateKey } from "../authenticate.js";
import { createKeySchema, regenerateKeySchema, updateKeySchema } from "./key-input.js";
import { apiKeyListSchema, apiKeyViewSchema, createdKeyViewSchema, regeneratedKeyViewSchema } from "./key-view.js";
import { readWebhookSecret } from "./key-webhook-secret.js";
import { createKey, getKey, listKeys, MAX_KEYS, regenerateKey, revokeKey, updateKey } from "./manage-keys.js";

const minimal = { name: "Web shop", scopes: ["READ_BUDGETS"] } as const;

/** What a request body becomes on its way to the operation. */
function read<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  return parseInput(schema, input)._unsafeUnwrap();
}

function refusedFields(schema: z.ZodType, input: unknown): string[] {
  const problem = parseInput(schema, input)._unsafeUnwrapErr();
  return problem.kind === "invalid" ? problem.errors.map(({ field, code }) => `${field}:${code}`) : [];
}

async function worldWithKey(input: object = {}, overrides: Partial<AccessContext> = {}) {
  const world = await accessWorld(overrides);
  const created = await createKey(world.context, world.owner, read(createKeySchema, { ...minimal, ...input }));
  const view = created._unsafeUnwrap();
  const update = (change: object) => updateKey(world.context, world.owner, view.id, read(updateKeySchema, change));
  const isAccepted = async (key: string) => (await authenticateKey(world.context, key, null, world.clock.now())).isOk();
  return { ...world, created: view, id: view.id, update, isAccepted };
}

describe("createKey", () => {
  it("creates an ACTIVE key with the contract's defaults, and shows the key and its webhook secret", async () => {
    const { created, clock, isAccepted } = await worldWithKey();
    expect(createdKeyViewSchema.parse(created)).toEqual(created);
    expect(created).toEqual({
      id: expect.stringMatching(/^[1-9]\d*$/),
      name: "Web shop",
      description: null,
      scopes: ["READ_BUDGETS"],
      status: "ACTIVE",
      rateLimitPerHour: 1_000,
      allowedIps: null,
      expiresAt: null,
      webhookUrl: null,
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      key: expect.stringMatching(/^bgk_live_\w{38}$/),
      keyPrefix: created.key.slice(0, 12),
      createdAt: toTimestamp(clock.now()),
      updatedAt: toTimestamp(clock.now()),
      revokedAt: null,
      lastUsedAt: null,
    });
    expect(await isAccepted(created.key)).toBe(true);
  });

  it("createKey stores every given setting, with addresses in canonical form", async () => {
    const given = {
      description: "Orders of the web shop",
      rateLimitPerHour: 10_000,
      allowedIps: ["10.1.2.3/8", "2001:DB8::1"],
      expiresAt: "2026-04-01T00:00:00-03:00",
      webhookUrl: "https://example.com/hooks",
      webhookSecret: "chosen by the host",
    };
    const { created } = await worldWithKey(given);
    expect(created).toMatchObject({
      ...given,
      allowedIps: ["10.0.0.0/8", "2001:db8::1"],
      expiresAt: "2026-04-01T03:00:00.000Z",
    });
  });

  it("createKey keeps neither key nor secret in plain text", async () => {
    const { created, store, id } = await worldWithKey();
    const stored = JSON.stringify(await store.findKey("1", id));
    expect(stored).toContain(created.keyPrefix);
    expect(stored).not.toContain(created.key);
    expect(stored).not.toContain(created.webhookSecret.slice(6));
  });

  it("a key expires at the end of the given day in the time zone of the business", async () => {
    const world = await accessWorld();
    await world.store.commit(insertBusinessCommit(aBusiness({ id: "2", timeZone: "America/Lima" })));
    const input = read(createKeySchema, { ...minimal, expiresAt: "2026-03-02" });
    const created = await createKey(world.context, aUserActor("ADMIN", "2"), input);
    expect(created._unsafeUnwrap().expiresAt).toBe("2026-03-03T04:59:59.999Z");
  });

  it("refuses a key that expires in the past or now", async () => {
    const { context, owner, clock } = await accessWorld();
    for (const expiresAt of ["2026-03-01", toTimestamp(clock.now())]) {
      const refused = await createKey(context, owner, read(createKeySchema, { ...minimal, expiresAt }));
      expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule: "VALIDITY_IN_THE_PAST" });
    }
  });

  it.each([
    ["STANDARD", 1_000, 10_000],
    ["PREMIUM", 5_000, 50_000],
  ] as const)("a %s key gets %i requests an hour, at most %i (RATE_LIMIT_ABOVE_TIER)", async (tier, standard, max) => {
    const { context, owner, store } = await accessWorld();
    await store.commit(setTierCommit("1", tier));
    const create = (change: object) => createKey(context, owner, read(createKeySchema, { ...minimal, ...change }));
    expect((await create({}))._unsafeUnwrap().rateLimitPerHour).toBe(standard);
    expect((await create({ rateLimitPerHour: max }))._unsafeUnwrap().rateLimitPerHour).toBe(max);
    expect((await create({ rateLimitPerHour: max + 1 }))._unsafeUnwrapErr()).toMatchObject({
      kind: "rule",
      rule: "RATE_LIMIT_ABOVE_TIER",
      details: { tier, maxPerHour: max },
    });
  });

  it("sets no upper rate limit for keys of tier ENTERPRISE", async () => {
    const { context, owner, store } = await accessWorld();
    await store.commit(setTierCommit("1", "ENTERPRISE"));
    const input = read(createKeySchema, { ...minimal, rateLimitPerHour: 10_000_000 });
    expect((await createKey(context, owner, input))._unsafeUnwrap().rateLimitPerHour).toBe(10_000_000);
  });

  it.each(["http://127.0.0.1/hooks", "ftp://example.com", "", "not a url"])(
    "refuses %j as the webhookUrl of a key",
    async (webhookUrl) => {
      const { context, owner } = await accessWorld();
      const refused = await createKey(context, owner, read(createKeySchema, { ...minimal, webhookUrl }));
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        kind: "invalid",
        errors: [{ field: "webhookUrl", code: "INVALID_VALUE" }],
      });
    },
  );

  it("accepts a private webhookUrl where the host allows private addresses", async () => {
    const { created } = await worldWithKey({ webhookUrl: "http://127.0.0.1:9" }, { allowPrivateDestinations: true });
    expect(created.webhookUrl).toBe("http://127.0.0.1:9");
  });

  it("createKey completes the claim of the request with the key, or writes neither when another request took it over", async () => {
    const { context, owner, store, clock } = await accessWorld();
    const claim = aClaim({ leaseUntil: clock.now() + 1_000, expiresAt: clock.now() + HOUR_MS });
    await store.claimKey(claim, clock.now());
    const create = (claimId: string) =>
      createKey(context, owner, read(createKeySchema, minimal), {
        claim: new HeldClaim({ ...claim, claimId }, context.secrets.box),
      });
    expect((await create("claim-of-another"))._unsafeUnwrapErr().kind).toBe("conflict");
    expect((await listKeys(context, owner, { page: 1, limit: 10 }))._unsafeUnwrap().data).toEqual([]);
    const created = (await create(claim.claimId))._unsafeUnwrap();
    const completed = await store.findCompletedClaim("1", claim.key, clock.now());
    const opened = context.secrets.box.open(completed?.response ?? "", bindingOf(claim));
    expect(JSON.parse(opened ?? "")).toEqual({ result: created });
  });

  it("refuses to create a key for a business that does not exist", async () => {
    const { context } = await accessWorld();
    const refused = await createKey(context, { kind: "system", businessId: "99" }, read(createKeySchema, minimal));
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", resource: "business", id: "99" });
  });
});

describe("createKeySchema", () => {
  it.each([
    [{ name: undefined }, "name:REQUIRED"],
    [{ name: "" }, "name:MIN_LENGTH"],
    [{ name: "x".repeat(256) }, "name:MAX_LENGTH"],
    [{ description: "x".repeat(2_001) }, "description:MAX_LENGTH"],
    [{ scopes: undefined }, "scopes:REQUIRED"],
    [{ scopes: [] }, "scopes:MIN_LENGTH"],
    [{ scopes: ["READ_EVERYTHING"] }, "scopes[0]:INVALID_VALUE"],
    [{ scopes: ["WEBHOOKS", "WEBHOOKS"] }, "scopes:INVALID_VALUE"],
    [{ rateLimitPerHour: 0 }, "rateLimitPerHour:MIN_VALUE"],
    [{ rateLimitPerHour: 1.5 }, "rateLimitPerHour:INVALID_TYPE"],
    [{ rateLimitPerHour: "10" }, "rateLimitPerHour:INVALID_TYPE"],
    [{ allowedIps: [] }, "allowedIps:MIN_LENGTH"],
    [{ allowedIps: new Array(101).fill("10.0.0.1") }, "allowedIps:MAX_LENGTH"],
    [{ allowedIps: ["10.0.0.1", "010.0.0.0/8"] }, "allowedIps[1]:INVALID_FORMAT"],
    [{ allowedIps: ["10/8"] }, "allowedIps[0]:INVALID_FORMAT"],
    [{ allowedIps: [7] }, "allowedIps[0]:INVALID_TYPE"],
    [{ expiresAt: "tomorrow" }, "expiresAt:INVALID_FORMAT"],
    [{ webhookSecret: "fifteen letters" }, "webhookSecret:MIN_LENGTH"],
    [{ webhookSecret: "x".repeat(257) }, "webhookSecret:MAX_LENGTH"],
    [{ webhookSecret: `whsec_${"A".repeat(28)}` }, "webhookSecret:INVALID_FORMAT"],
    [{ webhookSecret: `whsec_${"A".repeat(88)}` }, "webhookSecret:INVALID_FORMAT"],
    [{ webhookSecret: `whsec_${"*".repeat(32)}` }, "webhookSecret:INVALID_FORMAT"],
  ])("createKeySchema refuses %j", (change, error) => {
    expect(refusedFields(createKeySchema, { ...minimal, ...change })).toContain(error);
  });

  it.each([
    { description: null, allowedIps: null, expiresAt: null, webhookUrl: null, webhookSecret: null },
    { webhookSecret: "sixteen letters!" },
    { webhookSecret: `whsec_${Buffer.alloc(24).toString("base64")}` },
    { webhookSecret: `whsec_${Buffer.alloc(64).toString("base64")}` },
  ])("createKeySchema accepts %j", (change) => {
    expect(createKeySchema.safeParse({ ...minimal, ...change }).success).toBe(true);
  });
});

describe("listKeys and getKey", () => {
  it("getKey and listKeys show a key without its secrets", async () => {
    const { context, owner, created } = await worldWithKey();
    const { key: _key, webhookSecret: _webhookSecret, ...shown } = created;
    expect((await getKey(context, owner, created.id))._unsafeUnwrap()).toEqual(shown);
    const list = (await listKeys(context, owner, { page: 1, limit: 10 }))._unsafeUnwrap();
    expect(apiKeyListSchema.parse(list)).toEqual(list);
    expect(list.data).toEqual([shown]);
  });

  it("listKeys lists page by page, newest first", async () => {
    const { context, owner, clock } = await accessWorld();
    for (const name of ["first", "second", "third"]) {
      await createKey(context, owner, read(createKeySchema, { ...minimal, name }));
      clock.advance(1);
    }
    const page = (await listKeys(context, owner, { page: 2, limit: 2 }))._unsafeUnwrap();
    expect(page.data.map(({ name }) => name)).toEqual(["first"]);
    expect(page.pagination).toMatchObject({ page: 2, limit: 2, total: 3, totalPages: 2, hasMore: false });
  });

  it("getKey shows when a key was last used", async () => {
    const { context, owner, created, isAccepted } = await worldWithKey();
    await isAccepted(created.key);
    expect((await getKey(context, owner, created.id))._unsafeUnwrap().lastUsedAt).toBe("2026-03-02T12:00:00.000Z");
  });
});

describe("who may", () => {
  const system = { kind: "system", businessId: "1" } as const;
  const key = { kind: "key", businessId: "1", id: "20", scopes: ["WRITE_BUDGETS"] } as const;
  const customer = { kind: "customer", businessId: "1", name: "Bruno" } as const;

  const reads = { listKeys: 0, getKey: 0 };
  const changes = { createKey: 0, updateKey: 0, regenerateKey: 0, revokeKey: 0, readWebhookSecret: 0 };

  it.each([
    ["OWNER", aUserActor("OWNER"), { ...reads, ...changes }],
    ["ADMIN", aUserActor("ADMIN"), { ...reads, ...changes }],
    ["MEMBER", aUserActor("MEMBER"), reads],
    ["the host itself", system, { ...reads, ...changes }],
    ["an API key", key, {}],
    ["a customer", customer, {}],
  ])("%s may call only the key operations of its role (FORBIDDEN)", async (_, actor, allowed) => {
    const { context, id } = await worldWithKey();
    const outcomes = {
      listKeys: await listKeys(context, actor, { page: 1, limit: 10 }),
      getKey: await getKey(context, actor, id),
      createKey: await createKey(context, actor, read(createKeySchema, minimal)),
      updateKey: await updateKey(context, actor, id, { name: "Renamed" }),
      regenerateKey: await regenerateKey(context, actor, id, { gracePeriodSeconds: 0 }),
      readWebhookSecret: await readWebhookSecret(context, actor, id),
      revokeKey: await revokeKey(context, actor, id),
    };
    for (const [name, outcome] of Object.entries(outcomes)) {
      expect([name, outcome.isOk() ? "allowed" : outcome.error.kind]).toEqual([
        name,
        name in allowed ? "allowed" : "forbidden",
      ]);
    }
  });

  it.each(["999", "abc", "007", "1e3", "", "9007199254740993"])(
    "finds neither key %j nor a key of another business (NOT_FOUND)",
    async (unknown) => {
      const { context, owner, id } = await worldWithKey();
      const stranger = aUserActor("OWNER", "2");
      for (const [actor, keyId] of [
        [owner, unknown],
        [stranger, id],
      ] as const) {
        const outcomes = [
          await getKey(context, actor, keyId),
          await updateKey(context, actor, keyId, { name: "Renamed" }),
          await regenerateKey(context, actor, keyId, { gracePeriodSeconds: 0 }),
          await revokeKey(context, actor, keyId),
          await readWebhookSecret(context, actor, keyId),
        ];
        for (const outcome of outcomes) {
          expect(outcome._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", resource: "apiKey", id: keyId });
        }
      }
      expect((await listKeys(context, stranger, { page: 1, limit: 10 }))._unsafeUnwrap().data).toEqual([]);
    },
  );
});

describe("updateKey", () => {
  it("updateKey changes the given settings and leaves the rest", async () => {
    const { update, created, clock } = await worldWithKey({ description: "as it was", allowedIps: ["10.0.0.1"] });
    clock.advance(SECOND_MS);
    const updated = (await update({ name: "Renamed" }))._unsafeUnwrap();
    const { key: _key, webhookSecret: _webhookSecret, ...before } = created;
    expect(apiKeyViewSchema.parse(updated)).toEqual(updated);
    expect(updated).toEqual({ ...before, name: "Renamed", updatedAt: toTimestamp(clock.now()) });
    const everything = {
      name: "Again",
      description: "new",
      scopes: ["WEBHOOKS", "READ_PRODUCTS"],
      rateLimitPerHour: 7,
      allowedIps: ["192.0.2.0/24"],
      expiresAt: "2027-01-01T00:00:00.000Z",
      webhookUrl: "https://example.com/other",
    };
    expect((await update(everything))._unsafeUnwrap()).toMatchObject(everything);
  });

  it("updateKey clears optional settings with null", async () => {
    const { update } = await worldWithKey({
      description: "x",
      allowedIps: ["10.0.0.1"],
      expiresAt: "2027-01-01",
      webhookUrl: "https://example.com",
    });
    const cleared = { description: null, allowedIps: null, expiresAt: null, webhookUrl: null };
    expect((await update(cleared))._unsafeUnwrap()).toMatchObject(cleared);
  });

  it("updateKey suspends a key and makes it ACTIVE again", async () => {
    const { update, created, isAccepted } = await worldWithKey();
    expect((await update({ status: "SUSPENDED" }))._unsafeUnwrap()).toMatchObject({
      status: "SUSPENDED",
      revokedAt: null,
    });
    expect(await isAccepted(created.key)).toBe(false);
    expect((await update({ status: "ACTIVE" }))._unsafeUnwrap().status).toBe("ACTIVE");
    expect(await isAccepted(created.key)).toBe(true);
  });

  it.each(["ACTIVE", "SUSPENDED"])("updateKey never reactivates a key that is %s (KEY_REVOKED)", async (status) => {
    const { update, created, isAccepted, clock } = await worldWithKey();
    await update({ status });
    expect((await update({ status: "REVOKED" }))._unsafeUnwrap()).toMatchObject({
      status: "REVOKED",
      revokedAt: toTimestamp(clock.now()),
    });
    expect(await isAccepted(created.key)).toBe(false);
    for (const change of [{ status: "ACTIVE" }, { status: "REVOKED" }, { name: "Renamed" }, {}]) {
      expect((await update(change))._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule: "KEY_REVOKED" });
    }
  });

  it("updateKey checks the given settings as createKey does", async () => {
    const { update } = await worldWithKey();
    expect((await update({ rateLimitPerHour: 10_001 }))._unsafeUnwrapErr()).toMatchObject({
      rule: "RATE_LIMIT_ABOVE_TIER",
    });
    expect((await update({ expiresAt: "2026-03-01" }))._unsafeUnwrapErr()).toMatchObject({
      rule: "VALIDITY_IN_THE_PAST",
    });
    expect((await update({ webhookUrl: "http://[::1]" }))._unsafeUnwrapErr()).toMatchObject({ kind: "invalid" });
    expect(refusedFields(updateKeySchema, { status: "DELETED", scopes: [], name: null })).toEqual([
      "name:INVALID_TYPE",
      "scopes:MIN_LENGTH",
      "status:INVALID_VALUE",
    ]);
  });

  it("updateKey loses no change of concurrent writers", async () => {
    const { update, context, owner, id } = await worldWithKey();
    await Promise.all([
      update({ name: "Renamed" }),
      update({ description: "described" }),
      update({ rateLimitPerHour: 5 }),
    ]);
    expect((await getKey(context, owner, id))._unsafeUnwrap()).toMatchObject({
      name: "Renamed",
      description: "described",
      rateLimitPerHour: 5,
    });
  });

  it("updateKey fails when other writers always come first (CONFLICT)", async () => {
    const { context, owner, id } = await worldWithKey();
    const contested = { ...context, commit: async () => ({ kind: "refused", by: "stale" }) as const };
    expect((await updateKey(contested, owner, id, { name: "Renamed" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "conflict",
      details: { id },
    });
  });

  it("updateKey refuses a key whose business does not exist", async () => {
    const { context, store } = await accessWorld();
    await store.commit(insertKeyCommit(anApiKey({ businessId: "99" })));
    const refused = await updateKey(context, aUserActor("OWNER", "99"), "20", { name: "Renamed" });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", resource: "business" });
  });
});

describe("revokeKey", () => {
  it("revokes a key for good, and answers alike when it is revoked again", async () => {
    const { context, owner, id, created, isAccepted, clock } = await worldWithKey();
    const answer = { id, status: "REVOKED", revokedAt: toTimestamp(clock.now()) };
    expect((await revokeKey(context, owner, id))._unsafeUnwrap()).toEqual(answer);
    expect(await isAccepted(created.key)).toBe(false);
    clock.advance(HOUR_MS);
    expect((await revokeKey(context, owner, id))._unsafeUnwrap()).toEqual(answer);
    expect((await getKey(context, owner, id))._unsafeUnwrap()).toMatchObject({
      ...answer,
      updatedAt: answer.revokedAt,
    });
  });

  it("shows the last change of a REVOKED key without revokedAt as its revocation", async () => {
    const { context, store, owner } = await accessWorld();
    const key = anApiKey({ status: "REVOKED", revokedAt: null });
    await store.commit(insertKeyCommit(key));
    expect((await revokeKey(context, owner, key.id))._unsafeUnwrap().revokedAt).toBe(toTimestamp(key.updatedAt));
  });

  it("a revocation wins over an update that was decided before it", async () => {
    const { context, owner, id, update } = await worldWithKey();
    const [, updated] = await Promise.all([revokeKey(context, owner, id), update({ status: "SUSPENDED" })]);
    expect(updated.isErr()).toBe(true);
    expect((await getKey(context, owner, id))._unsafeUnwrap().status).toBe("REVOKED");
  });
});

describe("regenerateKey", () => {
  it("regenerates a key under the same id, and refuses the old key at once", async () => {
    const { context, owner, store, id, created, isAccepted } = await worldWithKey();
    const input = read(regenerateKeySchema, {});
    const regenerated = (await regenerateKey(context, owner, id, input))._unsafeUnwrap();
    expect(regeneratedKeyViewSchema.parse(regenerated)).toEqual(regenerated);
    expect(regenerated).toMatchObject({ id, name: created.name, keyPrefix: regenerated.key.slice(0, 12) });
    expect(await isAccepted(regenerated.key)).toBe(true);
    expect(await isAccepted(created.key)).toBe(false);
    expect(await store.findKey("1", id)).toMatchObject({ previousKeyHash: null, previousKeyExpiresAt: null });
  });

  it("accepts the old key until the grace period ends, and only the latest of the old ones", async () => {
    const { context, owner, id, created, isAccepted, clock } = await worldWithKey();
    const grace = { gracePeriodSeconds: 60 };
    const second = (await regenerateKey(context, owner, id, grace))._unsafeUnwrap();
    clock.advance(59_999);
    expect(await isAccepted(created.key)).toBe(true);
    clock.advance(1);
    expect(await isAccepted(created.key)).toBe(false);
    const third = (await regenerateKey(context, owner, id, grace))._unsafeUnwrap();
    await regenerateKey(context, owner, id, grace);
    expect(await isAccepted(second.key)).toBe(false);
    expect(await isAccepted(third.key)).toBe(true);
  });

  it("refuses to regenerate a revoked key, whose former key stays refused (KEY_REVOKED)", async () => {
    const { context, owner, id, created, isAccepted } = await worldWithKey();
    await regenerateKey(context, owner, id, { gracePeriodSeconds: 60 });
    await revokeKey(context, owner, id);
    expect(await isAccepted(created.key)).toBe(false);
    const refused = await regenerateKey(context, owner, id, { gracePeriodSeconds: 60 });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "KEY_REVOKED" });
  });

  it("regenerateKey grants a grace period of at most one week", () => {
    expect(regenerateKeySchema.safeParse({ gracePeriodSeconds: 604_800 }).success).toBe(true);
    expect(refusedFields(regenerateKeySchema, { gracePeriodSeconds: 604_801 })).toEqual([
      "gracePeriodSeconds:MAX_VALUE",
    ]);
    expect(refusedFields(regenerateKeySchema, { gracePeriodSeconds: -1 })).toEqual(["gracePeriodSeconds:MIN_VALUE"]);
  });
});

describe("what waits for a key", () => {
  async function statusAfter(change: object | "revoke"): Promise<string | undefined> {
    const world = await worldWithKey({ webhookUrl: "https://example.com/hooks" });
    await world.store.commit(testDeliveryCommit(aDelivery({ subscriber: { kind: "key", id: world.id } })));
    if (change === "revoke") await revokeKey(world.context, world.owner, world.id);
    else await world.update(change);
    return (await world.store.findDelivery("1", "70"))?.status;
  }

  it("cancels pending deliveries of a key that is revoked, suspended or loses its webhookUrl", async () => {
    expect(await statusAfter("revoke")).toBe("cancelled");
    expect(await statusAfter({ status: "SUSPENDED" })).toBe("cancelled");
    expect(await statusAfter({ webhookUrl: null })).toBe("cancelled");
  });

  it("keeps pending deliveries of a key through every other change", async () => {
    expect(await statusAfter({ name: "Renamed", webhookUrl: "https://elsewhere.example/" })).toBe("pending");
  });
});

describe("keys that are not revoked", () => {
  it("refuses the key after a thousand that are not revoked, also for concurrent creations (TOO_MANY_KEYS)", async () => {
    const { context, owner, store, id } = await worldWithKey();
    const create = () => createKey(context, owner, read(createKeySchema, minimal));
    for (let n = 2; n < MAX_KEYS; n += 1) {
      const status = n % 2 === 0 ? "SUSPENDED" : "ACTIVE";
      await store.commit(insertKeyCommit(anApiKey({ id: String(10_000 + n), keyHash: `hash ${n}`, status })));
    }
    const outcomes = await Promise.all([create(), create(), create()]);
    const refusals = outcomes.flatMap((outcome) => (outcome.isErr() ? [outcome.error] : []));
    const rule = { kind: "rule", rule: "TOO_MANY_KEYS", details: { limit: 1_000 } };
    expect(refusals).toMatchObject([rule, rule]);
    await revokeKey(context, owner, id);
    expect((await create()).isOk()).toBe(true);
    expect((await create())._unsafeUnwrapErr()).toMatchObject(rule);
  });
});

describe("keys with a webhookUrl", () => {
  const called = { ...minimal, webhookUrl: "https://example.com/hooks" };

  it("refuses more than a hundred keys with a webhookUrl, by creation and update, also concurrently (TOO_MANY_WEBHOOKS)", async () => {
    const { context, owner, store, id, update } = await worldWithKey();
    const create = (input: object = called) => createKey(context, owner, read(createKeySchema, input));
    for (let count = 1; count < 100; count += 1) expect((await create()).isOk()).toBe(true);
    const outcomes = await Promise.all([create(), create(), create()]);
    const refusals = outcomes.flatMap((outcome) => (outcome.isErr() ? [outcome.error] : []));
    const rule = { kind: "rule", rule: "TOO_MANY_WEBHOOKS", details: { field: "webhookUrl", limit: 100 } };
    expect(refusals).toMatchObject([rule, rule]);
    expect((await update({ webhookUrl: "https://example.com/" }))._unsafeUnwrapErr()).toMatchObject(rule);
    expect((await store.findKey("1", id))?.webhookUrl).toBeNull();
    expect((await update({ name: "renamed" })).isOk()).toBe(true);
    expect((await create(minimal)).isOk()).toBe(true);
  });
});

describe("the moment of a request", () => {
  it("key operations use the given time of the request instead of the clock", async () => {
    const { context, owner, id, clock } = await worldWithKey();
    const now = clock.now() - HOUR_MS;
    const created = (await createKey(context, owner, read(createKeySchema, minimal), { now }))._unsafeUnwrap();
    expect(created.createdAt).toBe(toTimestamp(now));
    const updated = (await updateKey(context, owner, id, {}, now))._unsafeUnwrap();
    expect(updated.updatedAt).toBe(toTimestamp(now));
    const again = (await regenerateKey(context, owner, id, { gracePeriodSeconds: 0 }, now))._unsafeUnwrap();
    expect(again.updatedAt).toBe(toTimestamp(now));
    expect((await revokeKey(context, owner, id, now))._unsafeUnwrap().revokedAt).toBe(toTimestamp(now));
  });
});
