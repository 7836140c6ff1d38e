import assert from "node:assert/strict";
import type { Scope } from "../../kernel/actor.js";
import type { HttpCases } from "./cases.js";
import { CUSTOMERS, createIn, PACKAGES, PRODUCTS } from "./catalog-samples.js";
import type { Client } from "./client.js";
import { assertInvalid, assertRule, assertStatus } from "./samples.js";
import { START, type World } from "./world.js";

/** What the three kinds of record have in common, over HTTP. */
interface Kind {
  readonly name: string;
  readonly path: string;
  readonly scopes: readonly [read: Scope, write: Scope];
  /** A body that is valid once `prepare` has run. */
  body(overrides?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  prepare(client: Client): Promise<void>;
}

const KINDS: readonly Kind[] = [
  {
    name: "customer",
    path: CUSTOMERS,
    scopes: ["READ_CUSTOMERS", "WRITE_CUSTOMERS"],
    body: (overrides) => ({ name: "Bruno", ...overrides }),
    prepare: async () => {},
  },
  {
    name: "product",
    path: PRODUCTS,
    scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"],
    body: (overrides) => ({ name: "Oak table", ...overrides }),
    prepare: async () => {},
  },
  {
    name: "package",
    path: PACKAGES,
    scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"],
    body: (overrides) => ({ name: "Dining room", items: [{ productId: "p-1", quantity: 1 }], ...overrides }),
    prepare: async (client) => void (await createIn(client, PRODUCTS, { id: "p-1", name: "Table" })),
  },
];

export function catalogCases(cases: HttpCases): void {
  for (const kind of KINDS) {
    cases.describe(`a ${kind.name} of the catalog`, () => {
      recordCases(cases, kind);
      listCases(cases, kind);
      guardCases(cases, kind);
    });
  }
}

/** A client that may do everything with records of the kind, and what packages need to be there. */
async function clientFor({ withKey }: World, { scopes, prepare }: Kind) {
  const client = await withKey({ scopes: [...scopes] });
  await prepare(client);
  return client;
}

function recordCases({ it }: HttpCases, kind: Kind): void {
  const { name, path, body } = kind;

  it("is created with an id of the service's, and read, changed, deleted and restored", async (world) => {
    const client = await clientFor(world, kind);
    const created = await client.post(path, body({ metadata: { a: [1, null] } }));
    assertStatus(created, 201);
    const id = created.text("data.id");
    assert.match(id, /^[1-9]\d*$/);
    assert.equal(created.headers.etag, '"v1"');
    const location = new URL(created.headers.location ?? "", `http://host.example/v1${path}`);
    assert.equal(location.pathname, `/v1${path}/${id}`);
    assert.equal(created.at("data.createdAt"), START);
    assert.deepEqual(created.at("data.metadata"), { a: [1, null] });
    const read = await client.get(`${path}/${id}`);
    assertStatus(read, 200);
    assert.deepEqual(read.at("data"), created.at("data"));
    world.clock.advance(1_000);
    const changed = await client.put(`${path}/${id}`, { name: "Renamed" });
    assertStatus(changed, 200);
    assert.equal(changed.at("data.name"), "Renamed");
    assert.deepEqual(changed.at("data.metadata"), { a: [1, null] });
    assert.equal(changed.at("data.version"), 2);
    assert.equal(changed.at("data.updatedAt"), "2026-03-02T12:00:01.000Z");
    assert.equal(changed.at("data.createdAt"), START);
    const deleted = await client.delete(`${path}/${id}`);
    assertStatus(deleted, 200);
    assert.deepEqual(deleted.at("data"), { id, status: "DELETED", deletedAt: "2026-03-02T12:00:01.000Z" });
    for (const reply of [
      await client.get(`${path}/${id}`),
      await client.put(`${path}/${id}`, { name: "x" }),
      await client.delete(`${path}/${id}`),
    ]) {
      assertStatus(reply, 404);
      assert.deepEqual(reply.at("details"), { resource: name, id });
    }
    const restored = await client.post(`${path}/${id}/restore`);
    assertStatus(restored, 200);
    assert.equal(restored.at("data.name"), "Renamed");
    assert.equal(restored.at("data.deletedAt"), undefined);
    assert.equal((await client.get(`${path}/${id}`)).at("data.version"), 4);
    assertRule(await client.post(`${path}/${id}/restore`), "INVALID_TRANSITION");
  });

  it("may have an id of the host's choice, once", async (world) => {
    const client = await clientFor(world, kind);
    for (const id of ["crm:7", "A.b_c-9", "x".repeat(64)]) {
      assert.equal(await createIn(client, path, body({ id })), id);
      assertStatus(await client.get(`${path}/${id}`), 200);
      const again = await client.post(path, body({ id }));
      assertStatus(again, 409);
      assert.equal(again.at("details.field"), "id");
    }
    await client.delete(`${path}/crm:7`);
    assertStatus(await client.post(path, body({ id: "crm:7" })), 409);
    for (const id of ["", "a b", "ñ", "a/b", "x".repeat(65)]) {
      const refused = await client.post(path, body({ id }));
      assertStatus(refused, 400);
      assert.equal(refused.at("details.errors.0.field"), "id");
    }
  });

  it("gets another id when the host has taken the next one of the service's", async (world) => {
    const client = await clientFor(world, kind);
    const last = Number(await createIn(client, path, body()));
    const taken = Array.from({ length: 60 }, (_, index) => String(last + 1 + index));
    for (const id of taken) await createIn(client, path, body({ id }));
    world.clock.advance(60_000);
    const ids = new Set<string>();
    for (let count = 0; count < 10; count += 1) ids.add(await createIn(client, path, body()));
    assert.equal(ids.size, 10);
    for (const id of taken) assert.ok(!ids.has(id));
  });

  it("drops unknown fields, and takes nothing from fields that only answers have", async (world) => {
    const client = await clientFor(world, kind);
    const forged = { version: 9, createdAt: "2001-01-01", deletedAt: START, businessId: "99", extra: 1 };
    const created = await client.post(path, body(forged));
    assertStatus(created, 201);
    assert.equal(created.at("data.version"), 1);
    assert.equal(created.at("data.createdAt"), START);
    for (const field of ["deletedAt", "businessId", "extra"]) assert.equal(created.at(`data.${field}`), undefined);
    const changed = await client.put(`${path}/${created.text("data.id")}`, { ...forged, id: "other" });
    assert.equal(changed.at("data.id"), created.at("data.id"));
    assert.equal(changed.at("data.version"), 2);
    assert.equal(changed.at("data.deletedAt"), undefined);
  });

  it("says field by field what is wrong", async (world) => {
    const client = await clientFor(world, kind);
    const missing = await client.post(path, body({ name: undefined }));
    assertInvalid(missing, "name:REQUIRED");
    assertInvalid(await client.post(path, body({ name: "" })), "name:MIN_LENGTH");
    assertInvalid(await client.post(path, body({ name: "x".repeat(256) })), "name:MAX_LENGTH");
    assertInvalid(
      await client.post(path, body({ name: 7, metadata: [] })),
      "name:INVALID_TYPE",
      "metadata:INVALID_TYPE",
    );
    const id = await createIn(client, path, body());
    assertInvalid(await client.put(`${path}/${id}`, { name: null }), "name:INVALID_TYPE");
    assertStatus(await client.post(path, "{"), 400);
  });

  it("changes only at the version that If-Match names", async (world) => {
    const client = await clientFor(world, kind);
    const record = `${path}/${await createIn(client, path, body())}`;
    const { etag = "" } = (await client.get(record)).headers;
    assertStatus(await client.get(record, { "if-none-match": etag }), 304);
    assertStatus(await client.put(record, { name: "two" }, { "if-match": etag }), 200);
    assertStatus(await client.put(record, { name: "late" }, { "if-match": etag }), 412);
    assertStatus(await client.delete(record, { "if-match": '"v1"' }), 412);
    assertStatus(await client.put(record, { name: "three" }, { "if-match": '"v9", "v2"' }), 200);
    assertStatus(await client.put(record, { name: "four" }, { "if-match": '"v9", "v2"' }), 412);
    assertStatus(await client.delete(record, { "if-match": '"v3"' }), 200);
    assertStatus(await client.post(`${record}/restore`, undefined, { "if-match": '"v3"' }), 412);
    assertStatus(await client.post(`${record}/restore`, undefined, { "if-match": '"v4"' }), 200);
    assertStatus(await client.put(`${path}/nobody`, {}, { "if-match": '"v1", "v2"' }), 404);
  });

  it("keeps every change when many come at once", async (world) => {
    const client = await clientFor(world, kind);
    const record = `${path}/${await createIn(client, path, body())}`;
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => (await client.put(record, { name: `n${index}` })).status),
    );
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    assert.equal((await client.get(record)).at("data.version"), 6);
  });

  it("is created once under an Idempotency-Key", async (world) => {
    const client = await clientFor(world, kind);
    const key = { "idempotency-key": "once" };
    const first = await client.post(path, body(), key);
    const again = await client.post(path, body(), key);
    assertStatus(again, 201);
    assert.equal(again.body, first.body);
    assert.equal(again.headers["idempotent-replayed"], "true");
    assert.equal((await client.get(path)).at("pagination.total"), 1);
    const record = `${path}/${first.text("data.id")}`;
    await client.delete(record);
    const restored = await client.post(`${record}/restore`, undefined, { "idempotency-key": "back" });
    await client.delete(record);
    const replayed = await client.post(`${record}/restore`, undefined, { "idempotency-key": "back" });
    assert.equal(replayed.body, restored.body);
    assertStatus(await client.get(record), 404);
  });
}

