import { describe, expect, it } from "vitest";
import { curlOf, requestOf } from "./delivery-request.js";

const delivery = { id: "4711", payload: { event: "budget.approved", data: { notes: 'it\'s `$HOME` \\ "x"' } } };

describe("requestOf", () => {
  it("shows the id and the time of the attempt, and no signature without the secret", () => {
    const { headers } = requestOf(delivery, "2026-11-26T16:47:08.402Z");
    expect(Object.fromEntries(headers)).toEqual({
      "content-type": "application/json",
      "webhook-id": "4711",
      "webhook-timestamp": "1795711628",
      "webhook-signature": "v1,…",
      "x-service-signature": "sha256=…",
    });
  });
});

describe("curlOf", () => {
  it("quotes every letter for a shell, and leaves out what is not known", () => {
    const command = curlOf("https://crm.example/hooks?a=1&b=$HOME", requestOf(delivery, null));
    expect(command.split(" \\\n  ")).toEqual([
      "curl -X POST 'https://crm.example/hooks?a=1&b=$HOME'",
      "-H 'content-type: application/json'",
      "-H 'webhook-id: 4711'",
      `--data-raw '{"event":"budget.approved","data":{"notes":"it'\\''s \`$HOME\` \\\\ \\"x\\""}}'`,
    ]);
  });
});
