import { anEventQuery } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, toTimestamp } from "../../kernel/clock.js";
import { verifyWebhook } from "../../signing/verify-webhook.js";
import { SECRET, webhookWorld } from "../../testing/webhook-world.js";
import { MAX_ENDPOINTS } from "../endpoint.js";
import { insertEndpointCommit } from "../endpoint-commits.js";
import { createEndpointSchema } from "./endpoint-view.js";
import { createEndpoint, readEndpointSecret, rotateEndpointSecret, updateEndpoint } from "./manage-endpoints.js";

async function worldWithEndpoint() {
  const world = await webhookWorld();
  const input = createEndpointSchema.parse({ url: "https://hooks.example/budgets" });
  const created = (await createEndpoint(world.context, world.owner, input))._unsafeUnwrap();
  return { ...world, created, id: created.id };
}

describe("readEndpointSecret", () => {
  it("keeps the secret sealed, and bound to its row", async () => {
    const { created, store, context, owner, id } = await worldWithEndpoint();
    const stored = await store.findEndpoint("1", id);
    expect(JSON.stringify(stored)).not.toContain(created.secret);
    expect((await readEndpointSecret(context, owner, id))._unsafeUnwrap()).toEqual({ secret: created.secret });
    if (stored !== null) await store.commit(insertEndpointCommit({ ...stored, id: "999" }, MAX_ENDPOINTS));
    await expect(readEndpointSecret(context, owner, "999")).rejects.toThrow(/no configured secret/);
  });

  it("leaves an audit entry that says who read it and when, and not what", async () => {
    const { created, store, context, owner, id, clock } = await worldWithEndpoint();
    clock.advance(DAY_MS);
    await readEndpointSecret(context, owner, id);
    const { entries } = await store.listEvents("1", anEventQuery({ type: "webhook.secret_read" }));
    expect(entries).toMatchObject([
      { type: "webhook.secret_read", actor: "user:30", subjectId: id, occurredAt: clock.now(), data: {} },
    ]);
    expect(JSON.stringify(entries)).not.toContain(created.secret);
  });

  it("returns no secret when the audit entry cannot be written, and writes none for a refused read", async () => {
    const { store, context, owner, member, id } = await worldWithEndpoint();
    await readEndpointSecret(context, member, id);
    await readEndpointSecret(context, owner, "999");
    expect((await store.listEvents("1", anEventQuery({ type: "webhook.secret_read" }))).total).toBe(0);
    vi.spyOn(store, "commit").mockRejectedValue(new Error("disk full"));
    await expect(readEndpointSecret(context, owner, id)).rejects.toThrow("disk full");
  });
});

describe("rotateEndpointSecret", () => {
  it("shows the new secret; for a day callbacks are signed with both", async () => {
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

  it("takes a secret of one's own, as an update does", async () => {
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

  it("keeps the former secret no longer than it signs: the next write leaves it out", async () => {
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
