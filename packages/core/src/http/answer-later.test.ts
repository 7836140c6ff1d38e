import { describe, expect, it } from "vitest";
import { seededRandom } from "../testing/seeded-random.js";
import { answerLater } from "./answer-later.js";
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

describe("an interface that is loaded later", () => {
  it("is loaded once, for all who ask at once", async () => {
    let loads = 0;
    const { handle, load } = answerLater(
      async () => {
        loads += 1;
        return async ({ target }) => ({ status: 200, headers: {}, body: target });
      },
      { random: seededRandom(1), onError: () => {} },
    );
    const answers = await Promise.all([handle(request), handle(request)]);
    await load();
    expect(answers.map(({ body }) => body)).toEqual(["/v1/", "/v1/"]);
    expect(loads).toBe(1);
  });

  it("answers 500 in its own shape while it cannot be loaded, and says why to nobody but the host", async () => {
    const told: [unknown, string][] = [];
    let isAway = true;
    const { handle } = answerLater(
      async () => {
        if (isAway) throw new Error("no file is left at /srv/app");
        return async () => ({ status: 204, headers: {}, body: null });
      },
      { random: seededRandom(1), onError: (error, requestId) => told.push([error, requestId]) },
    );
    const answer = await handle(request);
    const [error, requestId] = told[0] ?? [];
    expect(answer).toEqual({
      status: 500,
      headers: { "content-type": "application/json; charset=utf-8", "x-request-id": requestId },
      body: expect.stringContaining(`"details":{"requestId":"${requestId}"}`),
    });
    expect(answer.body).not.toContain("/srv");
    expect(error).toEqual(new Error("no file is left at /srv/app"));
    isAway = false;
    expect(await handle(request)).toMatchObject({ status: 204 });
  });
});
