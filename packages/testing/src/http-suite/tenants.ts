import assert from "node:assert/strict";
import { routes } from "@budgetkit/core/routes";
import type { HttpCases } from "./cases.js";
import { aFileForm } from "./forms.js";
import { assertStatus, BUDGETS, createBudget } from "./samples.js";

const VALID_BODIES: Readonly<Record<string, unknown>> = {
  shareAttachment: { shared: true },
  reopenBudget: { reason: "why" },
  recordPayment: { amount: 1, reference: "transfer 1" },
};

export function tenantCases({ it }: HttpCases): void {
  for (const route of routes.filter(({ paths: [path] }) => /\{(?:budgetId|keyId)\}/.test(path))) {
    it(`${route.operationId} finds no record of another business`, async ({ full, stranger, owner, otherOwner }) => {
      const isBudget = route.auth.kind === "key";
      const id = isBudget ? await createBudget(full) : full.id;
      const client = isBudget ? stranger : otherOwner;
      const takesBody = route.body.reading !== "none";
      const body = takesBody ? (VALID_BODIES[route.operationId] ?? {}) : undefined;
      const form = aFileForm("x");
      const sent = route.body.reading === "file" ? form.body : body;
      const headers = route.body.reading === "file" ? form.headers : {};
      const pathOf = (asked: string) => route.paths[0].replace(/\{\w+\}/, asked).replace(/\{\w+\}/, "999998");
      const ask = (asked: string) => client.send(route.method, pathOf(asked), sent, headers);
      const foreign = await ask(id);
      const unknown = await ask("999999");
      assertStatus(foreign, 404);
      assertStatus(unknown, 404);
      assert.equal(foreign.body.replaceAll(id, "ID"), unknown.body.replaceAll("999999", "ID"));
      const own = isBudget ? await full.get(`${BUDGETS}/${id}`) : await owner.get(`/api-keys/${id}`);
      assertStatus(own, 200);
      if (isBudget) assert.match(own.headers.etag ?? "", /^"v1-[0-9a-f]{8}"$/);
    });
  }

  it("another business's records are in no list and no count", async ({ full, stranger, otherOwner }) => {
    await createBudget(full, { notes: "mine" });
    assert.equal((await stranger.get(BUDGETS)).at("pagination.total"), 0);
    assert.equal((await stranger.get(`${BUDGETS}?search=mine`)).at("pagination.total"), 0);
    assert.equal((await otherOwner.get("/api-keys")).at("pagination.total"), 1);
    const events = await otherOwner.get("/api/developer/events?event=budget.created");
    assert.equal(events.at("pagination.total"), 0);
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
    const read = await stranger.get(`${BUDGETS}/${await createBudget(stranger)}`);
    assert.equal(read.at("data.customer.name"), null);
  });
}
