import { anApiKey } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { EVENT_TYPES } from "../../events/event.js";
import { SCOPES } from "../../kernel/actor.js";
import { secretBinding } from "../../signing/webhook-secret.js";
import { SECRET, webhookWorld } from "../../testing/webhook-world.js";
import { endpointSubscription, keySubscription, receivesCallbacks, subscribersOf } from "./subscription.js";

const NOW = 1_000;

describe("who is sent an event", () => {
  it("sends an event to each key whose scopes cover its group; WEBHOOKS covers every event", () => {
    const covered = (scope: (typeof SCOPES)[number]) =>
      EVENT_TYPES.filter((type) => {
        const keys = [anApiKey({ scopes: [scope], webhookUrl: "https://a.example" })];
        return subscribersOf({ type, data: {} }, { endpoints: [], keys }, NOW).length === 1;
      });
    for (const scope of SCOPES) {
      const group = /BUDGETS|CUSTOMERS|PRODUCTS/.exec(scope)?.[0].toLowerCase().slice(0, -1);
      expect(covered(scope), scope).toEqual(
        EVENT_TYPES.filter((type) => scope === "WEBHOOKS" || type.startsWith(`${group}.`)),
      );
    }
  });

  it("sends no event to a key that cannot be used, or has no URL", () => {
    const key = anApiKey({ webhookUrl: "https://a.example" });
    expect(receivesCallbacks(key, NOW)).toBe(true);
    expect(receivesCallbacks({ ...key, expiresAt: NOW + 1 }, NOW)).toBe(true);
    expect(receivesCallbacks({ ...key, expiresAt: NOW }, NOW)).toBe(false);
    expect(receivesCallbacks({ ...key, status: "SUSPENDED" }, NOW)).toBe(false);
    expect(receivesCallbacks({ ...key, status: "REVOKED" }, NOW)).toBe(false);
    expect(receivesCallbacks({ ...key, webhookUrl: null }, NOW)).toBe(false);
    expect(
      subscribersOf({ type: "budget.created", data: {} }, { endpoints: [], keys: [{ ...key, expiresAt: NOW }] }, NOW),
    ).toEqual([]);
  });

  it("sends an event to each endpoint that lists it, or lists none", async () => {
    const { endpoint } = await webhookWorld();
    const all = await endpoint({ id: "60" });
    const some = await endpoint({ id: "61", events: ["budget.approved"], retryDelaysSeconds: [0, 5] });
    const subscribers = { endpoints: [all, some], keys: [] };
    expect(
      subscribersOf({ type: "budget.created", data: {} }, subscribers, NOW).map(({ subscriber }) => subscriber.id),
    ).toEqual(["60"]);
    expect(subscribersOf({ type: "budget.approved", data: {} }, subscribers, NOW)).toEqual([
      {
        subscriber: { kind: "endpoint", id: "60" },
        delaysSeconds: [0, 60, 300, 1_800, 7_200, 43_200],
        isOrdered: false,
      },
      { subscriber: { kind: "endpoint", id: "61" }, delaysSeconds: [0, 5], isOrdered: false },
    ]);
  });
});

describe("the secrets of a subscription", () => {
  it("signs with both secrets until the grace period of a rotation ends", async () => {
    const { context, endpoint, key } = await webhookWorld();
    const { box } = context.secrets;
    const former = box.seal("the former secret", secretBinding("1", { kind: "endpoint", id: "60" }));
    const rotated = endpointSubscription(
      context,
      await endpoint({ previousSealedSecret: former, previousSecretUntil: NOW }),
    );
    expect(rotated.secretsAt(NOW - 1)).toEqual([SECRET, "the former secret"]);
    expect(rotated.secretsAt(NOW)).toEqual([SECRET]);
    const formerOfKey = box.seal("the former secret", secretBinding("1", { kind: "key", id: "20" }));
    const made = await key({ previousSealedWebhookSecret: formerOfKey, previousWebhookSecretUntil: NOW });
    const ofKey = keySubscription(context, { ...made.key, webhookUrl: "https://a.example" });
    expect(ofKey.secretsAt(NOW - 1)).toEqual([SECRET, "the former secret"]);
    expect(ofKey.secretsAt(NOW)).toEqual([SECRET]);
  });

  it("leaves out a former secret that cannot be opened, and fails without the current one", async () => {
    const { context, endpoint } = await webhookWorld();
    const made = await endpoint({ previousSealedSecret: "v1.foreign", previousSecretUntil: NOW });
    expect(endpointSubscription(context, made).secretsAt(0)).toEqual([SECRET]);
    expect(endpointSubscription(context, { ...made, previousSealedSecret: null }).secretsAt(0)).toEqual([SECRET]);
    const foreign = endpointSubscription(context, { ...made, sealedSecret: "v1.foreign" });
    expect(() => foreign.secretsAt(0)).toThrow(/no configured secret/);
  });

  it("opens the secrets of a subscription once for all calls of a claim", async () => {
    const { context, endpoint } = await webhookWorld();
    const made = await endpoint();
    const opening = vi.spyOn(context.secrets.box, "open");
    const { sign } = endpointSubscription(context, made);
    const [first, second] = ["70", "71"].map((deliveryId) => sign({ deliveryId, sentAt: NOW, body: "{}" }));
    expect(opening).toHaveBeenCalledTimes(1);
    expect(first?.["webhook-signature"]).not.toBe(second?.["webhook-signature"]);
    opening.mockRestore();
  });
});
