import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { clientFor, KINDS, type Kind } from "./catalog-kinds.js";
import { createIn } from "./catalog-samples.js";
import type { Client } from "./client.js";
import { assertInvalid, assertStatus } from "./samples.js";
import type { World } from "./world.js";

export function catalogListCases(cases: HttpCases): void {
  for (const kind of KINDS) cases.describe(`a ${kind.name} of the catalog`, () => listCases(cases, kind));
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
