import { describe, expect, it } from "vitest";
import { readableBodyOf, streamFetchBody } from "./byte-stream.js";

/** Ten chunks, and a record of their reads. */
function watched() {
  const seen = { asked: 0, ended: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < 10; index += 1) {
        seen.asked += 1;
        yield Uint8Array.of(index);
      }
    } finally {
      seen.ended = true;
    }
  }
  return { seen, chunks };
}

describe("readableBodyOf", () => {
  it("readableBodyOf returns text and null unchanged", () => {
    expect([readableBodyOf("text"), readableBodyOf(""), readableBodyOf(null)]).toEqual(["text", "", null]);
  });

  it("readableBodyOf reads one chunk at a time, on demand", async () => {
    const { seen, chunks } = watched();
    const body = new Response(readableBodyOf(chunks())).body;
    await new Promise(setImmediate);
    expect(seen.asked).toBe(0);
    const reader = body?.getReader();
    for (const index of [0, 1, 2]) {
      expect(await reader?.read()).toEqual({ done: false, value: Uint8Array.of(index) });
      await new Promise(setImmediate);
      expect(seen.asked).toBe(index + 1);
    }
  });

  it("readableBodyOf ends the iteration when the client disconnects", async () => {
    const { seen, chunks } = watched();
    const reader = new Response(readableBodyOf(chunks())).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(seen).toEqual({ asked: 1, ended: true });
  });

  it("readableBodyOf fails when the iteration fails", async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      throw new Error("gone");
    }
    await expect(new Response(readableBodyOf(breaking())).arrayBuffer()).rejects.toThrow("gone");
  });
});

describe("streamFetchBody", () => {
  const requestOf = (chunks: () => AsyncGenerator<Uint8Array>) =>
    new Request("https://host.example/", { method: "POST", body: readableBodyOf(chunks()), duplex: "half" });

  it("streamFetchBody yields the chunks, and nothing for a request without a body", async () => {
    const given: number[] = [];
    for await (const chunk of streamFetchBody(requestOf(watched().chunks))) given.push(...chunk);
    expect(given).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for await (const _ of streamFetchBody(new Request("https://host.example/"))) expect.unreachable();
  });

  it("streamFetchBody reads on demand, and cancels the rest", async () => {
    const { seen, chunks } = watched();
    for await (const chunk of streamFetchBody(requestOf(chunks))) {
      expect(chunk).toEqual(Uint8Array.of(0));
      break;
    }
    expect(seen.asked).toBeLessThanOrEqual(2);
    expect(seen.ended).toBe(true);
  });

  it("streamFetchBody throws the error of the body", async () => {
    const broken = requestOf(async function* () {
      yield Uint8Array.of(1);
      throw new Error("gone");
    });
    const read = async () => {
      for await (const _ of streamFetchBody(broken));
    };
    await expect(read()).rejects.toThrow("gone");
  });
});
