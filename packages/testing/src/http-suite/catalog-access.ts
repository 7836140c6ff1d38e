import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { clientFor, KINDS, type Kind } from "./catalog-kinds.js";
import { CUSTOMERS, createIn } from "./catalog-samples.js";
import { assertStatus } from "./samples.js";

export function catalogAccessCases(cases: HttpCases): void {
  for (const kind of KINDS) cases.describe(`a ${kind.name} of the catalog`, () => guardCases(cases, kind));
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

  it("a catalog record is open to its own scopes alone (FORBIDDEN)", async (world) => {
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

  it("a catalog record of another business answers like an unknown id (404)", async (world) => {
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
