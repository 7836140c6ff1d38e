import { describe, expect, it } from "vitest";
import { randomToken } from "./random.js";

describe("randomToken", () => {
  it("randomToken writes the drawn bytes in base64url, without padding", () => {
    expect(randomToken({ bytes: (size) => new Uint8Array(size).fill(0xfb) }, 4)).toBe("-_v7-w");
  });
});
