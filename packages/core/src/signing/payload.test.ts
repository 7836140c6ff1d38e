import { anEvent, FIXTURE_TIME } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { payloadOf, webhookPayloadSchema } from "./payload.js";

describe("payloadOf", () => {
  it("the payload contains the event, its time and the id that identifies duplicates", () => {
    const text = payloadOf({ ...anEvent({ data: { id: "10", total: 121 } }), sequence: 7, revision: 2 }, "4711");
    expect(JSON.parse(text)).toEqual({
      event: "budget.created",
      timestamp: "2026-01-15T12:00:00.000Z",
      data: { id: "10", total: 121 },
      metadata: {
        source: "budgetkit",
        version: "1.1.0",
        delivery_id: "4711",
        event_id: "90",
        sequence: 7,
        revision: 2,
      },
    });
    expect(webhookPayloadSchema.safeParse(JSON.parse(text)).success).toBe(true);
  });

  it("the metadata of the payload has the delivery id, whatever the event contains", () => {
    const data = { delivery_id: "", text: '"delivery_id":""', metadata: { delivery_id: "" } };
    const event = { ...anEvent({ id: '"delivery_id":"', data }), sequence: 7, revision: 2 };
    const { data: written, metadata } = JSON.parse(payloadOf(event, "4711"));
    expect(written).toEqual(data);
    expect(metadata).toMatchObject({ delivery_id: "4711", event_id: '"delivery_id":"' });
  });

  it("the payload of a test has neither an event id nor a sequence", () => {
    const text = payloadOf(
      { type: "budget.approved", occurredAt: FIXTURE_TIME, data: {}, id: null, sequence: null, revision: null },
      "1",
    );
    expect(JSON.parse(text).metadata).toMatchObject({ event_id: null, sequence: null, revision: null });
    expect(webhookPayloadSchema.safeParse(JSON.parse(text)).success).toBe(true);
  });
});
