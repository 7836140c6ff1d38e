import { describe, expect, it } from "vitest";
import { readFetchBody, targetOf, toFetchHandler } from "./fetch.js";
import type { ApiRequest } from "./message.js";

/** A handler that responds with its request. */
async function echo({ method, target, peerAddress }: ApiRequest) {
  return { status: 200, headers: { "x-method": method }, body: `${target} ${peerAddress}` };
}

async function textOf(handler: (request: Request) => Promise<Response>, url: string): Promise<string> {
  return (await handler(new Request(url))).text();
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull: (controller) => {
      const chunk = chunks[next++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

function posting(body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  const init: RequestInit = { method: "POST", body, headers, duplex: "half" };
  return new Request("https://host.example/", init);
}

describe("targetOf", () => {
  it.each([
    ["https://host.example/v1/a%2Fb?c=d%20e", "/v1/a%2Fb?c=d%20e"],
    ["https://host.example", "/"],
    ["https://host.example/a?b=c#d", "/a?b=c"],
    ["https://host.example/a//b", "/a//b"],
    ["http://host.example?a=b", "/?a=b"],
    ["HTTP://host.example#a/b", "/"],
    ["/a?b=http://host.example/c#d", "/a?b=http://host.example/c"],
    ["//host.example/a", "//host.example/a"],
    ["*", "*"],
  ])("targetOf reads %s as %s", (url, target) => {
    expect(targetOf(url)).toBe(target);
  });
});

describe("toFetchHandler", () => {
  it("toFetchHandler passes on the path, the query and the known address", async () => {
    expect(await textOf(toFetchHandler(echo), "https://host.example/v1/x?y=z")).toBe("/v1/x?y=z null");
    const knowing = toFetchHandler(echo, { peerAddress: () => "192.0.2.1" });
    expect(await textOf(knowing, "https://host.example/x")).toBe("/x 192.0.2.1");
  });

  it("toFetchHandler reads the address from the connection argument", async () => {
    const request = () => new Request("https://host.example/x");
    const response = await toFetchHandler(echo)(request(), { peerAddress: "192.0.2.2" });
    expect(await response.text()).toBe("/x 192.0.2.2");
    const knowing = toFetchHandler(echo, { peerAddress: () => "192.0.2.1" });
    expect(await (await knowing(request(), { peerAddress: undefined })).text()).toBe("/x 192.0.2.1");
  });

  it("toFetchHandler removes its base path, and no other", async () => {
    const mounted = toFetchHandler(echo, { basePath: "/quotes/" });
    expect(await textOf(mounted, "https://host.example/quotes/v1/x")).toBe("/v1/x null");
    expect(await textOf(mounted, "https://host.example/quotes")).toBe("/ null");
    expect(await textOf(mounted, "https://host.example/quotes?a=b")).toBe("/?a=b null");
    expect(await textOf(mounted, "https://host.example/quotesx")).toBe("/quotesx null");
    expect(await textOf(mounted, "https://host.example/other")).toBe("/other null");
  });
});

describe("readFetchBody", () => {
  const chunk = new Uint8Array(600).fill(97);

  it("readFetchBody reads a body up to the limit, with or without a Content-Length", async () => {
    expect(await readFetchBody(posting("abc", { "content-length": "3" }), 3)).toEqual(Buffer.from("abc"));
    const streamed = await readFetchBody(posting(streamOf([chunk, chunk])), 1_200);
    expect(streamed).toHaveLength(1_200);
    expect(await readFetchBody(new Request("https://host.example/", { method: "POST" }), 1)).toHaveLength(0);
  });

  it("readFetchBody stops at the limit", async () => {
    expect(await readFetchBody(posting("abc", { "content-length": "4" }), 3)).toBe("too-large");
    expect(await readFetchBody(posting("abcd", { "content-length": "3" }), 3)).toBe("too-large");
    let drawn = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          drawn += 1;
          if (drawn > 50) controller.close();
          else controller.enqueue(chunk);
        },
      });
    for (const headers of [{}, { "content-length": "3" }, { "content-length": "many" }]) {
      drawn = 0;
      expect(await readFetchBody(posting(endless(), headers), 1_000)).toBe("too-large");
      expect(drawn).toBeLessThan(10);
    }
  });
});
