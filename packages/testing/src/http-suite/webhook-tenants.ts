import assert from "node:assert/strict";
import { routes } from "@budgetkit/core/routes";
import type { HttpCases } from "./cases.js";
import { assertStatus, createBudget } from "./samples.js";
import { endpointAt, sendingCases, WEBHOOKS } from "./webhook-samples.js";
import { START } from "./world.js";

export function webhookTenantCases(cases: HttpCases): void {
  const it = sendingCases(cases);

  const ofOne = routes.filter(({ paths: [path] }) => /\{(?:webhookId|subscriberId)\}/.test(path));
  for (const route of ofOne) {
    it(`${route.operationId} finds no webhook of another business`, async ({ owner, otherOwner, full }) => {
      const id = route.paths[0].startsWith("/api-keys") ? full.id : (await endpointAt(owner)).split("/").at(-1);
      const body = /^recover|Replay$/.test(route.operationId) ? { since: START } : undefined;
      const sent = route.body.reading === "required" ? (body ?? {}) : undefined;
      const ask = (asked = "") => {
        const path = route.paths[0].replace(/\{(?:webhookId|subscriberId)\}/, asked).replace("{deliveryId}", "1");
        return otherOwner.send(route.method, path, sent);
      };
      const [foreign, unknown] = [await ask(id), await ask("999999")];
      assertStatus(foreign, 404);
      assertStatus(unknown, 404);
      assert.equal(foreign.body.replaceAll(`${id}`, "ID"), unknown.body.replaceAll("999999", "ID"));
    });
  }

  it("another business's webhooks are in no list and receive no event", async (world) => {
    const { owner, otherOwner, full, stranger, service, receiver } = world;
    await endpointAt(owner);
    assert.equal((await otherOwner.get(WEBHOOKS)).at("pagination.total"), 0);
    await createBudget(stranger);
    await service.webhooks.tick();
    assert.equal(receiver.sent.length, 0);
    await createBudget(full);
    await service.webhooks.tick();
    assert.equal(receiver.sent.length, 1);
  });
}
