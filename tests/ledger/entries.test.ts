import { describe, expect, it, vi } from "vitest";
import { routes } from "../../packages/core/src/http/route-table.js";
import { hosts } from "../hosts/http-hosts.js";
import { documentedRequest } from "../operations/documented-call.js";
import { sendShown } from "../operations/documented-exchange.js";
import { type DocumentedWorld, inDocumentedWorld } from "../operations/documented-world.js";

/** Operations that leave no entry, and why. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  previewBudget: "calculates and stores nothing",
  previewBusiness: "renders and stores nothing",
  previewDocument: "renders and stores nothing",
  previewPublicBudget: "calculates and stores nothing",
  refreshSession: "the session stays the one whose login left an entry; a second use of a token leaves one",
  testWebhook: "changes no record of the business; the log of deliveries shows the call",
  testWebhookFilter: "only reads",
  testWebhookUrl: "changes no record of the business; the log of deliveries shows the call",
  recoverDeliveriesOfWebhook: "finds nothing to retry here; tests of deliveries see its entry",
  recoverDeliveriesOfApiKey: "finds nothing to retry here; tests of deliveries see its entry",
};

/** The entry follows the response, whose time must not show whether the account exists. */
const LATER = new Set(["requestPasswordReset"]);

const writes = routes.filter(({ method }) => method !== "GET");

async function countEntries({ service, business }: DocumentedWorld): Promise<number> {
  return (await service.events.list(business, { limit: 1 }))._unsafeUnwrap().pagination.total;
}

describe("An operation of the route table that changes something", () => {
  it("every exception to the ledger is an operation of the route table", () => {
    expect(writes.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(Object.keys(WITHOUT_ENTRY)));
  });

  it.each(writes)("$operationId leaves a ledger entry, or is an exception with a reason", async (route) => {
    const { operationId } = route;
    const check = async (world: DocumentedWorld) => {
      const before = await countEntries(world);
      const shown = documentedRequest(route, world);
      if (Object.keys(shown.path).length > 0) {
        const unknown = Object.fromEntries(Object.keys(shown.path).map((name) => [name, "999999"]));
        expect((await sendShown(world, { ...shown, path: unknown })).status).toBe(404);
        expect(await countEntries(world)).toBe(before);
      }
      const answer = await sendShown(world, shown);
      expect(answer.status, answer.text).toBe(route.success.status);
      if (LATER.has(operationId)) await vi.waitFor(async () => expect(await countEntries(world)).toBe(before + 1));
      const added = (await countEntries(world)) - before;
      if (WITHOUT_ENTRY[operationId] === undefined) expect(added).toBeGreaterThan(0);
      else expect(added, WITHOUT_ENTRY[operationId]).toBe(0);
    };
    await inDocumentedWorld(hosts.fetch, check, operationId);
  });
});
