import { verifyWebhook, type WebhookEvent } from "@budgetkit/client/webhooks";
import { EVENT_TYPES, verifyWebhook as verifyInNode } from "@budgetkit/core";
import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import { signatureHeaders } from "../../packages/core/src/signing/signature.js";
import { hosts } from "../hosts/http-hosts.js";
import { causeEveryEvent, inDocumentedWorld } from "../operations/documented-world.js";

const NOW = Date.UTC(2026, 2, 2, 12, 0, 0, 700);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const FORMER = `whsec_${Buffer.alloc(32, 255).toString("base64")}`;
const OWN = "a secret of one's own, ñ";
const metadata = { source: "budgetkit", version: "1.1.0", delivery_id: "4711", event_id: "9", sequence: 3 };
const payload = {
  event: "budget.created",
  timestamp: "2026-03-02T12:00:00.000Z",
  data: { name: "Ñandú 🐦" },
  metadata,
};
const body = JSON.stringify(payload);
const signed = (text = body, secrets: readonly [string, ...string[]] = [SECRET]) =>
  signatureHeaders({ deliveryId: "4711", sentAt: NOW, body: text, secrets });
const headers = signed();
const signature = headers["webhook-signature"] ?? "";

type Arguments = Parameters<typeof verifyInNode>;

/** What the core says of a call; fails unless the client says the same. */
async function judge(...[given, text, secret, options]: Arguments) {
  const verdict = verifyInNode(given, text, secret, options);
  expect(await verifyWebhook(given, text, secret, options)).toEqual(verdict);
  return verdict;
}

const at = { now: NOW };
const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
const seconds = Math.floor(NOW / 1_000) * 1_000;
const urlSafe = signature.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const taken: readonly [string, Arguments][] = [
  ["plain headers", [headers, body, SECRET, at]],
  ["standard headers", [new Headers(headers), body, SECRET, at]],
  ["a Map", [new Map(Object.entries(headers)), body, SECRET, at]],
  ["lists under names in any case", [upper, body, SECRET, at]],
  ["bytes", [headers, Buffer.from(body), SECRET, at]],
  ["a secret of one's own", [signed(body, [OWN]), body, OWN, at]],
  ["the former secret during a rotation", [signed(body, [SECRET, FORMER]), body, FORMER, at]],
  ["a receiver that changes its secret", [headers, body, [FORMER, SECRET], at]],
  ["the edge of the past", [headers, body, SECRET, { now: seconds + 300_000 }]],
  ["the edge of the future", [headers, body, SECRET, { now: seconds - 300_000 }]],
  ["a signature among others", [{ ...headers, "webhook-signature": `v1a,x v1,AAAA ${signature}` }, body, SECRET, at]],
  ["a signature in the other alphabet", [{ ...headers, "webhook-signature": urlSafe }, body, SECRET, at]],
  ["a body of half a character", [signed(body.replace("Ñ", "\ud800")), body.replace("Ñ", "\ud800"), SECRET, at]],
  ["a test", [signed(testBody()), testBody(), SECRET, at]],
];

function testBody(): string {
  return JSON.stringify({ ...payload, metadata: { ...metadata, event_id: null, sequence: null } });
}

