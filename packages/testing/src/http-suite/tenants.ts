import assert from "node:assert/strict";
import { type Route, routes } from "@budgetkit/core/routes";
import type { HttpCases } from "./cases.js";
import { createIn, KINDS } from "./catalog-kinds.js";
import type { Client } from "./client.js";
import { callRoute, UNKNOWN } from "./route-requests.js";
import { assertStatus, BUDGETS, createBudget } from "./samples.js";
import { CALLS_URL, WEBHOOKS } from "./webhook-samples.js";
import type { World } from "./world.js";

const INTEGRATIONS = "/api/developer/integrations";
const USERS = "/api/developer/users";

/** The lists of what a business has, and what makes a record of each. */
const RECORDS: Readonly<Record<string, (owner: Client) => Promise<string>>> = {
  [BUDGETS]: (owner) => createBudget(owner),
  "/api-keys": (owner) => createManaged(owner, "/api-keys", { name: "Shop", scopes: ["READ_BUDGETS"] }),
  [WEBHOOKS]: (owner) => createManaged(owner, WEBHOOKS, { url: CALLS_URL }),
  [USERS]: async (owner) => {
    const ben = { email: "ben@example.com", displayName: "Ben", role: "MEMBER" };
    return String(assertStatus(await owner.post(USERS, ben), 201).number("user.id"));
  },
  [INTEGRATIONS]: (owner) => createManaged(owner, INTEGRATIONS, { name: "Shop" }),
  ...Object.fromEntries(
    KINDS.map(({ path, body, prepare }) => [
      path,
      async (owner: Client) => {
        await prepare(owner);
        return createIn(owner, path, body());
      },
    ]),
  ),
};

async function createManaged(owner: Client, path: string, body: object): Promise<string> {
  return assertStatus(await owner.post(path, body), 201).text("id");
}

/** The list whose records a route is about; undefined = it names none. */
function listOf({ paths: [path] }: Route): string | undefined {
  return Object.keys(RECORDS).find((list) => path.startsWith(`${list}/{`));
}

export function tenantCases({ it }: HttpCases): void {
  for (const route of routes) {
    const list = listOf(route);
    if (list === undefined) continue;
    it(`${route.operationId} finds no record of another business`, async (world) => {
      const { owner, otherOwner, stranger } = world;
      const id = (await RECORDS[list]?.(owner)) ?? "";
      const before = await owner.get(`${list}/${id}`);
      const client = list === BUDGETS ? stranger : otherOwner;
      const foreign = assertStatus(await callRoute(client, route, id), 404);
      const unknown = assertStatus(await callRoute(client, route), 404);
      assert.equal(foreign.body.replaceAll(id, "ID"), unknown.body.replaceAll(UNKNOWN, "ID"));
      const after = assertStatus(await owner.get(`${list}/${id}`), 200);
      assert.deepEqual([after.body, after.headers.etag], [before.body, before.headers.etag]);
    });
  }

  for (const [list, make] of Object.entries(RECORDS)) {
    it(`another business's records are neither listed nor counted at ${list}`, async ({ owner, otherOwner }) => {
      const total = async () => (await otherOwner.get(`${list}?includeDeleted=true`)).at("pagination.total");
      const before = await total();
      await make(owner);
      assert.equal(await total(), before);
    });
  }

  for (const { name, path, body, prepare } of KINDS) {
    it(`the id of a ${name} is taken in its own business alone`, async ({ owner, otherOwner }: World) => {
      for (const client of [owner, otherOwner]) {
        await prepare(client);
        assert.equal(await createIn(client, path, body({ id: "crm-1" })), "crm-1");
      }
      assert.equal((await owner.get(`${path}/crm-1`)).at("data.version"), 1);
    });
  }

  it("another business's budgets are in no search and no event log", async ({ full, stranger, otherOwner }) => {
    await createBudget(full, { notes: "mine" });
    assert.equal((await stranger.get(`${BUDGETS}?search=mine`)).at("pagination.total"), 0);
    assert.equal((await otherOwner.get("/api/developer/events?event=budget.created")).at("pagination.total"), 0);
  });

  it("another business's records leave no gap in ids and event sequences", async ({ full, stranger, owner }) => {
    const ids: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      ids.push(Number(await createBudget(full)));
      for (let others = 0; others < 4; others += 1) await createBudget(stranger);
    }
    const events = await owner.get("/api/developer/events?event=budget.created");
    const [last, ...earlier] = [0, 1, 2].map((index) => events.number(`data.${index}.sequence`));
    assert.deepEqual(earlier, [Number(last) - 1, Number(last) - 2]);
    const [first = 0, second = 0, third = 0] = ids;
    assert.ok(second > first);
    assert.equal(third - second, second - first);
  });

  it("another business's customers are not summarised in budgets", async ({ stranger, service, business }) => {
    await service.customers.create(business, { id: "c-1", name: "Bruno", email: "b@example.com", phone: null });
    assert.equal((await stranger.get(`${BUDGETS}/${await createBudget(stranger)}`)).at("data.customer.name"), null);
  });
}
