import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { clientFor, createIn, KINDS, type Kind } from "./catalog-kinds.js";
import type { Client } from "./client.js";
import { assertInvalid, assertReplay, assertRule, assertStatus } from "./samples.js";
import { START, type World } from "./world.js";

export function catalogCases(cases: HttpCases): void {
  for (const kind of KINDS) {
    cases.describe(`a ${kind.name} of the catalog`, () => {
      recordCases(cases, kind);
      listCases(cases, kind);
    });
  }
}

function recordCases({ it }: HttpCases, kind: Kind): void {
  const { name, path, body } = kind;

  it("creates a catalog record with an id of the service, reads, changes, deletes and restores it", async (world) => {
    const client = await clientFor(world, kind);
    const created = assertStatus(await client.post(path, body({ metadata: { a: [1, null] } })), 201);
    const id = created.text("data.id");
    assert.match(id, /^[1-9]\d*$/);
    assert.equal(created.headers.etag, '"v1"');
    const location = new URL(created.headers.location ?? "", `http://host.example/v1${path}`);
    assert.equal(location.pathname, `/v1${path}/${id}`);
    created.assertData({ createdAt: START, metadata: { a: [1, null] } });
    assert.deepEqual(assertStatus(await client.get(`${path}/${id}`), 200).at("data"), created.at("data"));
    world.clock.advance(1_000);
    const changed = assertStatus(await client.put(`${path}/${id}`, { name: "Renamed" }), 200);
    changed.assertData({ name: "Renamed", metadata: { a: [1, null] }, version: 2 });
    changed.assertData({ updatedAt: "2026-03-02T12:00:01.000Z", createdAt: START });
    const deleted = assertStatus(await client.delete(`${path}/${id}`), 200);
    assert.deepEqual(deleted.at("data"), { id, status: "DELETED", deletedAt: "2026-03-02T12:00:01.000Z" });
    for (const reply of [
      await client.get(`${path}/${id}`),
      await client.put(`${path}/${id}`, { name: "x" }),
      await client.delete(`${path}/${id}`),
    ]) {
      assertStatus(reply, 404);
      assert.deepEqual(reply.at("details"), { resource: name, id });
    }
    const restored = assertStatus(await client.post(`${path}/${id}/restore`), 200);
    restored.assertData({ name: "Renamed", deletedAt: undefined });
    assert.equal((await client.get(`${path}/${id}`)).at("data.version"), 4);
    assertRule(await client.post(`${path}/${id}/restore`), "INVALID_TRANSITION");
  });

  it("accepts an id of the host's choice for a catalog record, once (CONFLICT)", async (world) => {
    const client = await clientFor(world, kind);
    for (const id of ["crm:7", "A.b_c-9", "x".repeat(64)]) {
      assert.equal(await createIn(client, path, body({ id })), id);
      assertStatus(await client.get(`${path}/${id}`), 200);
      assert.equal(assertStatus(await client.post(path, body({ id })), 409).at("details.field"), "id");
    }
    await client.delete(`${path}/crm:7`);
    assertStatus(await client.post(path, body({ id: "crm:7" })), 409);
    for (const id of ["", "a b", "ñ", "a/b", "x".repeat(65)]) {
      assert.equal(assertStatus(await client.post(path, body({ id })), 400).at("details.errors.0.field"), "id");
    }
  });

  it("draws another id for a catalog record when the host has taken the next one", async (world) => {
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

  it("drops unknown fields of a catalog record, and ignores fields that only answers have", async (world) => {
    const client = await clientFor(world, kind);
    const forged = { version: 9, createdAt: "2001-01-01", deletedAt: START, businessId: "99", extra: 1 };
    const created = assertStatus(await client.post(path, body(forged)), 201);
    created.assertData({ version: 1, createdAt: START });
    for (const field of ["deletedAt", "businessId", "extra"]) assert.equal(created.at(`data.${field}`), undefined);
    const changed = await client.put(`${path}/${created.text("data.id")}`, { ...forged, id: "other" });
    changed.assertData({ id: created.at("data.id"), version: 2, deletedAt: undefined });
  });

  it("reports the wrong fields of a catalog record one by one", async (world) => {
    const client = await clientFor(world, kind);
    assertInvalid(await client.post(path, body({ name: undefined })), "name:REQUIRED");
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

  it("changes a catalog record only at the version in If-Match (412)", async (world) => {
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

  it("keeps every one of many concurrent changes of a catalog record", async (world) => {
    const client = await clientFor(world, kind);
    const record = `${path}/${await createIn(client, path, body())}`;
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => (await client.put(record, { name: `n${index}` })).status),
    );
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    assert.equal((await client.get(record)).at("data.version"), 6);
  });

  it("creates a catalog record once under an Idempotency-Key", async (world) => {
    const client = await clientFor(world, kind);
    const key = { "idempotency-key": "once" };
    const first = await client.post(path, body(), key);
    const again = assertStatus(await client.post(path, body(), key), 201);
    assertReplay(first, again);
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
    const reply = assertStatus(await client.get(`${path}?${query}`), 200);
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

  it("lists catalog records newest first, in any order on request, page by page", async (world) => {
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

  it("searches catalog records, with wildcards as plain characters", async (world) => {
    const client = await fill(world);
    assert.deepEqual(await namesIn(client, "search=ALPH"), ["Alpha"]);
    assert.deepEqual(await namesIn(client, "search=%25"), ["100%"]);
    assert.deepEqual(await namesIn(client, "search=nothing"), []);
  });

  it("leaves deleted catalog records out of lists unless requested", async (world) => {
    const client = await fill(world);
    await client.delete(`${path}/id-bet`);
    assert.equal((await client.get(path)).at("pagination.total"), 4);
    const all = await client.get(`${path}?includeDeleted=true&sort=createdAt&order=asc&limit=1`);
    all.assertAt({ "pagination.total": 5, "data.0.deletedAt": "2026-03-02T12:00:05.000Z" });
  });

  it("refuses wrong parameters of a catalog list", async (world) => {
    const client = await clientFor(world, kind);
    for (const query of ["page=0", "limit=101", "sort=total", "order=up", "search=", "includeDeleted=yes"]) {
      assertStatus(await client.get(`${path}?${query}`), 400);
    }
  });
}
