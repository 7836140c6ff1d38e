import { manualClock, memoryBlobStore, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { BlobStore } from "./attachments/blob-store.js";
import { createBudgetService } from "./create-service.js";
import type { DomainEvent } from "./events/event.js";
import type { Store } from "./store.js";
import { endingCommits } from "./testing/ending-commits.js";

const HOUR_MS = 3_600_000;

async function* bytes(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

const pdf = (...parts: readonly string[]) => ({
  fileName: "offer.pdf",
  contentType: "application/pdf; version=2",
  content: bytes(...parts),
});

async function world({ blobs = memoryBlobStore(), store = memoryStore() }: { blobs?: BlobStore; store?: Store } = {}) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const errors: unknown[] = [];
  const secret = "a secret of at least thirty-two characters";
  const onError = (error: unknown) => errors.push(error);
  const service = createBudgetService({ store, clock, blobs, secret, random: seededRandom(1), onError });
  const actor = { kind: "user", businessId: "1", id: "7", role: "OWNER", sessionId: null } as const;
  const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
  const budget = (await service.budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
  const blobIds = async () => (await blobs.findBlobsBefore(clock.now() + 1, null, 100)).ids;
  return { service, store, blobs, clock, errors, actor, budget, blobIds };
}

describe("attachments in process", () => {
  it("are added, listed, opened and removed", async () => {
    const { service, actor, budget } = await world();
    const { attachments } = service;
    const added = (await attachments.add(actor, budget.id, pdf("ab", "", "c")))._unsafeUnwrap();
    expect(added).toMatchObject({
      fileName: "offer.pdf",
      contentType: "application/pdf; version=2",
      size: 3,
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      createdBy: "user:7",
    });
    expect((await attachments.list(actor, budget.id, { limit: 5 }))._unsafeUnwrap().data).toEqual([added]);
    const opened = (await attachments.open(actor, budget.id, added.id))._unsafeUnwrap();
    expect(opened.attachment).toEqual(added);
    const read: Uint8Array[] = [];
    for await (const chunk of opened.content) read.push(chunk);
    expect(Buffer.concat(read).toString()).toBe("abc");
    const removed = (await attachments.remove(actor, budget.id, added.id))._unsafeUnwrap();
    expect(removed).toEqual({ id: added.id, deletedAt: "2026-03-02T12:00:00.000Z" });
    expect((await attachments.open(actor, budget.id, added.id))._unsafeUnwrapErr().kind).toBe("not-found");
  });

  it("are shared and no longer, with an event for each change", async () => {
    const { service, actor, budget } = await world();
    const { attachments } = service;
    const added = (await attachments.add(actor, budget.id, pdf("a")))._unsafeUnwrap();
    const heard: DomainEvent[] = [];
    service.on("budget.updated", (event) => heard.push(event));
    for (const shared of [true, true, false, false]) {
      const changed = (await attachments.share(actor, budget.id, added.id, { shared }))._unsafeUnwrap();
      expect(changed).toEqual(shared ? { ...added, shared } : added);
      expect((await attachments.list(actor, budget.id))._unsafeUnwrap().data).toEqual([changed]);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toHaveLength(2);
    expect((await attachments.share(actor, budget.id, "1", { shared: true }))._unsafeUnwrapErr().kind).toBe(
      "not-found",
    );
  });

  it("notify the listeners of this process, once each", async () => {
    const { service, actor, budget } = await world();
    const heard: DomainEvent[] = [];
    service.on("budget.updated", (event) => heard.push(event));
    const { id } = (await service.attachments.add(actor, budget.id, pdf("a")))._unsafeUnwrap();
    await service.attachments.remove(actor, budget.id, id);
    await service.attachments.remove(actor, budget.id, id);
    await new Promise(setImmediate);
    expect(heard.map(({ change }) => change.fields)).toEqual([["attachments"], ["attachments"]]);
  });

  it("do not count towards an upload quota", async () => {
    const { service, actor, budget } = await world();
    const quarter = Buffer.alloc(25 * 1024 * 1024);
    for (let count = 0; count < 5; count += 1) {
      const content = (async function* () {
        yield quarter;
      })();
      expect((await service.attachments.add(actor, budget.id, { ...pdf(), content })).isOk()).toBe(true);
    }
  });

  it("reject with the error of the content, and store nothing", async () => {
    const { service, actor, budget, blobIds } = await world();
    const cause = new Error("unreadable");
    const content = (async function* () {
      yield Buffer.from("half");
      throw cause;
    })();
    await expect(service.attachments.add(actor, budget.id, { ...pdf(), content })).rejects.toBe(cause);
    expect(await blobIds()).toEqual([]);
  });

  it("are decided again when the budget changes at the same time", async () => {
    const { service, actor, budget } = await world();
    const changes = [1, 2, 3].map((notes) => service.budgets.update(actor, budget.id, { notes: String(notes) }));
    const added = [1, 2, 3].map((text) => service.attachments.add(actor, budget.id, pdf(String(text))));
    expect((await Promise.all([...changes, ...added])).map((result) => result.isOk())).not.toContain(false);
    const events = (await service.events.list({ kind: "system", businessId: "1" }, { limit: 20 }))._unsafeUnwrap();
    expect(events.data.filter(({ change }) => change.fields.includes("attachments"))).toHaveLength(3);
    expect((await service.budgets.get(actor, budget.id))._unsafeUnwrap().version).toBe(4);
  });

  it("fail when the budget keeps changing, and store nothing", async () => {
    const store = endingCommits(memoryStore(), "attachment", async () => ({ kind: "refused", by: "stale" }));
    const { service, actor, budget, blobIds } = await world({ store });
    expect((await service.attachments.add(actor, budget.id, pdf("a")))._unsafeUnwrapErr().kind).toBe("conflict");
    expect(await blobIds()).toEqual([]);
  });

  it("succeed although a blob cannot be removed, which is reported and retried", async () => {
    const blobs = memoryBlobStore();
    let broken = true;
    const removeBlob = async (id: string) => (broken ? Promise.reject(new Error("busy")) : blobs.removeBlob(id));
    const { service, actor, budget, blobIds, clock, errors } = await world({ blobs: { ...blobs, removeBlob } });
    const { id } = (await service.attachments.add(actor, budget.id, pdf("a")))._unsafeUnwrap();
    expect((await service.attachments.remove(actor, budget.id, id)).isOk()).toBe(true);
    expect([errors, await blobIds()]).toEqual([[new Error("busy")], [id]]);
    broken = false;
    clock.advance(HOUR_MS + 1);
    await service.tick();
    expect(await blobIds()).toEqual([]);
  });
});

describe("the maintenance of blobs", () => {
  it("removes blobs without a row once they are an hour old, and no others", async () => {
    const { service, actor, budget, blobs, clock, blobIds } = await world();
    const { id } = (await service.attachments.add(actor, budget.id, pdf("a")))._unsafeUnwrap();
    await blobs.writeBlob("900001", bytes("left"), clock.now());
    clock.advance(1);
    await blobs.writeBlob("900002", bytes("under way"), clock.now());
    clock.advance(HOUR_MS);
    await service.tick();
    expect([...(await blobIds())].sort()).toEqual([id, "900002"].sort());
  });

  it("checks a few in each round, and all of them over time", async () => {
    const { service, blobs, clock, blobIds } = await world();
    for (let count = 0; count < 450; count += 1) {
      await blobs.writeBlob(String(900_000 + count), bytes("left"), clock.now());
    }
    clock.advance(HOUR_MS + 1);
    const left = async () => (await blobs.findBlobsBefore(clock.now(), null, 1_000)).ids.length;
    const counts = [];
    for (let round = 0; round < 3; round += 1) {
      await service.tick();
      counts.push(await left());
    }
    expect(counts).toEqual([250, 50, 0]);
    expect(await blobIds()).toEqual([]);
  });
});
