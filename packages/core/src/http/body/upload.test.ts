import { aFileForm, aForm, manualClock, memoryBlobStore, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { BlobStore } from "../../attachments/blob-store.js";
import { createBudgetService } from "../../create-service.js";
import { StoreUnavailable } from "../../kernel/problem.js";
import { UPLOAD_WINDOW, uploadSubject } from "../../limits/upload-quota.js";
import type { Store } from "../../store.js";
import { endingCommits } from "../../testing/ending-commits.js";
import type { ApiRequest, ApiResponse } from "../message.js";

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
const CHUNK = 64 * 1024;

interface Parts {
  readonly blobs?: BlobStore | null;
  readonly store?: Store;
}

/** A service with a manual clock, a budget and a key, and a function that uploads a stream. */
async function world({ blobs = memoryBlobStore(), store = memoryStore() }: Parts = {}) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const errors: unknown[] = [];
  const service = createBudgetService({
    store,
    clock,
    ...(blobs === null ? {} : { blobs }),
    secret: "a secret of at least thirty-two characters",
    random: seededRandom(1),
    onError: (error) => errors.push(error),
  });
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"] as const;
  const key = (await service.keys.create(actor, { name: "Shop", scopes: [...scopes] }))._unsafeUnwrap();
  const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
  const budget = (await service.budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
  const path = `/api/public/budgets/${budget.id}/attachments`;
  const ask = (method: string, body: () => AsyncIterable<Uint8Array>, target = path): Promise<ApiResponse> => {
    const headers: Readonly<Record<string, string>> = { ...aFileForm("").headers, authorization: `Bearer ${key.key}` };
    const request: ApiRequest = {
      method,
      target,
      header: (name) => headers[name] ?? null,
      readBody: async () => new Uint8Array(),
      streamBody: body,
      peerAddress: null,
      original: null,
    };
    return service.handle(request);
  };
  return { service, store, blobs, clock, errors, actor, key, budget, path, ask };
}

/** A form with `content` as its file, and the chunks that were read of it. */
function formOf(content: AsyncIterable<Uint8Array>) {
  const [head = "", tail = ""] = Buffer.from(aFileForm("\u0000").body).toString("latin1").split("\u0000");
  const asked = { bytes: 0, chunks: 0, ended: false };
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(head);
      for await (const chunk of content) {
        asked.bytes += chunk.byteLength;
        asked.chunks += 1;
        yield chunk;
      }
      yield Buffer.from(tail);
    } finally {
      asked.ended = true;
    }
  }
  return { body, asked };
}

async function* repeated(times: number, beforeChunk: (time: number) => unknown = () => {}): AsyncGenerator<Uint8Array> {
  for (let time = 0; time < times; time += 1) {
    await beforeChunk(time);
    yield new Uint8Array(CHUNK).fill(time);
  }
}

const statusOf = async (response: Promise<ApiResponse>) => (await response).status;

