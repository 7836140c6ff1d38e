import { anApiKey, anEventQuery, seededRandom } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, toTimestamp } from "../../kernel/clock.js";
import { deriveSecrets } from "../../kernel/secret-box.js";
import { accessWorld, aUserActor } from "../../testing/access-world.js";
import { insertKeyCommit } from "../access-commits.js";
import { createKeySchema, rotateWebhookSecretSchema } from "./key-input.js";
import { readWebhookSecret, rotateWebhookSecret } from "./key-webhook-secret.js";
import { createKey, revokeKey, updateKey } from "./manage-keys.js";

async function worldWithKey(input: object = {}) {
  const world = await accessWorld();
  const settings = createKeySchema.parse({ name: "Web shop", scopes: ["READ_BUDGETS"], ...input });
  const created = (await createKey(world.context, world.owner, settings))._unsafeUnwrap();
  return { ...world, created, id: created.id };
}

describe("updateKey with a webhookSecret", () => {
  it("replaces the secret as a rotation does: for a day the replaced one signs too", async () => {
    const { context, store, owner, id, created, clock } = await worldWithKey();
    const { sealedWebhookSecret } = (await store.findKey("1", id)) ?? {};
    await updateKey(context, owner, id, { name: "Shop", webhookSecret: "chosen by the host" });
    expect((await readWebhookSecret(context, owner, id))._unsafeUnwrap().webhookSecret).toBe("chosen by the host");
    expect(created.webhookSecret).not.toBe("chosen by the host");
    expect(await store.findKey("1", id)).toMatchObject({
      name: "Shop",
      previousSealedWebhookSecret: sealedWebhookSecret,
      previousWebhookSecretUntil: clock.now() + DAY_MS,
    });
  });

  it("keeps the secret for null, and the grace period when the present secret is given again", async () => {
    const { context, store, owner, id } = await worldWithKey();
    await updateKey(context, owner, id, { webhookSecret: "chosen by the host" });
    const rotated = await store.findKey("1", id);
    for (const webhookSecret of ["chosen by the host", null, undefined]) {
      await updateKey(context, owner, id, { webhookSecret });
      expect(await store.findKey("1", id)).toEqual({ ...rotated, version: expect.any(Number) });
    }
  });
});

describe("readWebhookSecret", () => {
  it("gives the secret again, the generated one and the host's own", async () => {
    for (const input of [{}, { webhookSecret: "chosen by the host" }]) {
      const { context, owner, id, created } = await worldWithKey(input);
      expect((await readWebhookSecret(context, owner, id))._unsafeUnwrap()).toEqual({
        webhookSecret: created.webhookSecret,
      });
    }
  });

  it("opens no secret that was copied from another row", async () => {
    const { context, store, owner, id } = await worldWithKey();
    const key = await store.findKey("1", id);
    await store.commit(insertKeyCommit(anApiKey({ ...key, id: "21", keyHash: "other" })));
    await expect(readWebhookSecret(context, owner, "21")).rejects.toThrow("no configured secret");
  });

  it("fails loudly when the secret of the service was replaced instead of rotated", async () => {
    const { context, owner, id } = await worldWithKey();
    const replaced = { ...context, secrets: deriveSecrets(["another"], seededRandom(1)) };
    await expect(readWebhookSecret(replaced, owner, id)).rejects.toThrow("no configured secret");
  });

  it("leaves an audit entry that says who read it and when, and not what", async () => {
    const { context, store, owner, id, created, clock } = await worldWithKey();
    const now = clock.now() + HOUR_MS;
    await readWebhookSecret(context, owner, id, now);
    const { entries } = await store.listEvents("1", anEventQuery());
    expect(entries).toMatchObject([
      { type: "api_key.secret_read", actor: "user:30", subjectId: id, occurredAt: now, data: {} },
      { type: "api_key.created" },
    ]);
    expect(JSON.stringify(entries)).not.toContain(created.webhookSecret);
  });

  it("returns no secret when the audit entry cannot be written, and writes none for a refused read", async () => {
    const { context, store, owner, id } = await worldWithKey();
    expect((await readWebhookSecret(context, aUserActor("MEMBER"), id)).isErr()).toBe(true);
    expect((await readWebhookSecret(context, owner, "999")).isErr()).toBe(true);
    const reads = await store.listEvents("1", anEventQuery({ type: "api_key.secret_read" }));
    expect(reads.total).toBe(0);
    vi.spyOn(store, "commit").mockRejectedValue(new Error("disk full"));
    await expect(readWebhookSecret(context, owner, id)).rejects.toThrow("disk full");
  });
});

describe("rotateWebhookSecret", () => {
  it("shows the new secret and keeps the former one sealed for a day", async () => {
    const { context, owner, id, created, store, clock } = await worldWithKey();
    const rotated = (await rotateWebhookSecret(context, owner, id, {}))._unsafeUnwrap();
    expect(rotated).toEqual({
      webhookSecret: expect.stringMatching(/^whsec_/),
      previousSecretUntil: toTimestamp(clock.now() + 24 * HOUR_MS),
    });
    expect(rotated.webhookSecret).not.toBe(created.webhookSecret);
    expect((await readWebhookSecret(context, owner, id))._unsafeUnwrap()).toEqual({
      webhookSecret: rotated.webhookSecret,
    });
    const stored = await store.findKey("1", id);
    expect(stored?.previousWebhookSecretUntil).toBe(clock.now() + 24 * HOUR_MS);
    expect(context.secrets.box.open(stored?.previousSealedWebhookSecret ?? "", `webhook-secret:1:${id}`)).toBe(
      created.webhookSecret,
    );
    for (const secret of [created.webhookSecret, rotated.webhookSecret]) {
      expect(JSON.stringify(stored)).not.toContain(secret);
    }
  });

  it("takes a secret of one's own", async () => {
    const { context, owner, id } = await worldWithKey();
    const input = rotateWebhookSecretSchema.parse({ webhookSecret: "a secret of one's own" });
    const rotated = (await rotateWebhookSecret(context, owner, id, input))._unsafeUnwrap();
    expect(rotated.webhookSecret).toBe("a secret of one's own");
    expect(rotateWebhookSecretSchema.safeParse({ webhookSecret: "short" }).success).toBe(false);
  });

  it("refuses a MEMBER, an unknown key and a revoked one", async () => {
    const { context, owner, id } = await worldWithKey();
    const refused = async (actor = owner, keyId = id) =>
      (await rotateWebhookSecret(context, actor, keyId, {}))._unsafeUnwrapErr();
    expect((await refused(aUserActor("MEMBER"))).kind).toBe("forbidden");
    expect((await refused(owner, "999")).kind).toBe("not-found");
    await revokeKey(context, owner, id);
    expect(await refused()).toMatchObject({ kind: "rule", rule: "KEY_REVOKED" });
  });

  it("keeps the former secret no longer than it signs: the next write leaves it out", async () => {
    const { context, store, owner, id, clock } = await worldWithKey();
    const former = (await store.findKey("1", id))?.sealedWebhookSecret;
    await rotateWebhookSecret(context, owner, id, {});
    clock.advance(24 * HOUR_MS - 1);
    await updateKey(context, owner, id, {});
    expect((await store.findKey("1", id))?.previousSealedWebhookSecret).toBe(former);
    clock.advance(1);
    await updateKey(context, owner, id, {});
    expect(JSON.stringify(await store.findKey("1", id))).not.toContain(former);
  });
});
