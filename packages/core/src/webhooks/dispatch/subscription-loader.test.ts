import { aDelivery } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { secretBinding } from "../../signing/webhook-secret.js";
import { SECRET, webhookWorld } from "../../testing/webhook-world.js";
import { createSubscriptionLoader } from "./subscription-loader.js";

const FORMER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const binding = secretBinding("1", { kind: "endpoint", id: "60" });
const delivery = aDelivery({ subscriber: { kind: "endpoint", id: "60" } });

async function loaderWorld() {
  const world = await webhookWorld();
  const { context, clock } = world;
  const load = createSubscriptionLoader(context);
  const seal = (secret: string) => context.secrets.box.seal(secret, binding);
  /** The signatures of a call that is made now, with what is loaded for it. */
  const signatures = async () => {
    const subscription = await load(delivery);
    const headers = subscription?.sign({ deliveryId: "1", sentAt: clock.now(), body: "{}" });
    return headers?.["webhook-signature"]?.split(" ") ?? [];
  };
  return { ...world, load, seal, signatures };
}

describe("the subscriber of a delivery", () => {
  it("is read again for each turn; its secrets are opened again with its next version only", async () => {
    const { context, store, endpoint, seal, signatures } = await loaderWorld();
    const opening = vi.spyOn(context.secrets.box, "open");
    const stored = await endpoint();
    const first = await signatures();
    expect(await signatures()).toEqual(first);
    expect(opening).toHaveBeenCalledTimes(1);
    await store.replaceEndpoint({ ...stored, version: 2, sealedSecret: seal(FORMER) }, 1);
    expect(await signatures()).not.toEqual(first);
    expect(opening).toHaveBeenCalledTimes(2);
    await store.replaceEndpoint({ ...stored, version: 3, status: "DISABLED" }, 2);
    expect(await signatures()).toEqual([]);
  });

  it("signs with a replaced secret until its grace ends, and no longer", async () => {
    const { clock, endpoint, seal, signatures } = await loaderWorld();
    const previousSecretUntil = clock.now() + 1_000;
    await endpoint({ sealedSecret: seal(SECRET), previousSealedSecret: seal(FORMER), previousSecretUntil });
    expect(await signatures()).toHaveLength(2);
    clock.advance(999);
    expect(await signatures()).toHaveLength(2);
    clock.advance(1);
    expect(await signatures()).toHaveLength(1);
  });
});