function listCases({ it }: HttpCases, kind: Kind): void {
  const { path, body } = kind;
  const namesIn = async (client: Client, query: string) => {
    const reply = await client.get(`${path}?${query}`);
    assertStatus(reply, 200);
    const data = reply.at("data");
    assert.ok(Array.isArray(data));
    return data.map(({ name }) => name);
  };
  const fill = async (world: World) => {
    const client = await clientFor(world, kind);
    for (const name of ["beta", "Alpha", "gamma", "Delta", "100%"]) {
      await createIn(client, path, body({ name, id: `id-${name.slice(0, 3)}`.replace(/[^\w-]/g, "_") }));
      world.clock.advance(1_000);
    }
    return client;
  };

  it("is listed newest first, ordered as asked, page by page", async (world) => {
    const client = await fill(world);
    assert.deepEqual(await namesIn(client, ""), ["100%", "Delta", "gamma", "Alpha", "beta"]);
    assert.deepEqual(await namesIn(client, "sort=name&order=asc"), ["100%", "Alpha", "beta", "Delta", "gamma"]);
    assert.deepEqual(await namesIn(client, "sort=name&order=asc&limit=2&page=2"), ["beta", "Delta"]);
    const first = await client.get(`${path}?sort=name&order=asc&limit=2`);
    const { nextCursor, ...pagination } = { nextCursor: "", ...Object(first.at("pagination")) };
    assert.deepEqual(pagination, { page: 1, limit: 2, total: 5, totalPages: 3, hasMore: true });
    const query = `sort=name&order=asc&limit=2&cursor=${encodeURIComponent(String(nextCursor))}`;
    assert.deepEqual(await namesIn(client, query), ["beta", "Delta"]);
    assert.equal((await client.get(`${path}?${query}`)).at("pagination.page"), 2);
    assertInvalid(await client.get(`${path}?cursor=${encodeURIComponent(String(nextCursor))}`), "cursor:INVALID_VALUE");
    assertInvalid(await client.get(`${path}?cursor=1.name.asc.AAAA&sort=name&order=asc`), "cursor:INVALID_VALUE");
  });

  it("is found by a search, wildcards for themselves", async (world) => {
    const client = await fill(world);
    assert.deepEqual(await namesIn(client, "search=ALPH"), ["Alpha"]);
    assert.deepEqual(await namesIn(client, "search=%25"), ["100%"]);
    assert.deepEqual(await namesIn(client, "search=nothing"), []);
  });

  it("is left out of lists once deleted, unless asked for", async (world) => {
    const client = await fill(world);
    await client.delete(`${path}/id-bet`);
    assert.equal((await client.get(path)).at("pagination.total"), 4);
    const all = await client.get(`${path}?includeDeleted=true&sort=createdAt&order=asc&limit=1`);
    assert.equal(all.at("pagination.total"), 5);
    assert.equal(all.at("data.0.deletedAt"), "2026-03-02T12:00:05.000Z");
  });

  it("refuses parameters that are none", async (world) => {
    const client = await clientFor(world, kind);
    for (const query of ["page=0", "limit=101", "sort=total", "order=up", "search=", "includeDeleted=yes"]) {
      assertStatus(await client.get(`${path}?${query}`), 400);
    }
  });
}

