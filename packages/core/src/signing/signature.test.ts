import { createHmac } from "node:crypto";
import { anEvent } from "@budgetkit/testing";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { payloadOf } from "./payload.js";
import { signatureHeaders } from "./signature.js";
import { verifyWebhook } from "./verify-webhook.js";

const NOW = Date.UTC(2026, 2, 2, 12, 0, 0, 700);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const FORMER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const body = payloadOf({ ...anEvent({ data: { name: "Ñandú 🐦" } }), sequence: 3, revision: 2 }, "4711");
const call = { deliveryId: "4711", sentAt: NOW, body, secrets: [SECRET] } as const;
const headers = signatureHeaders(call);

describe("signatureHeaders", () => {
  it("signs the body with the current secret, as the contract requires", () => {
    const expected = createHmac("sha256", SECRET).update(body, "utf8").digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${expected}`);
    const rotated = signatureHeaders({ ...call, secrets: [SECRET, FORMER] });
    expect(rotated["x-service-signature"]).toBe(`sha256=${expected}`);
  });

  it("signs like the worked example of Standard Webhooks", () => {
    const example = signatureHeaders({
      deliveryId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      sentAt: 1_614_265_330_000,
      body: '{"test": 2432232314}',
      secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    });
    expect(example["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    expect(example["webhook-timestamp"]).toBe("1614265330");
  });

  it("writes one signature for each secret in its grace period", () => {
    const [current, former, ...others] = String(
      signatureHeaders({ ...call, secrets: [SECRET, FORMER] })["webhook-signature"],
    ).split(" ");
    expect(current).toBe(headers["webhook-signature"]);
    expect(former).toBe(signatureHeaders({ ...call, secrets: [FORMER] })["webhook-signature"]);
    expect(others).toEqual([]);
  });

  it("the stock library of Standard Webhooks accepts the signatures", () => {
    const sentAt = Date.now(); // that library knows no other clock
    const fresh = signatureHeaders({ ...call, sentAt, secrets: [SECRET, FORMER] });
    for (const secret of [SECRET, FORMER]) expect(new Webhook(secret).verify(body, fresh)).toEqual(JSON.parse(body));
    expect(() => new Webhook(SECRET).verify(`${body} `, fresh)).toThrow();
  });
});

describe("verifyWebhook", () => {
  const at = { now: NOW };

  it("verifyWebhook returns the event of a genuine call", () => {
    expect(verifyWebhook(headers, body, SECRET, at)).toEqual({ ok: true, event: JSON.parse(body) });
  });

  it.each([
    ["standard headers", new Headers(headers)],
    ["a Map", new Map(Object.entries(headers))],
    [
      "names in any case",
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    ["lists of values", Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
  ])("verifyWebhook accepts %s", (_, given) => {
    expect(verifyWebhook(given, body, SECRET, at).ok).toBe(true);
  });

  it("verifyWebhook accepts the body as bytes", () => {
    expect(verifyWebhook(headers, Buffer.from(body), SECRET, at).ok).toBe(true);
  });

  it("verifyWebhook accepts what the stock library of Standard Webhooks signs", () => {
    const signature = new Webhook(SECRET).sign("4711", new Date(NOW), body);
    expect(verifyWebhook({ ...headers, "webhook-signature": signature }, body, SECRET, at).ok).toBe(true);
  });

  it("verifyWebhook reads a secret of the caller's choice as the bytes of its text", () => {
    const own = signatureHeaders({ ...call, secrets: ["a secret of one's own"] });
    expect(verifyWebhook(own, body, "a secret of one's own", at).ok).toBe(true);
  });

  it("verifyWebhook accepts either secret during a rotation, at the sender and at the receiver", () => {
    const rotated = signatureHeaders({ ...call, secrets: [SECRET, FORMER] });
    expect(verifyWebhook(rotated, body, FORMER, at).ok).toBe(true);
    expect(verifyWebhook(headers, body, [FORMER, SECRET], at).ok).toBe(true);
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("verifyWebhook requires %s", (name) => {
    const others = Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
    const missing = { ok: false, reason: "missing-headers" };
    expect(verifyWebhook(others, body, SECRET, at)).toEqual(missing);
    expect(verifyWebhook(new Headers(others), body, SECRET, at)).toEqual(missing);
    expect(verifyWebhook({ ...others, [name]: [] }, body, SECRET, at)).toEqual(missing);
  });

  it.each(["", "soon", "1e9", "-1", " 1", "1.5", "0x1"])("verifyWebhook refuses the time %j", (time) => {
    const verification = verifyWebhook({ ...headers, "webhook-timestamp": time }, body, SECRET, at);
    expect(verification).toEqual({ ok: false, reason: "invalid-timestamp" });
  });

  it("verifyWebhook refuses calls from too long ago and from the future", () => {
    const late = { ok: false, reason: "timestamp-out-of-tolerance" };
    const seconds = Math.floor(NOW / 1_000) * 1_000;
    expect(verifyWebhook(headers, body, SECRET, { now: seconds + 300_000 }).ok).toBe(true);
    expect(verifyWebhook(headers, body, SECRET, { now: seconds + 300_001 })).toEqual(late);
    expect(verifyWebhook(headers, body, SECRET, { now: seconds - 300_000 }).ok).toBe(true);
    expect(verifyWebhook(headers, body, SECRET, { now: seconds - 300_001 })).toEqual(late);
    expect(verifyWebhook(headers, body, SECRET, { now: seconds + 11_000, toleranceSeconds: 10 })).toEqual(late);
    expect(verifyWebhook(headers, body, SECRET)).toEqual(late);
  });

  it.each([
    ["another body", headers, `${body} `, SECRET],
    ["another id", { ...headers, "webhook-id": "4712" }, body, SECRET],
    [
      "another time",
      { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) },
      body,
      SECRET,
    ],
    ["another secret", headers, body, FORMER],
    ["no secret", headers, body, []],
    ["no signature", { ...headers, "webhook-signature": "" }, body, SECRET],
    ["a signature without its bytes", { ...headers, "webhook-signature": "v1" }, body, SECRET],
    ["half a signature", { ...headers, "webhook-signature": headers["webhook-signature"]?.slice(0, 20) }, body, SECRET],
    [
      "another version",
      { ...headers, "webhook-signature": headers["webhook-signature"]?.replace("v1,", "v1a,") },
      body,
      SECRET,
    ],
  ])("verifyWebhook refuses %s", (_, given, text, secret) => {
    expect(verifyWebhook(given, text, secret, at)).toEqual({ ok: false, reason: "invalid-signature" });
  });

  it("verifyWebhook finds the right signature among others", () => {
    const among = { ...headers, "webhook-signature": `v1a,xyz v1,AAAA ${headers["webhook-signature"]}` };
    expect(verifyWebhook(among, body, SECRET, at).ok).toBe(true);
  });

  it.each(["", "{", "null", '{"event":"budget.created"}'])("refuses the genuinely signed body %j", (text) => {
    const given = signatureHeaders({ ...call, body: text });
    expect(verifyWebhook(given, text, SECRET, at)).toEqual({ ok: false, reason: "invalid-body" });
  });

  it.each(["", "whsec_", "whsec_!!!!"])("refuses the secret %j, which stands for an empty key", (empty) => {
    expect(() => verifyWebhook(headers, body, empty, at)).toThrow(RangeError);
    expect(() => signatureHeaders({ ...call, secrets: [empty] })).toThrow(RangeError);
  });

  it("verifyWebhook requires the raw body, and a tolerance that is a number", () => {
    const parsed: string = JSON.parse('{"parsed": true}');
    expect(() => verifyWebhook(headers, parsed, SECRET, at)).toThrow(TypeError);
    const verification = verifyWebhook(headers, body, SECRET, { ...at, toleranceSeconds: Number.NaN });
    expect(verification).toEqual({ ok: false, reason: "timestamp-out-of-tolerance" });
  });
});
