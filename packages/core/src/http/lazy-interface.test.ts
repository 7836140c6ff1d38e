import { seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { lazyInterface } from "./lazy-interface.js";
import type { ApiRequest } from "./message.js";

const request: ApiRequest = {
  method: "GET",
  target: "/v1/",
  header: () => null,
  readBody: async () => new Uint8Array(),
  streamBody: async function* () {},
  peerAddress: null,
  original: null,
};

describe("a lazily loaded interface", () => {
  it("loads a lazy interface once for concurrent requests", async () => {
    let loads = 0;
    const { handle, load } = lazyInterface(
      async () => {
        loads += 1;
        return async ({ target }) => ({ status: 200, headers: {}, body: target });
      },
      { random: seededRandom(1), onError: () => {} },
    );
    const responses = await Promise.all([handle(request), handle(request)]);
    await load();
    expect(responses.map(({ body }) => body)).toEqual(["/v1/", "/v1/"]);
    expect(loads).toBe(1);
  });

  it("a lazy interface responds with 500 while loading fails, and reports the cause to the host alone", async () => {
    const reported: [unknown, string][] = [];
    let isFailing = true;
    const { handle } = lazyInterface(
      async () => {
        if (isFailing) throw new Error("no file is left at /srv/app");
        return async () => ({ status: 204, headers: {}, body: null });
      },
      { random: seededRandom(1), onError: (error, requestId) => reported.push([error, requestId]) },
    );
    const response = await handle(request);
    const [error, requestId] = reported[0] ?? [];
    expect(response).toEqual({
      status: 500,
      headers: { "content-type": "application/json; charset=utf-8", "x-request-id": requestId },
      body: expect.stringContaining(`"details":{"requestId":"${requestId}"}`),
    });
    expect(response.body).not.toContain("/srv");
    expect(error).toEqual(new Error("no file is left at /srv/app"));
    isFailing = false;
    expect(await handle(request)).toMatchObject({ status: 204 });
  });
});
