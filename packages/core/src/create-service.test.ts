import {
  aBusiness,
  aClaim,
  beginSession,
  manualClock,
  memoryStore,
  seededRandom,
  startReceiver,
} from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { insertBusinessCommit } from "./access/access-commits.js";
import { scryptHasher } from "./access/password.js";
import { createBudgetService } from "./create-service.js";
import { systemRandom, undiciSender, verifyWebhook } from "./entries/index.js";
import type { ResolvedUser, ResolveUser } from "./http/http-context.js";
import type { ApiRequest } from "./http/message.js";
import { DAY_MS, HOUR_MS } from "./kernel/clock.js";
import { createMemoryRateLimitStore } from "./limits/memory-rate-limit-store.js";
import type { BudgetServiceOptions } from "./service-options.js";
import { isPending } from "./testing/is-pending.js";

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
  it("a service needs only a store and a secret, and works without HTTP", async () => {
    const { service } = serviceOf();
    const business = (await service.businesses.create({ name: "Norte", timeZone: "America/Lima" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const created = (await service.budgets.create(actor, { ...input, validUntil: "2026-03-02" }))._unsafeUnwrap();
    expect(created).toMatchObject({ createdBy: "system", validUntil: "2026-03-03T04:59:59.999Z" });
    await service.customers.create(actor, { id: "c", name: "Ana" });
    expect((await service.budgets.get(actor, created.id))._unsafeUnwrap().customer.name).toBe("Ana");
    expect((await service.events.list(actor))._unsafeUnwrap().data).toHaveLength(3);
  });

  it("stop waits for the audit entry of a failed login, for which the answer does not wait", async () => {
    const { service, store } = serviceOf();
    const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const user = {
      email: "ana@example.com",
      password: "correct horse battery",
      displayName: "Ana",
      role: "OWNER",
    } as const;
    (await service.users.create({ ...user, businessId }))._unsafeUnwrap();
    const { commit } = store;
    let write = () => {};
    const held = new Promise<void>((resolve) => {
      write = resolve;
    });
    vi.spyOn(store, "commit").mockImplementation((entry) => held.then(() => commit(entry)));
    expect((await service.sessions.login({ email: user.email, password: "a guess that is wrong" })).isErr()).toBe(true);
    const stopped = service.stop();
    expect(await isPending(stopped)).toBe(true);
    write();
    await stopped;
    const { data } = (
      await service.events.list({ kind: "system", businessId }, { event: "user.login_failed" })
    )._unsafeUnwrap();
    expect(data).toHaveLength(1);
  });

  it("tick runs every maintenance step, and rejects with the failures", async () => {
    const { service, store } = serviceOf();
    const pruned = vi.spyOn(store, "pruneUploads");
    vi.spyOn(store, "findAllOverdueBudgets").mockRejectedValueOnce(new Error("no budgets"));
    await expect(service.tick()).rejects.toThrow("no budgets");
    expect(pruned).toHaveBeenCalledTimes(1);
    vi.spyOn(store, "findAllOverdueBudgets").mockRejectedValueOnce(new Error("no budgets"));
    vi.spyOn(store, "pruneClaims").mockRejectedValueOnce(new Error("no claims"));
    await expect(service.tick()).rejects.toMatchObject({
      errors: [{ message: "no budgets" }, { message: "no claims" }],
    });
    expect(pruned).toHaveBeenCalledTimes(2);
  });

  it("a service serves login, keys and budgets over HTTP", async () => {
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

  it("recording payments notifies listeners of the approval that one completes", async () => {
    const { service } = serviceOf();
    const actor = { kind: "system", businessId: "1" } as const;
    const offer = { currency: "USD", customerId: 5, sellerId: 6, subtotal: 10, iva: 0, total: 10 };
    const dates = { issueDate: "2026-03-01", expirationDate: "2026-04-01" };
    const items = [{ quantity: 1, unitPrice: 10 }];
    const made = await service.budgets.createPublic(actor, { ...offer, ...dates, items, minimumPaymentToConfirm: 4 });
    const { budgetId, publicToken } = made._unsafeUnwrap();
    const approved = vi.fn();
    service.on("budget.approved", approved);
    await service.budgets.answerPublicLink(publicToken, "accept", { version: 1, name: "Ana" });
    expect(approved).not.toHaveBeenCalled();
    const payment = await service.budgets.recordPayment(actor, String(budgetId), { amount: 4, reference: "cash" });
    expect(payment._unsafeUnwrap()).toMatchObject({ amount: 4, createdBy: "system" });
    expect((await service.budgets.listPayments(actor, String(budgetId)))._unsafeUnwrap().pagination.total).toBe(1);
    expect(approved).toHaveBeenCalledTimes(1);
  });

  it("a service manages integrations that name its own keys", async () => {
    const { service } = serviceOf();
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const key = (await service.keys.create(actor, { name: "k", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const made = (await service.integrations.create(actor, { name: "Shop", apiKeyId: key.id }))._unsafeUnwrap();
    expect((await service.integrations.list(actor))._unsafeUnwrap().data).toEqual([made]);
    const refused = await service.integrations.update(actor, made.id, { apiKeyId: "999" });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "UNKNOWN_REFERENCE" });
  });

  it("a call with a connection runs in its transaction, and holds the events until the commit", async () => {
    const store = memoryStore();
    const inTransaction = memoryStore(); // what the transaction of the host sees
    const connection = {};
    const withConnection = vi.fn(() => inTransaction);
    const { service } = serviceOf({ store: { ...store, withConnection } });
    const actor = { kind: "system", businessId: "1" } as const;
    const received = vi.fn();
    service.on("*", received);
    await inTransaction.commit(insertBusinessCommit({ ...aBusiness(), timeZone: "America/Lima" }));
    const dated = { ...input, validUntil: "2026-03-02" };
    const made = (await service.budgets.create(actor, dated, { connection }))._unsafeUnwrap();
    expect(withConnection).toHaveBeenCalledWith(connection);
    expect(made.validUntil).toBe("2026-03-03T04:59:59.999Z");
    expect((await service.budgets.get(actor, made.id)).isErr()).toBe(true);
    expect((await service.budgets.get(actor, made.id, { connection }))._unsafeUnwrap().id).toBe(made.id);
    await service.customers.create(actor, { name: "Ana" }, { connection });
    expect((await service.events.list(actor))._unsafeUnwrap().data).toEqual([]);
    const events = (await service.events.list(actor, {}, { connection }))._unsafeUnwrap().data;
    expect(events.map(({ event }) => event)).toEqual(["customer.created", "budget.created"]);
    await service.afterCommit(connection);
    await service.tick();
    expect(received).not.toHaveBeenCalled();
  });

  it("reports a failure after a commit of the host", async () => {
    const store = memoryStore();
    const onError = vi.fn();
    const { service } = serviceOf({ store: { ...store, withConnection: () => memoryStore() }, onError });
    const connection = {};
    service.on("*", () => {});
    (await service.budgets.create({ kind: "system", businessId: "1" }, input, { connection }))._unsafeUnwrap();
    await store.close();
    await service.afterCommit(connection);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("refuses a connection on the memory store, with a remedy", async () => {
    const { service } = serviceOf();
    const refused = service.budgets.create({ kind: "system", businessId: "1" }, input, { connection: {} });
    await expect(refused).rejects.toThrow(TypeError);
    await expect(service.customers.list({ kind: "system", businessId: "1" }, {}, { connection: {} })).rejects.toThrow(
      "leave `connection` out",
    );
  });

  it("refuses a trusted proxy that is not an address range, at creation", () => {
    expect(() => serviceOf({ trustedProxies: ["10.0.0.0/8", "10/8"] })).toThrow(RangeError);
  });

  it("refuses a short secret and an empty list of secrets", () => {
    expect(() => serviceOf({ secret: "short" })).toThrow(RangeError);
    expect(() => serviceOf({ secret: [] })).toThrow(RangeError);
    expect(() => serviceOf({ secret: [secret, "short"] })).toThrow(RangeError);
  });

  it.each<[option: string, value: unknown, says: RangeError | TypeError]>([
    ["store", undefined, TypeError('store must be a store, such as sqliteStore("budgets.db")')],
    ["store", "budgets.db", TypeError('store must be a store, such as sqliteStore("budgets.db")')],
    ["secret", undefined, RangeError("secret must have at least 32 characters")],
    ["references", "Strict", RangeError("references must be open or strict: Strict")],
    ["rounding", "up", RangeError("rounding must be half-up or half-even: up")],
    ["trustedProxies", ["10/8"], RangeError("trustedProxies must be addresses or CIDR ranges: 10/8")],
    [
      "trustedOrigins",
      ["https://*.shop.example"],
      RangeError("trustedOrigins must be origins such as https://app.example: https://*.shop.example"),
    ],
    [
      "trustedOrigins",
      "https://shop.example",
      RangeError("trustedOrigins must be a list of origins: https://shop.example"),
    ],
    ["usage", { flushIntervalMs: 0 }, RangeError("usage.flushIntervalMs must be greater than 0")],
    [
      "webhooks",
      { concurrency: { perBusiness: 0 } },
      RangeError("webhooks.concurrency.perBusiness must be a whole number from 1: 0"),
    ],
    ["stores", {}, RangeError('createBudgetService has no option "stores". Did you mean "store"?')],
    ["webhooks", { sendr: {} }, RangeError('webhooks has no option "sendr". Did you mean "sender"?')],
    ["usage", { every: 5 }, RangeError('usage has no option "every". Options: flushIntervalMs')],
    ["quotas", { budget: 5 }, RangeError('quotas has no option "budget". Did you mean "budgets"?')],
    [
      "webhooks",
      { concurrency: { max: 5 } },
      RangeError('webhooks.concurrency has no option "max". Options: total, perBusiness, perSubscriber'),
    ],
  ])("refuses a wrong option %s, %j, at once and by its name", (option, value, says) => {
    const options = { store: memoryStore(), secret, [option]: value };
    expect(() => Reflect.apply(createBudgetService, undefined, [options])).toThrow(says);
  });

  it("lists the required options when it is created without any", () => {
    expect(() => Reflect.apply(createBudgetService, undefined, [])).toThrow(
      'createBudgetService needs a store and a secret: createBudgetService({ store: sqliteStore("budgets.db")',
    );
  });

  it("refuses an unknown option of undiciSender and of scryptHasher", () => {
    expect(() => Reflect.apply(undiciSender, undefined, [{ clocks: {} }])).toThrow(
      'undiciSender has no option "clocks"',
    );
    expect(() => Reflect.apply(scryptHasher, undefined, [systemRandom, { costs: 2 }])).toThrow(
      'scryptHasher has no option "costs". Did you mean "cost"?',
    );
  });

  it.each([
    "",
    "shop.example/v1",
    "/v1",
    "ftp://shop.example",
    "https:shop.example",
    "https://",
    "https://shop.example/v1?a=b",
    "https://shop.example/#v1",
    "https://shop.example@elsewhere.example/v1",
    "https://shop.example\\@elsewhere.example",
    " https://shop.example",
    "http://[::1",
    new URL("https://shop.example/v1"),
    7,
  ])("refuses %j for publicBaseUrl, with which no public link could begin", (publicBaseUrl) => {
    const options = { store: memoryStore(), secret, publicBaseUrl };
    expect(() => Reflect.apply(createBudgetService, undefined, [options])).toThrow(
      RangeError(
        `publicBaseUrl must be the text of an http or https URL without user, query and fragment, not ${String(publicBaseUrl)}`,
      ),
    );
  });

  it("refuses to listen to an unknown event, and suggests the nearest name", () => {
    const { service } = serviceOf();
    const listen = (type: string) => Reflect.apply(service.on, service, [type, () => {}]);
    expect(() => listen("budget.aproved")).toThrow(
      RangeError('service.on has no event "budget.aproved". Did you mean "budget.approved"?'),
    );
    expect(() => listen("budget.*")).toThrow(/^service\.on has no event "budget\.\*"\. /);
    expect(listen("*")).toBeTypeOf("function");
  });

  it("refuses unknown fields of an input, and suggests the nearest name", async () => {
    const { service } = serviceOf();
    const actor = { kind: "system", businessId: "1" } as const;
    const create = (more: object) => Reflect.apply(service.budgets.create, undefined, [actor, { ...input, ...more }]);
    const refused = (await create({ taxrate: 0.2, color: "red" }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({
      kind: "invalid",
      errors: [
        { field: "taxrate", code: "INVALID_VALUE", message: 'A request has no such field. Did you mean "taxRate"?' },
        { field: "color", code: "INVALID_VALUE", message: "A request has no such field." },
      ],
    });
    const items = [{ description: "Chair", quantity: 1, unitPrice: 10, price: 10 }];
    expect((await create({ items }))._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "items[0].price" }] });
    expect((await create({ metadata: { any: { name: 1 } }, notes: undefined })).isOk()).toBe(true);
    const listed = await Reflect.apply(service.budgets.list, undefined, [actor, { pages: 2 }]);
    expect(listed._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "pages" }] });
    const patch = { retryPolicy: { delays: [0] } };
    const updated = await Reflect.apply(service.webhooks.update, undefined, [actor, "1", patch]);
    expect(updated._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "retryPolicy.delays" }] });
  });

  it("checks input in process as over HTTP", async () => {
    const { service } = serviceOf();
    const actor = { kind: "system", businessId: "1" } as const;
    const refused = (await service.budgets.create(actor, { ...input, items: [] }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "invalid", errors: [{ field: "items", code: "MIN_LENGTH" }] });
    const metadata = JSON.parse('{"__proto__": 1}');
    expect((await service.budgets.create(actor, { ...input, metadata })).isErr()).toBe(true);
  });

  it("refuses an actor with an impossible businessId, for every store and operation", async () => {
    const { service, store } = serviceOf();
    const insert = vi.spyOn(store, "commit");
    const ofLinks = [
      "openPublicLink",
      "answerPublicLink",
      "openEvidence",
      "previewPublicLink",
      "requestChange",
      "listLinkMessages",
      "sendLinkMessage",
    ];
    const withoutActor = new Set([
      ...ofLinks,
      "readReminders",
      "stopReminders",
      "resumeReminders",
      "login",
      "refresh",
      "end",
      "enter",
      "tick",
      "follow", // returns an iterator: service-event-log.test.ts
    ]);
    const { budgets, attachments, events, webhooks, usage, integrations, sessions, keys } = service;
    const { customers, products, packages } = service;
    const ofActors = { budgets, attachments, events, webhooks, usage, integrations, sessions, keys };
    for (const operations of Object.values({ ...ofActors, customers, products, packages })) {
      for (const [name, operation] of Object.entries(operations)) {
        if (withoutActor.has(name)) continue;
        const called = Reflect.apply(operation, undefined, [{ kind: "system", businessId: "" }]);
        await expect(called, name).rejects.toThrow(RangeError('businessId must be the id of a business, not ""'));
      }
    }
    const invalidIds = { undefined, '"abc"': "abc", '"007"': "007", null: null, "the number 1": 1 };
    for (const [text, businessId] of Object.entries(invalidIds)) {
      const created = Reflect.apply(service.budgets.create, undefined, [{ kind: "system", businessId }, input]);
      await expect(created).rejects.toThrow(RangeError(`businessId must be the id of a business, not ${text}`));
    }
    for (const kind of ["admin", "", undefined]) {
      const created = Reflect.apply(service.budgets.create, undefined, [{ kind, businessId: "7" }, input]);
      await expect(created).rejects.toThrow("the kind of an actor must be key, user, customer, system, not ");
    }
    for (const role of ["member", "viewer", "", null, undefined]) {
      const actor = { kind: "user", businessId: "7", id: "9", role, sessionId: null };
      const created = Reflect.apply(service.keys.create, undefined, [actor, { name: "a", scopes: ["WEBHOOKS"] }]);
      await expect(created).rejects.toThrow("role must be OWNER, ADMIN, MEMBER, not ");
    }
    expect(insert).not.toHaveBeenCalled();
    expect((await service.budgets.list({ kind: "system", businessId: "7" })).isOk()).toBe(true);
  });

  it("responds with 500 if `resolveUser` returns an impossible businessId, and reports it to the host", async () => {
    const onError = vi.fn();
    const resolveUser = async () => ({ businessId: "", userId: "7", role: "ADMIN" }) as const;
    const { service } = serviceOf({ onError, resolveUser });
    expect((await service.fetch(new Request("https://host.example/api-keys"))).status).toBe(500);
    const expected = RangeError('businessId must be the id of a business, not ""');
    expect(onError).toHaveBeenCalledWith(expected, expect.any(String));
  });

  const ofHost = { businessId: "1", userId: "7", role: "ADMIN" };
  it.each([
    [{ ...ofHost, role: "member" }, 'role must be OWNER, ADMIN, MEMBER, not "member"'],
    [{ ...ofHost, role: "viewer" }, 'role must be OWNER, ADMIN, MEMBER, not "viewer"'],
    [{ ...ofHost, role: "" }, 'role must be OWNER, ADMIN, MEMBER, not ""'],
    [{ ...ofHost, role: null }, "role must be OWNER, ADMIN, MEMBER, not null"],
    [{ businessId: "1", userId: "7" }, "role must be OWNER, ADMIN, MEMBER, not undefined"],
    [{ businessId: "1", role: "ADMIN" }, "userId must be a text that is not empty, not undefined"],
    [{ ...ofHost, userId: "" }, 'userId must be a text that is not empty, not ""'],
    [
      { ...ofHost, role: "MEMBER", scopes: ["READ_BUDGETS"] },
      'the user of resolveUser has no field "scopes". Fields: businessId, userId, role',
    ],
    [
      Object.create({ scopes: [] }, Object.getOwnPropertyDescriptors(ofHost)),
      'the user of resolveUser has "scopes" from its class: pass a plain object. Fields: businessId, userId, role',
    ],
    [false, "resolveUser must return a user or null, not false"],
    [true, "resolveUser must return a user or null, not true"],
  ])(
    "responds with 500 if `resolveUser` returns %j, which is no user, and reports the value",
    async (answer, message) => {
      const onError = vi.fn();
      const { service } = serviceOf({ onError });
      const options = { store: memoryStore(), secret, onError, resolveUser: () => answer };
      const hosted: typeof service = Reflect.apply(createBudgetService, undefined, [options]);
      for (const path of ["/api-keys", "/api/public/budgets", "/api/developer/events"]) {
        onError.mockClear();
        expect((await hosted.fetch(new Request(`https://host.example${path}`))).status, path).toBe(500);
        expect(onError, path).toHaveBeenCalledWith(RangeError(message), expect.any(String));
      }
    },
  );

  it("accepts the result of `resolveUser` with or without a promise", async () => {
    const resolveUser: ResolveUser = () => ({ businessId: "1", userId: "7", role: "ADMIN" });
    for (const answer of [resolveUser, async (request: ApiRequest) => resolveUser(request)]) {
      const { service } = serviceOf({ resolveUser: answer });
      expect((await service.fetch(new Request("https://host.example/api-keys"))).status).toBe(200);
    }
  });

  it("responds with 401 if `resolveUser` returns null or undefined, as a look-up in a Map does", async () => {
    const onError = vi.fn();
    const sessions = new Map<string | null, ResolvedUser>();
    const lookUp: ResolveUser = (request) => sessions.get(request.header("cookie"));
    const answers: readonly ResolveUser[] = [() => null, async () => null, lookUp, async (request) => lookUp(request)];
    for (const resolveUser of answers) {
      const { service } = serviceOf({ onError, resolveUser });
      for (const path of ["/api-keys", "/api/public/budgets"]) {
        expect((await service.fetch(new Request(`https://host.example${path}`))).status).toBe(401);
      }
    }
    expect(onError).not.toHaveBeenCalled();
  });

  it("uses the host's rate-limit store for decisions, statistics and maintenance", async () => {
    const rateLimits = createMemoryRateLimitStore();
    const methods = ["consume", "countConsumed", "pruneWindows"] as const;
    const given = methods.map((method) => vi.spyOn(rateLimits, method));
    const { service, store, clock } = serviceOf({ rateLimits });
    const unused = methods.map((method) => vi.spyOn(store, method));
    await service.sessions.login({ email: "nobody@example.org", password: "whatever it is" });
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const key = (await service.keys.create(actor, { name: "k", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const headers = { authorization: `Bearer ${key.key}` };
    await service.fetch(new Request("https://host.example/v1/api/public/budgets", { headers }));
    const statistics = (await service.usage.statistics(actor, key.id, { period: "1h" }))._unsafeUnwrap();
    expect(statistics.rateLimitStats.currentUsage).toBe(1);
    clock.advance(2 * HOUR_MS);
    await service.tick();
    for (const method of given) expect(method).toHaveBeenCalled();
    for (const method of unused) expect(method).not.toHaveBeenCalled();
  });

  it("each round of maintenance expires budgets and removes lapsed data", async () => {
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
    await store.consume("s", [{ lengthMs: 1_000, limit: 1 }], clock.now());
    for (const [id, refreshExpiresAt] of [
      ["40", clock.now() + 1],
      ["41", clock.now() + 24 * 3_600_000],
    ] as const) {
      await beginSession(store, { id, refreshExpiresAt });
    }
    clock.advance(2 * 24 * 3_600_000);
    await service.tick();
    expect(await store.findSession("1", "40")).toBeNull();
    expect(await store.findSession("1", "41")).not.toBeNull(); // for a day
    expect((await store.findBudget("1", id))?.status).toBe("EXPIRED");
    expect(await store.pruneClaims(clock.now(), 10)).toBe(0);
    expect(await store.pruneWindows(clock.now(), 10)).toBe(0);
  });

  it("a round of maintenance removes thousands of lapsed rows, and the next one more", async () => {
    const { service, store, clock } = serviceOf();
    const lapsed = { claimId: "a", leaseUntil: clock.now() - 1, expiresAt: clock.now() - 1 };
    for (let n = 0; n < 21_000; n += 1) await store.claimKey(aClaim({ ...lapsed, key: `key ${n}` }), clock.now());
    for (let n = 0; n < 1_500; n += 1) {
      await beginSession(store, { id: String(n), refreshExpiresAt: clock.now() - 2 * DAY_MS });
    }
    await service.tick();
    expect(await store.pruneSessions(clock.now(), 10)).toBe(0);
    expect(await store.pruneClaims(clock.now(), 2_000)).toBe(1_000);
    expect(await store.pruneClaims(clock.now(), 2_000)).toBe(0);
  });

  it("runs maintenance between start and stop, and reports a failed round", async () => {
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

  it("migrates the store before the first use, and retries after a failure", async () => {
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

  it("notifies the host of committed events, of requests and of maintenance alike", async () => {
    const onError = vi.fn();
    const { service, clock } = serviceOf({ onError });
    const received: string[] = [];
    service.on("*", ({ type, subjectId }) => received.push(`${type} ${subjectId}`));
    service.on("budget.expired", () => Promise.reject(new Error("not mine")));
    const actor = { kind: "system", businessId: "1" } as const;
    const { id } = (await service.budgets.create(actor, { ...input, validUntil: "2026-03-03" }))._unsafeUnwrap();
    clock.advance(2 * 24 * 3_600_000);
    await service.tick();
    expect(received).toEqual([`budget.created ${id}`, `budget.expired ${id}`]);
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1), { timeout: 20_000 });
  });

  it("delivers webhooks at once after a commit while it is started, over a real socket", async () => {
    const receiver = await startReceiver();
    const { service } = serviceOf({ allowPrivateDestinations: true, webhooks: { concurrency: { perSubscriber: 2 } } });
    const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    const endpoint = (await service.webhooks.create(actor, { url: `${receiver.origin}/hooks` }))._unsafeUnwrap();
    await service.start();
    await service.budgets.create(actor, input);
    await vi.waitFor(() => expect(receiver.calls).toHaveLength(1), { timeout: 20_000 });
    await service.stop();
    const [call] = receiver.calls;
    const now = Date.parse("2026-03-02T12:00:00Z");
    expect(verifyWebhook(call?.headers ?? {}, call?.body ?? "", endpoint.secret, { now })).toMatchObject({
      ok: true,
      event: { event: "budget.created" },
    });
    const page = (await service.webhooks.deliveries(actor, endpoint.id, { status: "delivered" }))._unsafeUnwrap();
    expect(page.pagination.total).toBe(1);
    await receiver.close();
  });

  it("indexes texts until none waits, in at most twenty steps a round", async () => {
    let waiting = 2_500;
    const taken: number[] = [];
    const indexTexts = async (limit: number) => {
      const count = Math.min(limit, waiting);
      waiting -= count;
      taken.push(count);
      return count;
    };
    const { service } = serviceOf({ store: { ...memoryStore(), indexTexts } });
    await service.tick();
    expect(taken).toEqual([1_000, 1_000, 500]);
    waiting = 1_000_000;
    await service.tick();
    expect(taken.slice(3)).toHaveLength(20);
  });

  it("looks for work when the store notifies it, between start and stop", async () => {
    const listeners = new Set<() => void>();
    const store = {
      ...memoryStore(),
      onWork: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const { service } = serviceOf({ store });
    const looks = vi.spyOn(store, "findUndispatchedEvents");
    expect(listeners.size).toBe(0);
    await service.start();
    await service.start();
    expect(listeners.size).toBe(1);
    await expect.poll(() => looks).toHaveBeenCalled();
    await new Promise((resolve) => setImmediate(resolve));
    looks.mockClear();
    for (const notify of listeners) notify();
    await expect.poll(() => looks).toHaveBeenCalledTimes(1);
    await service.stop();
    expect(listeners.size).toBe(0);
    await service.start();
    expect(listeners.size).toBe(1);
    await service.stop();
  });

  it("manages webhooks in process as over HTTP", async () => {
    const sent: string[] = [];
    const sender = {
      send: async ({ url }: { url: string }) => {
        sent.push(url);
        return { kind: "failed", error: "x", durationMs: 1 } as const;
      },
    };
    const { service } = serviceOf({ webhooks: { sender, retentionMs: HOUR_MS } });
    const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    const { webhooks } = service;
    const { id, secret } = (await webhooks.create(actor, { url: "https://a.example/" }))._unsafeUnwrap();
    expect((await webhooks.create(actor, { url: "http://10.0.0.1/" })).isErr()).toBe(true);
    expect((await webhooks.update(actor, id, { retryPolicy: { delaysSeconds: [0] } })).isOk()).toBe(true);
    expect((await webhooks.get(actor, id))._unsafeUnwrap().retryPolicy).toEqual({ delaysSeconds: [0] });
    expect((await webhooks.list(actor, { limit: 1 }))._unsafeUnwrap().data).toHaveLength(1);
    expect((await webhooks.readSecret(actor, id))._unsafeUnwrap()).toEqual({ secret });
    expect((await webhooks.rotateSecret(actor, id)).isOk()).toBe(true);
    expect((await webhooks.test(actor, id))._unsafeUnwrap().status).toBe("failed");
    const settings = { name: "k", scopes: ["READ_BUDGETS" as const], webhookUrl: "https://b.example/" };
    const key = (await service.keys.create(actor, settings))._unsafeUnwrap();
    expect((await service.keys.rotateWebhookSecret(actor, key.id)).isOk()).toBe(true);
    const asKey = { kind: "key", businessId, id: key.id, scopes: [] } as const;
    expect((await webhooks.testKey(asKey, { event: "budget.created", data: {} })).isOk()).toBe(true);
    await service.budgets.create(actor, input);
    expect(await webhooks.tick()).toMatchObject({ fannedOut: 1, failed: 1, retrying: 1 });
    const [failed] = (await webhooks.deliveries(actor, id, { event: "budget.created", status: "failed" }))
      ._unsafeUnwrap()
      .data.filter(({ eventId }) => eventId !== null);
    const since = { since: "2026-03-01" };
    const ofKey = { kind: "key", id: key.id } as const; // what failed there was a test
    expect((await webhooks.recover(actor, ofKey, since))._unsafeUnwrap()).toEqual({ restarted: 0 });
    const ofEndpoint = { kind: "endpoint", id } as const;
    expect((await webhooks.recover(actor, ofEndpoint, since))._unsafeUnwrap()).toEqual({ restarted: 1 });
    expect(await webhooks.tick()).toMatchObject({ failed: 1 });
    expect((await webhooks.retry(actor, id, failed?.id ?? "")).isOk()).toBe(true);
    expect((await webhooks.delete(actor, id)).isOk()).toBe(true);
    expect(sent).toHaveLength(5);
    await service.stop();
  });

  it("refuses a webhook retention of less than an hour", () => {
    for (const retentionMs of [HOUR_MS - 1, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => serviceOf({ webhooks: { retentionMs } })).toThrow(RangeError);
    }
  });

  it("prints failures to standard error without an onError hook", async () => {
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
