import { aDelivery } from "@budgetkit/testing";
import { expect, it, vi } from "vitest";
import { secretBinding } from "../../signing/webhook-secret.js";
import { createGate, turns } from "../../testing/event-loop.js";
import { SECRET, webhookWorld } from "../../testing/webhook-world.js";
import { replaceEndpointCommit } from "../endpoint-commits.js";
import { createSubscriptionLoader } from "./subscription-loader.js";

const FORMER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const binding = secretBinding("1", { kind: "endpoint", id: "60" });
const delivery = aDelivery({ subscriber: { kind: "endpoint", id: "60" } });

async function loaderWorld() {
  const world = await webhookWorld();
  const { context, clock } = world;
  const { load } = createSubscriptionLoader(context);
  const seal = (secret: string) => context.secrets.box.seal(secret, binding);
  /** The signatures of a call that is made now, with what is loaded for it. */
  const signatures = async () => {
    const subscription = await load(delivery);
    const headers = subscription?.sign({ deliveryId: "1", sentAt: clock.now(), body: "{}" });
    return headers?.["webhook-signature"]?.split(" ") ?? [];
  };
  return { ...world, load, seal, signatures };
}

it("reads a subscriber again in each turn; opens its secrets again with its next version only", async () => {
  const { context, store, endpoint, seal, signatures } = await loaderWorld();
  const opening = vi.spyOn(context.secrets.box, "open");
  const stored = await endpoint();
  const first = await signatures();
  expect(await signatures()).toEqual(first);
  expect(opening).toHaveBeenCalledTimes(1);
  await store.commit(replaceEndpointCommit({ ...stored, version: 2, sealedSecret: seal(FORMER) }, 1));
  expect(await signatures()).not.toEqual(first);
  expect(opening).toHaveBeenCalledTimes(2);
  await store.commit(replaceEndpointCommit({ ...stored, version: 3, status: "DISABLED" }, 2));
  expect(await signatures()).toEqual([]);
});

it("signs with a replaced secret until its grace period ends, and no longer", async () => {
  const { clock, endpoint, seal, signatures } = await loaderWorld();
  const previousSecretUntil = clock.now() + 1_000;
  await endpoint({ sealedSecret: seal(SECRET), previousSealedSecret: seal(FORMER), previousSecretUntil });
  expect(await signatures()).toHaveLength(2);
  clock.advance(999);
  expect(await signatures()).toHaveLength(2);
  clock.advance(1);
  expect(await signatures()).toHaveLength(1);
});

it("reads a subscriber once for concurrent calls, and again for a later call", async () => {
  const world = await webhookWorld();
  const endpoint = await world.endpoint();
  const finding = vi.spyOn(world.store, "findEndpoint");
  const { load } = createSubscriptionLoader(world.context);
  expect(await Promise.all([load(delivery), load(delivery)])).toMatchObject([{ endpoint }, { endpoint }]);
  expect(finding).toHaveBeenCalledTimes(1);
  await world.store.commit(replaceEndpointCommit({ ...endpoint, status: "DISABLED", version: 2 }, 1));
  expect(await load(delivery)).toBeNull();
});

it("reads a subscriber again in a later turn, however long the first read takes", async () => {
  const world = await webhookWorld();
  const endpoint = await world.endpoint();
  const { findEndpoint } = world.store;
  const gate = createGate();
  vi.spyOn(world.store, "findEndpoint").mockImplementationOnce(async (...id) => {
    const found = await findEndpoint(...id);
    await gate.promise;
    return found;
  });
  const { load } = createSubscriptionLoader(world.context);
  const first = load(delivery);
  await turns();
  await world.store.commit(replaceEndpointCommit({ ...endpoint, status: "DISABLED", version: 2 }, 1));
  expect(await load(delivery)).toBeNull();
  gate.open();
  expect(await first).not.toBeNull();
});

it("loads a subscriber of a known version again after all were forgotten during a lookup", async () => {
  const { context, store, endpoint } = await loaderWorld();
  const former = await endpoint({ version: 2, url: "https://old.example/hook" });
  const loader = createSubscriptionLoader(context);
  const read = createGate();
  vi.spyOn(store, "findEndpoint").mockImplementationOnce(async () => {
    await read.promise;
    return former;
  });
  const inFlight = loader.load(delivery);
  loader.forget(); // version 2 is lost, and written again
  read.open();
  await inFlight;
  vi.spyOn(store, "findEndpoint").mockResolvedValue({ ...former, url: "https://new.example/hook" });
  await turns(2);
  expect((await loader.load(delivery))?.url).toBe("https://new.example/hook");
});