function guardCases({ it }: HttpCases, kind: Kind): void {
  const { path, body, scopes } = kind;
  const [read, write] = scopes;
  const calls = (id: string) =>
    [
      [read, "GET", path, undefined],
      [read, "GET", `${path}/${id}`, undefined],
      [write, "POST", path, body()],
      [write, "PUT", `${path}/${id}`, { name: "Other" }],
      [write, "DELETE", `${path}/${id}`, undefined],
      [write, "POST", `${path}/${id}/restore`, undefined],
    ] as const;

  it("is open to its own scopes alone", async (world) => {
    const client = await clientFor(world, kind);
    const id = await createIn(client, path, body());
    const keys = {
      [read]: await world.withKey({ scopes: [read] }),
      [write]: await world.withKey({ scopes: [write] }),
      neither: await world.withKey({
        scopes: ["READ_BUDGETS", "WRITE_BUDGETS", path === CUSTOMERS ? "WRITE_PRODUCTS" : "WRITE_CUSTOMERS"],
      }),
    };
    for (const [scope, method, target, sent] of calls(id)) {
      for (const [name, key] of Object.entries(keys)) {
        const reply = await key.send(method, target, sent);
        assert.equal(reply.status === 403, name !== scope, `${name}: ${method} ${target}: ${reply.status}`);
      }
      assertStatus(await world.anonymous.send(method, target, sent), 401);
    }
  });

  it("of another business answers as one that nobody has", async (world) => {
    const client = await clientFor(world, kind);
    const id = await createIn(client, path, body({ id: "ours-1" }));
    const made = await world.service.keys.create(world.otherBusiness, { name: "Other", scopes: [...scopes] });
    const other = world.as(made._unsafeUnwrap().key);
    for (const [, method, target, sent] of calls(id)) {
      if (target === path) continue;
      const foreign = await other.send(method, target, sent);
      const unknown = await other.send(method, target.replace(id, "none-1"), sent);
      assertStatus(foreign, 404);
      assert.equal(foreign.body.replaceAll(id, "ID"), unknown.body.replaceAll("none-1", "ID"));
    }
    assert.equal((await other.get(`${path}?includeDeleted=true`)).at("pagination.total"), 0);
    await kind.prepare(other);
    assertStatus(await other.post(path, body({ id })), 201);
    assert.equal((await client.get(`${path}/${id}`)).at("data.version"), 1);
  });
}
