import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { createBudgetService } from "../../create-service.js";

const START = "2026-03-02T12:00:00.000Z";
const HOUR_MS = 3_600_000;

/** A service with a manual clock, and a function that sends a slow body; `beforeEnd` runs before its last part. */
async function world() {
  const clock = manualClock(START);
  const secret = "a secret of at least thirty-two characters";
  let role: "OWNER" | "MEMBER" = "OWNER";
  const service = createBudgetService({
    store: memoryStore(),
    clock,
    secret,
    random: seededRandom(1),
    resolveUser: async () => ({ businessId: actor.businessId, userId: "7", role }),
  });
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  const settings = { name: "Shop", scopes: ["READ_BUDGETS", "WRITE_BUDGETS"] } as const;
  const key = (await service.keys.create(actor, { ...settings, scopes: [...settings.scopes] }))._unsafeUnwrap();
  const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
  const validUntil = "2026-03-02T12:30:00.000Z";
  const budget = (await service.budgets.create(actor, { customerId: "c", items, validUntil }))._unsafeUnwrap();
  const send = (method: string, path: string, body: unknown, beforeEnd: () => Promise<void>) => {
    const headers = { authorization: `Bearer ${key.key}`, "content-type": "application/json" };
    const init: RequestInit = { method, headers, body: halting(JSON.stringify(body), beforeEnd), duplex: "half" };
    return service.fetch(new Request(`https://host.example/v1${path}`, init));
  };
  const demote = () => {
    role = "MEMBER";
  };
  return { service, clock, actor, key, budget, send, demote };
}

/** A body that arrives in two parts. */
function halting(text: string, beforeEnd: () => Promise<void>): ReadableStream<Uint8Array> {
  const parts = [text.slice(0, 1), text.slice(1)];
  return new ReadableStream(
    {
      pull: async (controller) => {
        const part = parts.shift();
        if (part === undefined) return controller.close();
        if (parts.length === 0) await beforeEnd();
        controller.enqueue(new TextEncoder().encode(part));
      },
    },
    { highWaterMark: 0 },
  );
}

describe("a slow body", () => {
  it("refuses a late approval of a budget that expired during the slow body (INVALID_TRANSITION)", async () => {
    const { clock, budget, send } = await world();
    const path = `/api/public/budgets/${budget.id}`;
    const late = await send("PUT", path, { status: "APPROVED" }, async () => clock.advance(HOUR_MS));
    expect(late.status).toBe(422);
    expect(await late.json()).toMatchObject({ details: { rule: "INVALID_TRANSITION", from: "EXPIRED" } });
  });

  it("refuses a late acceptance by link of a budget that expired during the slow body", async () => {
    const { service, clock, actor, budget, send } = await world();
    const { publicToken } = (await service.budgets.createPublicLink(actor, budget.id))._unsafeUnwrap();
    const answer = { version: 2, name: "Ana" };
    const late = await send("POST", `/p/${publicToken}/accept`, answer, async () => clock.advance(HOUR_MS));
    expect([409, 422]).toContain(late.status);
    expect((await service.budgets.get(actor, budget.id))._unsafeUnwrap().status).toBe("EXPIRED");
  });

  it("refuses a slow request whose key was revoked or whose user was demoted meanwhile (401, 403)", async () => {
    const { service, clock, actor, key, budget, send, demote } = await world();
    const path = `/api/public/budgets/${budget.id}`;
    const revoked = await send("PUT", path, { notes: "late" }, async () => {
      clock.advance(1_001);
      await service.keys.revoke(actor, key.id);
    });
    expect(revoked.status).toBe(401);
    const shop = { name: "Shop", scopes: ["READ_BUDGETS"] };
    const demoted = await send("POST", "/api-keys", shop, async () => {
      clock.advance(1_001);
      demote();
    });
    expect(demoted.status).toBe(403);
  });

  it("counts a slow request once against the rate limit", async () => {
    const { clock, budget, send } = await world();
    const path = `/api/public/budgets/${budget.id}`;
    const slow = await send("PUT", path, { notes: "a" }, async () => clock.advance(60_000));
    expect([slow.status, slow.headers.get("x-ratelimit-remaining")]).toEqual([200, "999"]);
    const prompt = await send("PUT", path, { notes: "b" }, async () => clock.advance(1_000));
    expect(prompt.headers.get("x-ratelimit-remaining")).toBe("998");
  });
});
