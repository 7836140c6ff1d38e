import { describe, expect, it } from "vitest";
import { randomToken, sha256Hex } from "./digest.js";

describe("sha256Hex", () => {
  it("agrees with the standard's example and hashes UTF-8", () => {
    expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256Hex("ñ")).toBe("024bb90888ca89a15a19e9bdd8c712bfb070465fce1ef25e43c170ea44fc5e5f");
  });
});

describe("randomToken", () => {
  it("writes the drawn bytes in base64url, without padding", () => {
    expect(randomToken({ bytes: (size) => new Uint8Array(size).fill(0xfb) }, 4)).toBe("-_v7-w");
  });
});
