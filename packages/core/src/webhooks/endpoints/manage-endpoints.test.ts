import { describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { toTimestamp } from "../../kernel/clock.js";
import { parseInput } from "../../kernel/validation.js";
import { answered, webhookWorld } from "../../testing/webhook-world.js";
import { replaceEndpointCommit } from "../endpoint-commits.js";
import { createEndpointSchema, endpointListSchema, endpointViewSchema, updateEndpointSchema } from "./endpoint-view.js";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  readEndpointSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from "./manage-endpoints.js";

const URL = "https://hooks.example/budgets";

/** What a request body becomes on its way to the operation. */
function read<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  return parseInput(schema, input)._unsafeUnwrap();
}

async function worldWithEndpoint(input: object = {}) {
  const world = await webhookWorld();
  const { context, owner } = world;
  const created = await createEndpoint(context, owner, read(createEndpointSchema, { url: URL, ...input }));
  const view = created._unsafeUnwrap();
  const update = (change: object) => updateEndpoint(context, owner, view.id, read(updateEndpointSchema, change));
  return { ...world, created: view, id: view.id, update };
}

describe("createEndpoint", () => {
  it("makes an ACTIVE endpoint for every event, by the contract's schedule, and shows its secret", async () => {
    const { created, clock, id } = await worldWithEndpoint();
    expect(created).toEqual({
      id,
      url: URL,
      description: null,
      events: null,
      status: "ACTIVE",
      disabledReason: null,
      allowedIps: null,
      retryPolicy: { delaysSeconds: [0, 60, 300, 1_800, 7_200, 43_200] },
      failingSince: null,
      createdAt: toTimestamp(clock.now()),
      updatedAt: toTimestamp(clock.now()),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });

  it("takes over every setting that is given", async () => {
    const settings = {
      description: "For the shop",
      events: ["budget.approved", "budget.rejected"],
      status: "DISABLED",
      retryPolicy: { delaysSeconds: [0, 10] },
      secret: "a secret of one's own",
    };
    const { created, context, owner, id } = await worldWithEndpoint({ ...settings, allowedIps: ["203.0.113.9/24"] });
    expect(created).toMatchObject({ ...settings, allowedIps: ["203.0.113.0/24"], disabledReason: null });
    const read = (await getEndpoint(context, owner, id))._unsafeUnwrap();
    expect(endpointViewSchema.parse(read)).toEqual(read);
    expect("secret" in read).toBe(false);
  });

  it.each(["http://127.0.0.1/", "https://localhost/", "ftp://hooks.example/", "https://a:b@hooks.example/"])(
    "refuses %s",
    async (url) => {
      const { context, owner, update } = await worldWithEndpoint();
      const refused = await createEndpoint(context, owner, read(createEndpointSchema, { url }));
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        kind: "invalid",
        errors: [{ field: "url", code: "INVALID_VALUE" }],
      });
      expect((await update({ url }))._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field: "url" }] });
      const private_ = { ...context, allowPrivateDestinations: true };
      const isHttp = url.startsWith("http") && !url.includes("@");
      expect((await createEndpoint(private_, owner, read(createEndpointSchema, { url }))).isOk()).toBe(isHttp);
    },
  );

  it("refuses the hundred and first, counting disabled ones, and names the limit", async () => {
    const { context, owner, store, id } = await worldWithEndpoint({ status: "DISABLED" });
    const create = () => createEndpoint(context, owner, read(createEndpointSchema, { url: URL }));
    for (let count = 1; count < 100; count += 1) expect((await create()).isOk()).toBe(true);
    const [one, other] = await Promise.all([create(), create()]);
    for (const refused of [one, other]) {
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        kind: "rule",
        rule: "TOO_MANY_WEBHOOKS",
        details: { limit: 100 },
      });
    }
    expect((await store.listEndpoints("1", 1, 0)).total).toBe(100);
    await deleteEndpoint(context, owner, id);
    expect((await create()).isOk()).toBe(true);
  });

  it("refuses a business that is not there", async () => {
    const { context } = await webhookWorld();
    const stranger = { kind: "system", businessId: "2" } as const;
    const refused = await createEndpoint(context, stranger, read(createEndpointSchema, { url: URL }));
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "not-found", resource: "business", id: "2" });
  });
});