describe("an upload", () => {
  it("is read at the pace of the store, without buffering", async () => {
    let stored = 0;
    let mostAhead = 0;
    const memory = memoryBlobStore();
    const form = formOf(repeated((20 * MIB) / CHUNK));
    const slow: BlobStore = {
      ...memory,
      writeBlob: async (_id, content) => {
        for await (const chunk of content) {
          await new Promise(setImmediate); // everybody who could run ahead does
          stored += chunk.byteLength;
          mostAhead = Math.max(mostAhead, form.asked.bytes - stored);
        }
      },
    };
    const { ask } = await world({ blobs: slow });
    expect(await statusOf(ask("POST", form.body))).toBe(201);
    expect(stored).toBe(20 * MIB);
    expect(mostAhead).toBeLessThanOrEqual(4 * CHUNK);
  });

  it("without an end is cut off at the size limit", async () => {
    const { ask, blobs, clock } = await world();
    const form = formOf(repeated(Number.POSITIVE_INFINITY));
    expect(await statusOf(ask("POST", form.body))).toBe(413);
    await new Promise(setImmediate);
    expect(form.asked.ended).toBe(true);
    expect(form.asked.bytes).toBeLessThanOrEqual(25 * MIB + 4 * CHUNK);
    expect(await blobs?.findBlobsBefore(clock.now() + 1, null, 10)).toEqual({ ids: [], next: null });
  });

  it("is not read at all if it is refused beforehand", async () => {
    const { ask, path, service, actor, budget } = await world();
    const form = formOf(repeated(1));
    expect(await statusOf(ask("POST", form.body, path.replace(budget.id, "999")))).toBe(404);
    await service.budgets.delete(actor, budget.id);
    expect(await statusOf(ask("POST", form.body))).toBe(404);
    expect(form.asked.chunks).toBe(0);
  });

  it("of a client that disconnects leaves nothing behind, and is no failure of the service", async () => {
    const { ask, blobs, clock, errors, service, actor, budget } = await world();
    const form = formOf(
      repeated(9, (time) => {
        if (time === 5) throw new Error("the client went away");
      }),
    );
    const response = await ask("POST", form.body);
    expect([response.status, String(response.body)]).toEqual([400, expect.stringContaining("The body is incomplete")]);
    expect(await blobs?.findBlobsBefore(clock.now() + 1, null, 10)).toEqual({ ids: [], next: null });
    expect((await service.attachments.list(actor, budget.id))._unsafeUnwrap().data).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("of more than half an hour is refused", async () => {
    const { ask, clock, blobs } = await world();
    const response = await ask("POST", formOf(repeated(9, () => clock.advance(4 * MINUTE_MS))).body);
    expect([response.status, String(response.body)]).toEqual([400, expect.stringContaining("longer than 30 minutes")]);
    expect((await blobs?.findBlobsBefore(clock.now() + 1, null, 10))?.ids).toEqual([]);
    expect(await statusOf(ask("POST", formOf(repeated(7, () => clock.advance(4 * MINUTE_MS))).body))).toBe(201);
  });

  it("is refused when its key was revoked, or its budget deleted, during the upload", async () => {
    for (const [status, act] of [
      [401, "revoke"],
      [404, "delete"],
    ] as const) {
      const { ask, service, actor, key, budget, blobs, clock } = await world();
      const beforeChunk = async (time: number) => {
        if (time !== 3) return;
        if (act === "revoke") await service.keys.revoke(actor, key.id);
        else await service.budgets.delete(actor, budget.id);
      };
      expect(await statusOf(ask("POST", formOf(repeated(5, beforeChunk)).body))).toBe(status);
      expect((await blobs?.findBlobsBefore(clock.now() + 1, null, 10))?.ids).toEqual([]);
    }
  });

  it("is dated by its end", async () => {
    const { ask, clock, service, actor, budget } = await world();
    await ask("POST", formOf(repeated(2, () => clock.advance(MINUTE_MS))).body);
    const [attachment] = (await service.attachments.list(actor, budget.id))._unsafeUnwrap().data;
    expect(attachment?.createdAt).toBe("2026-03-02T12:02:00.000Z");
  });

  it("gets a 503 when the disk is full, and a 500 when the blob store fails", async () => {
    for (const [status, error] of [
      [503, new StoreUnavailable("full")],
      [500, new Error("broken")],
    ] as const) {
      const broken: BlobStore = { ...memoryBlobStore(), writeBlob: () => Promise.reject(error) };
      const { ask, errors } = await world({ blobs: broken });
      expect(await statusOf(ask("POST", formOf(repeated(1)).body))).toBe(status);
      expect(errors).toEqual([error]);
    }
  });

  it("gets a 503 when the quota cannot be read", async () => {
    const store = memoryStore();
    const failing: Store = { ...store, holdUpload: () => Promise.reject(new StoreUnavailable("locked")) };
    const { ask } = await world({ store: failing });
    expect(await statusOf(ask("POST", formOf(repeated(1)).body))).toBe(503);
    let calls = 0;
    const later: Store = {
      ...memoryStore(),
      holdUpload: async (_subject, { needed }, _window, now) => {
        calls += 1;
        if (calls > 1) throw new StoreUnavailable("locked");
        return { held: needed, room: 0, fitsAt: now };
      },
    };
    expect(await statusOf((await world({ store: later })).ask("POST", formOf(repeated(3)).body))).toBe(503);
  });

  it("succeeds although its quota cannot be settled: the reservation counts instead", async () => {
    const failing: Store = { ...memoryStore(), settleUpload: () => Promise.reject(new Error("locked")) };
    const { ask, errors } = await world({ store: failing });
    expect(await statusOf(ask("POST", formOf(repeated(1)).body))).toBe(201);
    expect(errors).toEqual([new Error("locked")]);
  });

  it("charges nothing when it breaks off or the blob store fails, and its bytes when the commit is uncertain", async () => {
    const failing = (): never => {
      throw new Error("broken");
    };
    const roomAfter = async (options: Parameters<typeof world>[0], chunks: AsyncGenerator<Uint8Array>) => {
      const { ask, store, clock, actor, key } = await world(options);
      expect(await statusOf(ask("POST", formOf(chunks).body))).not.toBe(201);
      const hold = { id: "probe", needed: 0, wanted: 0 };
      const subject = uploadSubject(actor.businessId, key.id);
      const { room } = await store.holdUpload(subject, hold, UPLOAD_WINDOW, clock.now());
      return UPLOAD_WINDOW.limit - room;
    };
    expect(
      await roomAfter(
        {},
        repeated(9, (time) => (time === 5 ? failing() : null)),
      ),
    ).toBe(0);
    expect(await roomAfter({ blobs: { ...memoryBlobStore(), writeBlob: failing } }, repeated(3))).toBe(0);
    const uncertain = endingCommits(memoryStore(), "attachment", failing);
    expect(await roomAfter({ store: uncertain }, repeated(3))).toBe(3 * CHUNK);
  });

  it("leaves its blob to maintenance when the commit is uncertain", async () => {
    const lose = () => Promise.reject(new Error("connection lost"));
    const { ask, blobs, clock, service } = await world({ store: endingCommits(memoryStore(), "attachment", lose) });
    expect(await statusOf(ask("POST", formOf(repeated(1)).body))).toBe(500);
    const kept = async () => (await blobs?.findBlobsBefore(clock.now() + 1, null, 10))?.ids.length;
    clock.advance(60 * MINUTE_MS);
    await service.tick();
    expect(await kept()).toBe(1);
    clock.advance(1);
    await service.tick();
    expect(await kept()).toBe(0);
  });

  it("is refused without a blob store, like every operation on files", async () => {
    const { ask, path } = await world({ blobs: null });
    const form = formOf(repeated(1));
    for (const [method, target] of [
      ["POST", path],
      ["GET", path],
      ["GET", `${path}/1`],
      ["DELETE", `${path}/1`],
    ] as const) {
      const response = await ask(method, form.body, target);
      expect(response.status).toBe(501);
      expect(JSON.parse(String(response.body))).toMatchObject({ error: "not_implemented" });
    }
    expect(form.asked.chunks).toBe(0);
  });

  it("is found in its form even in chunks of one byte", async () => {
    const { ask, service, actor, budget } = await world();
    const { body } = aForm({ name: "note", content: "x" }, { name: "file", fileName: "a.txt", content: "abc\r\n--" });
    async function* bytewise(): AsyncGenerator<Uint8Array> {
      for (const byte of body) yield Uint8Array.of(byte);
    }
    expect(await statusOf(ask("POST", bytewise))).toBe(201);
    const [attachment] = (await service.attachments.list(actor, budget.id))._unsafeUnwrap().data;
    const opened = (await service.attachments.open(actor, budget.id, attachment?.id ?? ""))._unsafeUnwrap();
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.content) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("abc\r\n--");
  });
});
