import { verifyWebhook } from "@budgetkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { signaturesOf } from "./sign-request.js";

const secret = `whsec_${btoa("a secret of thirty two letters!!")}`;
const other = `whsec_${btoa("another one of thirty two letters")}`;
const body = JSON.stringify({
  event: "budget.approved",
  timestamp: "2026-11-26T16:40:11.402Z",
  data: { id: "812" },
  metadata: { source: "budgetkit", version: "1.1.0", delivery_id: "4711", event_id: "4702", sequence: 96 },
});

describe("signaturesOf", () => {
  it("makes the signature that the client's verification accepts", async () => {
    const now = 1_795_711_628_000;
    const { standard } = await signaturesOf(secret, { id: "4711", seconds: now / 1_000, body });
    const headers = { "webhook-id": "4711", "webhook-timestamp": String(now / 1_000), "webhook-signature": standard };
    expect(await verifyWebhook(headers, body, secret, { now })).toMatchObject({ ok: true });
    expect(await verifyWebhook(headers, body, other, { now })).toMatchObject({ ok: false });
  });
});