describe("the manager of endpoints", () => {
  it("is a user of the business: a MEMBER may look, and no more", async () => {
    const { context, member, id, created } = await worldWithEndpoint();
    const { secret: _, ...view } = created;
    expect((await getEndpoint(context, member, id))._unsafeUnwrap()).toEqual(view);
    expect((await listEndpoints(context, member, { page: 1, limit: 10 }))._unsafeUnwrap().data).toEqual([view]);
    const input = read(createEndpointSchema, { url: URL });
    for (const refused of [
      await createEndpoint(context, member, input),
      await updateEndpoint(context, member, id, {}),
      await deleteEndpoint(context, member, id),
      await readEndpointSecret(context, member, id),
      await rotateEndpointSecret(context, member, id, {}),
    ]) {
      expect(refused._unsafeUnwrapErr().kind).toBe("forbidden");
    }
  });

  it("is no key", async () => {
    const { context, id, key } = await worldWithEndpoint();
    const { actor } = await key();
    expect((await getEndpoint(context, actor, id))._unsafeUnwrapErr().kind).toBe("forbidden");
    expect((await listEndpoints(context, actor, { page: 1, limit: 10 }))._unsafeUnwrapErr().kind).toBe("forbidden");
  });

  it("finds no endpoint of another business, and none that is none", async () => {
    const { context, id, owner } = await worldWithEndpoint();
    const other = { ...owner, businessId: "2" };
    for (const [actor, endpointId] of [
      [other, id],
      [owner, "999"],
      [owner, "abc"],
    ] as const) {
      const missing = { kind: "not-found", resource: "webhook", id: endpointId };
      for (const refused of [
        await getEndpoint(context, actor, endpointId),
        await updateEndpoint(context, actor, endpointId, {}),
        await deleteEndpoint(context, actor, endpointId),
        await readEndpointSecret(context, actor, endpointId),
        await rotateEndpointSecret(context, actor, endpointId, {}),
      ]) {
        expect(refused._unsafeUnwrapErr()).toMatchObject(missing);
      }
    }
  });
});

describe("listEndpoints", () => {
  it("goes page by page, newest first", async () => {
    const { context, owner, clock, id } = await worldWithEndpoint();
    clock.advance(1);
    const second = (await createEndpoint(context, owner, read(createEndpointSchema, { url: URL })))._unsafeUnwrap();
    const page = (await listEndpoints(context, owner, { page: 1, limit: 1 }))._unsafeUnwrap();
    expect(endpointListSchema.parse(page)).toEqual(page);
    expect(page.data.map((each) => each.id)).toEqual([second.id]);
    expect(page.pagination).toMatchObject({ total: 2, hasMore: true });
    const next = (await listEndpoints(context, owner, { page: 2, limit: 1 }))._unsafeUnwrap();
    expect(next.data.map((each) => each.id)).toEqual([id]);
  });
});

