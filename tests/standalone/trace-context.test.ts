import { join } from "node:path";
import { type Clock, createBudgetService } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock, startReceiver } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../programs/running-program.js";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const secret = "a secret of at least thirty-two characters";

/** Two services over one file, as two processes have them. */
function serviceOn(file: string, clock: Clock) {
  const store = sqliteStore(file);
  const service = createBudgetService({ store, secret, clock, allowPrivateDestinations: true });
  onTestFinished(async () => {
    await service.stop();
    await store.close();
  });
  return service;
}

describe("the trace of a request", () => {
  it("the trace of a request reaches a receiver that another process calls", async () => {
    let answers = 0;
    const receiver = await startReceiver((_, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 503 : 204).end();
    });
    onTestFinished(() => receiver.close());
    const file = join(temporaryFolder(), "b.db");
    const clock = manualClock();
    const service = serviceOn(file, clock);
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const { key } = (await service.keys.create(actor, { name: "shop", scopes: ["WRITE_BUDGETS"] }))._unsafeUnwrap();
    const endpoint = (await service.webhooks.create(actor, { url: `${receiver.origin}/hooks` }))._unsafeUnwrap();
    const made = await service.fetch(
      new Request("http://localhost/v1/api/public/budgets", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-request-id": "order-4711",
          traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`,
          tracestate: "vendor=1",
        },
        body: JSON.stringify({ customerId: "ana", items: [{ description: "Chair", quantity: 1, unitPrice: 9 }] }),
      }),
    );
    expect([made.status, made.headers.get("x-request-id")]).toEqual([201, "order-4711"]);

    const other = serviceOn(file, clock);
    await other.webhooks.tick();
    const [delivery] = (await other.webhooks.deliveries(actor, endpoint.id))._unsafeUnwrap().data;
    expect(delivery?.status).toBe("retrying");
    clock.advance(3_600_000);
    await other.webhooks.tick();

    expect(receiver.calls).toHaveLength(2);
    const spans = receiver.calls.map(({ headers }) => headers.traceparent);
    for (const { headers } of receiver.calls) {
      expect(headers.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
      expect(headers.tracestate).toBe("vendor=1");
    }
    expect(new Set([...spans, `00-${TRACE_ID}-${SPAN_ID}-01`]).size).toBe(spans.length + 1);
    expect(receiver.calls.map(({ body }) => body).join()).not.toMatch(/order-4711|4bf92f35/);
  });

  it("a trace begins with the request when the service is configured so", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const store = sqliteStore(":memory:");
    const service = createBudgetService({ store, secret, allowPrivateDestinations: true, startTraces: true });
    onTestFinished(async () => {
      await service.stop();
      await store.close();
    });
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const scopes = ["WEBHOOKS"] as const;
    const shop = { name: "shop", scopes: [...scopes], webhookUrl: `${receiver.origin}/hooks` };
    const { key } = (await service.keys.create(actor, shop))._unsafeUnwrap();
    const tested = await service.fetch(
      new Request("http://localhost/v1/api/public/webhooks/test", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ event: "budget.approved", data: {} }),
      }),
    );
    expect(tested.status).toBe(200);
    expect(receiver.calls[0]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});