const withBody = (text: string): Arguments => [signed(text), text, SECRET, at];
const withMetadata = (more: object) => withBody(JSON.stringify({ ...payload, metadata: { ...metadata, ...more } }));
const refused: readonly [string, string, Arguments][] = [
  ...["webhook-id", "webhook-timestamp", "webhook-signature"].flatMap((name): [string, string, Arguments][] => [
    [`no ${name}`, "missing-headers", [without(name), body, SECRET, at]],
    [`an empty list of ${name}`, "missing-headers", [{ ...headers, [name]: [] }, body, SECRET, at]],
  ]),
  ...["", "soon", "1e9", "-1", " 1", "1.5", "0x1"].map((time): [string, string, Arguments] => [
    `the time ${JSON.stringify(time)}`,
    "invalid-timestamp",
    [{ ...headers, "webhook-timestamp": time }, body, SECRET, at],
  ]),
  ["a call of long ago", "timestamp-out-of-tolerance", [headers, body, SECRET, { now: seconds + 300_001 }]],
  ["a call of the future", "timestamp-out-of-tolerance", [headers, body, SECRET, { now: seconds - 300_001 }]],
  [
    "less tolerance",
    "timestamp-out-of-tolerance",
    [headers, body, SECRET, { now: NOW + 11_000, toleranceSeconds: 10 }],
  ],
  ["a clock that is none", "timestamp-out-of-tolerance", [headers, body, SECRET, { now: Number.NaN }]],
  ["another body", "invalid-signature", [headers, `${body} `, SECRET, at]],
  ["another id", "invalid-signature", [{ ...headers, "webhook-id": "4712" }, body, SECRET, at]],
  ["another secret", "invalid-signature", [headers, body, FORMER, at]],
  ["no secret at all", "invalid-signature", [headers, body, [], at]],
  [
    "half a signature",
    "invalid-signature",
    [{ ...headers, "webhook-signature": signature.slice(0, 20) }, body, SECRET, at],
  ],
  [
    "another version",
    "invalid-signature",
    [{ ...headers, "webhook-signature": signature.replace("v1,", "v1a,") }, body, SECRET, at],
  ],
  [
    "what is no base64",
    "invalid-signature",
    [{ ...headers, "webhook-signature": "v1,é v1 v1,==== v2,AAAA" }, body, SECRET, at],
  ],
  ["text", "invalid-body", withBody("hello")],
  ["a mark before the JSON", "invalid-body", withBody(`\ufeff${body}`)],
  ["null", "invalid-body", withBody("null")],
  ["a list of data", "invalid-body", withBody(JSON.stringify({ ...payload, data: [] }))],
  ["no metadata", "invalid-body", withBody(JSON.stringify({ ...payload, metadata: undefined }))],
  ["a number for the delivery", "invalid-body", withMetadata({ delivery_id: 4711 })],
  ["text for the sequence", "invalid-body", withMetadata({ sequence: "3" })],
  ["a sequence that is too large", "invalid-body", withBody(body.replace('"sequence":3', '"sequence":1e999'))],
  ["no event_id", "invalid-body", withMetadata({ event_id: undefined })],
];