describe("updateEndpoint", () => {
  it("takes over what is given and leaves the rest; null clears", async () => {
    const { update, created, clock } = await worldWithEndpoint({ description: "x", events: ["budget.created"] });
    clock.advance(1_000);
    const { secret: _, ...view } = created;
    const unchanged = { ...view, updatedAt: toTimestamp(clock.now()) };
    expect((await update({}))._unsafeUnwrap()).toEqual(unchanged);
    const given = { url: "https://elsewhere.example/", allowedIps: ["8.8.8.8"], retryPolicy: { delaysSeconds: [0] } };
    expect((await update(given))._unsafeUnwrap()).toEqual({ ...unchanged, ...given });
    const cleared = { description: null, events: null, allowedIps: null };
    expect((await update({ ...cleared, retryPolicy: null }))._unsafeUnwrap()).toEqual({
      ...unchanged,
      ...cleared,
      url: given.url,
    });
  });

  it("shows an ordering that is not the default, keeps it until it is changed, and audits the change", async () => {
    const { update, id, store, created } = await worldWithEndpoint({ ordering: "subject" });
    expect(created.ordering).toBe("subject");
    expect((await update({ description: "x" }))._unsafeUnwrap().ordering).toBe("subject");
    expect((await update({ ordering: "none" }))._unsafeUnwrap()).not.toHaveProperty("ordering");
    expect(await store.findEndpoint("1", id)).not.toHaveProperty("ordering");
    expect((await update({ ordering: "subject" }))._unsafeUnwrap().ordering).toBe("subject");
    const audit = { type: "webhook.updated", subjectId: id, since: null, until: null, limit: 9, offset: 0 } as const;
    const [last] = (await store.listEvents("1", audit)).entries;
    expect(last?.change.fields).toEqual(["ordering"]);
  });

  it("cancels what waits for an endpoint that it disables, and starts it afresh when it is made ACTIVE", async () => {
    const { update, commit, dispatcher, answerWith, deliveries, store, id } = await worldWithEndpoint();
    answerWith(() => answered(500));
    await commit({});
    await dispatcher.tick();
    expect((await store.findEndpoint("1", id))?.failingSince).not.toBeNull();
    expect((await update({ status: "DISABLED" }))._unsafeUnwrap()).toMatchObject({
      status: "DISABLED",
      disabledReason: null,
    });
    expect(await deliveries()).toMatchObject([{ status: "cancelled" }]);
    expect((await update({ description: "still" }))._unsafeUnwrap().failingSince).not.toBeNull();
    expect((await update({ status: "ACTIVE" }))._unsafeUnwrap()).toMatchObject({
      status: "ACTIVE",
      failingSince: null,
    });
  });

  it("starts one afresh that is sent elsewhere", async () => {
    const { update, store, id } = await worldWithEndpoint();
    const stored = await store.findEndpoint("1", id);
    if (stored !== null) await store.commit(replaceEndpointCommit({ ...stored, failingSince: 5, version: 2 }, 1));
    expect((await update({ url: URL }))._unsafeUnwrap().failingSince).not.toBeNull();
    expect((await update({ url: "https://elsewhere.example/" }))._unsafeUnwrap().failingSince).toBeNull();
  });

  it("clears the reason of the disabling when it is made ACTIVE", async () => {
    const { update, commit, dispatcher, answerWith } = await worldWithEndpoint();
    answerWith(() => answered(410));
    await commit({});
    await dispatcher.tick();
    expect((await update({ description: "gone?" }))._unsafeUnwrap().disabledReason).toMatch(/410/);
    expect((await update({ status: "ACTIVE" }))._unsafeUnwrap().disabledReason).toBeNull();
  });

  it("loses no change when two writers meet, and gives up when others always come first", async () => {
    const { update, store, context, owner, id } = await worldWithEndpoint();
    await Promise.all([update({ description: "one" }), update({ events: ["budget.created"] })]);
    expect(await store.findEndpoint("1", id)).toMatchObject({
      version: 3,
      description: "one",
      events: ["budget.created"],
    });
    vi.spyOn(store, "commit").mockResolvedValue({ kind: "refused", by: "stale" });
    expect((await updateEndpoint(context, owner, id, {}))._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
  });
});

describe("deleteEndpoint", () => {
  it("removes it for good and cancels what waits for it", async () => {
    const { context, owner, id, commit, dispatcher, answerWith, deliveries, clock } = await worldWithEndpoint();
    answerWith(() => answered(500));
    await commit({});
    await dispatcher.tick();
    const deleted = await deleteEndpoint(context, owner, id);
    expect(deleted._unsafeUnwrap()).toEqual({ id, deletedAt: toTimestamp(clock.now()) });
    expect(await deliveries()).toMatchObject([{ status: "cancelled" }]);
    expect((await deleteEndpoint(context, owner, id)).isErr()).toBe(true);
  });
});
