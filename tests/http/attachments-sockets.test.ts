import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { type BlobStore, createBudgetService, directoryBlobStore } from "@budgetkit/core";
import { insertAttachmentCommit } from "@budgetkit/core/store";
import { anAttachment, memoryBlobStore, memoryStore } from "@budgetkit/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listen, listeners } from "../hosts/http-hosts.js";
import { temporaryFolder } from "../programs/running-program.js";

const MIB = 1024 * 1024;
const WAIT = { timeout: 120_000 };
const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';

const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function world(host: keyof typeof listeners, blobs: BlobStore) {
  const store = memoryStore();
  const errors: unknown[] = [];
  const secret = "a secret for tests that is long enough";
  const service = createBudgetService({ store, secret, blobs, onError: (error) => errors.push(error) });
  const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"] as const;
  const key = (await service.keys.create(actor, { name: "Shop", scopes: [...scopes] }))._unsafeUnwrap();
  const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
  const budget = (await service.budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
  const { port, close } = await listen(listeners[host](service));
  opened.push(close);
  const path = `/v1/api/public/budgets/${budget.id}/attachments`;
  /** A connection on which the head of a request was sent. */
  const begin = (method: string, target: string, headers: Readonly<Record<string, string>>): Socket => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    opened.push(async () => void socket.destroy());
    const all = { host: "127.0.0.1", authorization: `Bearer ${key.key}`, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
    return socket;
  };
  const upload = (length: Readonly<Record<string, string>>) =>
    begin("POST", path, { "content-type": "multipart/form-data; boundary=b", ...length });
  const list = async () => (await service.attachments.list(actor, budget.id))._unsafeUnwrap();
  return { service, store, errors, actor, key, budget, path, begin, upload, list };
}

/** The status of the answer, once its first line is there. */
async function statusOn(socket: Socket): Promise<number> {
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
    if (status !== undefined && status !== "100") return Number(status);
  }
  throw new Error(`the connection ended after ${JSON.stringify(text)}`);
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []));

describe.each(["Hono", "Express"] as const)("behind %s", (host) => {
  it("an upload that is cut off leaves no row, no blob and no other file, and counts nothing", async () => {
    const folder = temporaryFolder();
    const { upload, list, errors, store, actor, key } = await world(host, directoryBlobStore(join(folder, "blobs")));
    const socket = upload({ "content-length": String(3 * MIB) });
    socket.write(HEAD);
    socket.write(new Uint8Array(MIB));
    await vi.waitFor(() => expect(filesIn(folder)).toEqual([expect.stringMatching(/^\d+\.part$/)]), WAIT);
    socket.destroy();
    await vi.waitFor(() => expect(filesIn(folder)).toEqual([]), WAIT);
    expect((await list()).data).toEqual([]);
    expect(errors).toEqual([]);
    const window = { lengthMs: 3_600_000, limit: 100 * MIB };
    const subject = `upload:${actor.businessId}:${key.id}`;
    const room = async (needed: number) => {
      const decision = await store.holdUpload(subject, { id: "x", needed, wanted: needed }, window, Date.now());
      if (decision.held !== null) await store.settleUpload(subject, "x", 0, window, Date.now());
      return decision.held !== null;
    };
    await vi.waitFor(async () => expect(await room(100 * MIB)).toBe(true), WAIT);
  });

  it("checks the declared length of an upload before any of the body arrives", async () => {
    const { service, upload, store, actor, key } = await world(host, memoryBlobStore());
    const window = { lengthMs: 3_600_000, limit: 100 * MIB };
    await store.settleUpload(`upload:${actor.businessId}:${key.id}`, "x", 99 * MIB, window, Date.now());
    expect(await statusOn(upload({ "content-length": String(33 * MIB) }))).toBe(413);
    const handle = vi.spyOn(service, "handle"); // Hono's adapter waits five seconds for a shorter body that it refuses
    upload({ "content-length": String(2 * MIB) });
    await vi.waitFor(() => expect(handle).toHaveResolvedWith(expect.objectContaining({ status: 429 })), WAIT);
  });

  it("answers an endless upload while it still arrives", async () => {
    const folder = temporaryFolder();
    const { upload, list } = await world(host, directoryBlobStore(join(folder, "blobs")));
    const socket = upload({ "transfer-encoding": "chunked" });
    const chunk = (bytes: string | Uint8Array) =>
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from("\r\n")]),
      );
    chunk(HEAD);
    const full = new Uint8Array(MIB);
    const send = () => {
      while (!socket.destroyed && chunk(full));
      if (!socket.destroyed) socket.once("drain", send);
    };
    send();
    expect(await statusOn(socket)).toBe(413);
    socket.destroy();
    expect(filesIn(folder)).toEqual([]);
    expect((await list()).data).toEqual([]);
  });

  it("reads a download at the client's pace, and ends it when the client disconnects", async () => {
    const seen = { bytes: 0, ended: false };
    const size = 1_000 * MIB;
    async function* large(): AsyncGenerator<Uint8Array> {
      try {
        for (; seen.bytes < size; seen.bytes += 64 * 1024) yield new Uint8Array(64 * 1024);
      } finally {
        seen.ended = true;
      }
    }
    const blobs: BlobStore = { ...memoryBlobStore(), openBlob: async () => large() };
    const { begin, path, store, actor, budget, errors } = await world(host, blobs);
    const { businessId } = actor;
    await store.commit(
      insertAttachmentCommit(anAttachment({ businessId, budgetId: budget.id, id: "9001", size }), 1, 100),
    );
    const socket = begin("GET", `${path}/9001`, {});
    expect(await statusOn(socket)).toBe(200);
    socket.pause();
    await vi.waitFor(() => expect(seen.bytes).toBeGreaterThan(0), WAIT);
    expect(seen.ended).toBe(false);
    socket.destroy();
    await vi.waitFor(() => expect(seen.ended).toBe(true), WAIT);
    expect(seen.bytes).toBeLessThan(100 * MIB); // no more than the sockets buffer
    expect(errors).toEqual([]);
  });

  it("cuts off and reports a download that cannot be read on", async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1_000);
      throw new Error("the disk is broken");
    }
    const blobs: BlobStore = { ...memoryBlobStore(), openBlob: async () => breaking() };
    const { begin, path, store, actor, budget, errors } = await world(host, blobs);
    const { businessId } = actor;
    await store.commit(
      insertAttachmentCommit(anAttachment({ businessId, budgetId: budget.id, id: "9001", size: 5_000 }), 1, 100),
    );
    const socket = begin("GET", `${path}/9001`, {});
    let received = 0;
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        received += chunk.length;
      });
      socket.on("close", () => resolve());
    });
    expect(received).toBeLessThan(5_000);
    expect(errors).toEqual([new Error("the disk is broken")]);
  });

  it("a HEAD of a download opens no blob", async () => {
    let began = false;
    async function* content(): AsyncGenerator<Uint8Array> {
      began = true;
      yield new Uint8Array(3);
    }
    const blobs: BlobStore = { ...memoryBlobStore(), openBlob: async () => content() };
    const { begin, path, store, actor, budget } = await world(host, blobs);
    const { businessId } = actor;
    await store.commit(insertAttachmentCommit(anAttachment({ businessId, budgetId: budget.id, id: "9001" }), 1, 100));
    expect(await statusOn(begin("HEAD", `${path}/9001`, {}))).toBe(200);
    expect(began).toBe(false);
  });
});