describe("verifyWebhook of the client", () => {
  it.each(taken)("the client's verifyWebhook accepts %s, as core does", async (_, call) => {
    expect(await judge(...call)).toMatchObject({ ok: true, event: { metadata: { delivery_id: "4711" } } });
  });

  it.each(refused)("the client's verifyWebhook refuses %s by %s, as core does", async (_, reason, call) => {
    expect(await judge(...call)).toEqual({ ok: false, reason });
  });

  it("the client's verifyWebhook refuses a call that differs in a single byte, as core does", async () => {
    const mac = Buffer.from(signature.slice("v1,".length), "base64");
    for (const place of mac.keys()) {
      const changed = Buffer.from(mac.map((byte, index) => (index === place ? byte ^ 1 : byte)));
      const given = { ...headers, "webhook-signature": `v1,${changed.toString("base64")}` };
      expect(await judge(given, body, SECRET, at)).toEqual({ ok: false, reason: "invalid-signature" });
    }
  });

  it("the client's verifyWebhook signs the body once for each secret, however many signatures a call has", async () => {
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const sign = vi.spyOn(crypto.subtle, "sign");
    const verify = vi.spyOn(crypto.subtle, "verify");
    const many = { ...headers, "webhook-signature": foreign(5_000) };
    const verdict = await verifyWebhook(many, body, [FORMER, SECRET], at);
    expect(verdict).toEqual({ ok: false, reason: "invalid-signature" });
    expect(sign.mock.calls.length + verify.mock.calls.length).toBe(2);
  });

  it("the client's verifyWebhook compares the first ten signatures of a call", async () => {
    const behind = (count: number) => ({ ...headers, "webhook-signature": `${foreign(count)} ${signature}` });
    expect(await verifyWebhook(behind(9), body, SECRET, at)).toMatchObject({ ok: true });
    const verdict = await verifyWebhook(behind(10), body, SECRET, at);
    expect(verdict).toEqual({ ok: false, reason: "invalid-signature" });
  });

  it("the client's verifyWebhook agrees with core on any signature", async () => {
    const character = fc.constantFrom(..."Az0+/-_=, v1é\n");
    await fc.assert(
      fc.asyncProperty(fc.nat(signature.length), fc.string({ unit: character, maxLength: 5 }), async (place, text) => {
        const changed = signature.slice(0, place) + text + signature.slice(place);
        await judge({ ...headers, "webhook-signature": changed }, body, SECRET, at);
      }),
      { seed: 7, numRuns: rounds({ small: 100, full: 500 }) },
    );
  });

  it("the client's verifyWebhook decodes the key of any secret, as core does", async () => {
    const character = fc.constantFrom(..."Az0+/-_=é ");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, maxLength: 9 }), async (text) => {
        const secret = `whsec_AAAA${text}`;
        expect(await judge(signed(body, [secret]), body, secret, at)).toMatchObject({ ok: true });
      }),
      { seed: 7, numRuns: rounds({ small: 60, full: 300 }) },
    );
  });

  it.each(["", "whsec_", "whsec_=", "whsec_é"])("verifyWebhook rejects the empty secret %j as core", async (secret) => {
    expect(() => verifyInNode(headers, body, secret, at)).toThrow(RangeError);
    await expect(verifyWebhook(headers, body, secret, at)).rejects.toThrow(RangeError);
  });

  it("the client's verifyWebhook rejects a parsed body, as core does", async () => {
    const parsed = JSON.parse(body);
    expect(() => verifyInNode(headers, parsed, SECRET, at)).toThrow(TypeError);
    await expect(verifyWebhook(headers, parsed, SECRET, at)).rejects.toThrow(TypeError);
  });

  it("the client's verifyWebhook accepts every call of the service, and types its event", async () => {
    await inDocumentedWorld(hosts.fetch, async (world) => {
      await causeEveryEvent(world);
      const { webhookSecret } = (
        await world.service.keys.readWebhookSecret(world.business, world.named("keyId"))
      )._unsafeUnwrap();
      const { secret } = (
        await world.service.webhooks.readSecret(world.business, world.named("webhookId"))
      )._unsafeUnwrap();
      const descriptions = new Set<string>();
      for (const call of world.calls) {
        const now = Number(call.headers["webhook-timestamp"]) * 1_000;
        const verdict = await verifyWebhook(call.headers, call.body, [webhookSecret, secret], { now });
        if (!verdict.ok) throw new Error(verdict.reason);
        descriptions.add(describeEvent(verdict.event));
      }
      expect([...descriptions].sort()).toEqual(
        [
          ...EVENT_TYPES.filter((type) => !/approved|customer.updated|product.deleted/.test(type)),
          ...["budgetId", "approvedId", "completedId"].map((name) => `budget ${world.named(name)}: 544.5 USD`),
          "customer Ana Ruiz",
          "product table, 2026-03-02T12:00:00.000Z",
          "product stool, 2026-03-02T12:00:00.000Z",
        ].sort(),
      );
    });
  });
});

/** Signatures of the right length that no secret made. */
function foreign(count: number): string {
  return Array(count)
    .fill(`v1,${Buffer.alloc(32).toString("base64")}`)
    .join(" ");
}

/** What a receiver would write: each branch knows what its event holds. */
function describeEvent(event: WebhookEvent): string {
  switch (event.event) {
    case "budget.approved":
      expectTypeOf(event.data.total).toEqualTypeOf<number>();
      return `budget ${event.data.id}: ${event.data.total} ${event.data.currency}`;
    case "customer.updated":
      return "truncated" in event.data ? "customer, too long" : `customer ${event.data.name}`;
    case "product.deleted":
      return `product ${event.data.id}, ${event.data.deletedAt}`;
    default:
      return event.event;
  }
}
