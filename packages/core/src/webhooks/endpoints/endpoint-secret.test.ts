import { anEventQuery } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, toTimestamp } from "../../kernel/clock.js";
import { verifyWebhook } from "../../signing/verify-webhook.js";
import { SECRET, webhookWorld } from "../../testing/webhook-world.js";
import { createEndpointSchema } from "./endpoint-view.js";
import { createEndpoint, readEndpointSecret, rotateEndpointSecret, updateEndpoint } from "./manage-endpoints.js";

async function worldWithEndpoint() {
  const world = await webhookWorld();
  const input = createEndpointSchema.parse({ url: "https://hooks.example/budgets" });
  const created = (await createEndpoint(world.context, world.owner, input))._unsafeUnwrap();
  return { ...world, created, id: created.id };
}

describe("readEndpointSecret", () => {
  it("stores the secret of an endpoint sealed, and bound to its row", async () => {
    const { created, store, context, owner, id } = await worldWithEndpoint();
    const stored = await store.findEndpoint("1", id);
    expect(JSON.stringify(stored)).not.toContain(created.secret);
    expect((await readEndpointSecret(context, owner, id))._unsafeUnwrap()).toEqual({ secret: created.secret });
    if (stored !== null) await store.insertEndpoint({ ...stored, id: "999" });
    await expect(readEndpointSecret(context, owner, "999")).rejects.toThrow(/no configured secret/);
  });

  it("readEndpointSecret writes an audit entry with the reader and the time, without the secret", async () => {
    const { created, store, context, owner, id, clock } = await worldWithEndpoint();
    clock.advance(DAY_MS);
    await readEndpointSecret(context, owner, id);
    const { entries } = await store.listEvents("1", anEventQuery({ type: "webhook.secret_read" }));
    expect(entries).toMatchObject([
      { type: "webhook.secret_read", actor: "user:30", subjectId: id, occurredAt: clock.now(), data: {} },
    ]);
    expect(JSON.stringify(entries)).not.toContain(created.secret);
  });

  it("readEndpointSecret returns no secret when the audit entry cannot be written, and audits no refused read", async () => {
    const { store, context, owner, member, id } = await worldWithEndpoint();
    await readEndpointSecret(context, member, id);
    await readEndpointSecret(context, owner, "999");
    expect((await store.listEvents("1", anEventQuery({ type: "webhook.secret_read" }))).total).toBe(0);
    vi.spyOn(store, "appendAudit").mockRejectedValue(new Error("disk full"));
    await expect(readEndpointSecret(context, owner, id)).rejects.toThrow("disk full");
  });
});

describe("rotateEndpointSecret", () => {
  it("rotateEndpointSecret shows the new secret, and signs with both for a day", async () => {
    const { context, owner, id, created, clock, commit, dispatcher, sent } = await worldWithEndpoint();
    const rotated = (await rotateEndpointSecret(context, owner, id, {}))._unsafeUnwrap();
    expect(rotated.previousSecretUntil).toBe(toTimestamp(clock.now() + DAY_MS));
    expect(rotated.secret).not.toBe(created.secret);
    const accepts = async (...secrets: string[]) => {
      await commit({});
      await dispatcher.tick();
      const last = sent.at(-1);
      return secrets.map((each) => verifyWebhook(last?.headers ?? {}, last?.body ?? "", each, { now: clock.now() }).ok);
    };
    expect(await accepts(rotated.secret, created.secret)).toEqual([true, true]);
    clock.advance(DAY_MS);
    expect(await accepts(rotated.secret, created.secret)).toEqual([true, false]);
  });

  it("rotateEndpointSecret accepts a secret of the caller's choice, as an update does", async () => {
    const { context, owner, id } = await worldWithEndpoint();
    const rotated = await rotateEndpointSecret(context, owner, id, { secret: SECRET });
    expect(rotated._unsafeUnwrap().secret).toBe(SECRET);
    const both = { secret: "a secret of one's own", description: "both" };
    await updateEndpoint(context, owner, id, both);
    expect((await readEndpointSecret(context, owner, id))._unsafeUnwrap()).toEqual({ secret: "a secret of one's own" });
    expect(await context.store.findEndpoint("1", id)).toMatchObject({
      description: "both",
      previousSecretUntil: context.clock.now() + DAY_MS,
    });
  });

  it("removes the former secret of an endpoint at the next write after it stops signing", async () => {
    const { context, owner, id, clock, store } = await worldWithEndpoint();
    const former = (await store.findEndpoint("1", id))?.sealedSecret;
    await rotateEndpointSecret(context, owner, id, {});
    clock.advance(DAY_MS - 1);
    await updateEndpoint(context, owner, id, {});
    expect((await store.findEndpoint("1", id))?.previousSealedSecret).toBe(former);
    clock.advance(1);
    await updateEndpoint(context, owner, id, {});
    expect(JSON.stringify(await store.findEndpoint("1", id))).not.toContain(former);
  });
});
