import { seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { systemRandom } from "../../kernel/random.js";
import { hashKey, isWellFormedKey, mintKey } from "./key-format.js";

const random = seededRandom(3);

describe("mintKey", () => {
  it("mintKey makes keys of 32 random digits and a checksum, and shows their beginning as the prefix", () => {
    const { key, keyPrefix, keyHash } = mintKey(systemRandom);
    expect(key).toMatch(/^bgk_live_[0-9A-Za-z]{38}$/);
    expect(keyPrefix).toBe(key.slice(0, 12));
    expect(keyHash).toBe(hashKey(key));
    expect(keyHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("accepts a key minted by this version in every later version", () => {
    expect(mintKey({ bytes: (size) => new Uint8Array(size) }).key).toBe(
      "bgk_live_000000000000000000000000000000000gDJFg",
    );
  });

  it("mintKey draws every digit with the same probability", () => {
    const counts = new Map<string, number>();
    const keys = 6_200;
    for (let index = 0; index < keys; index += 1) {
      for (const digit of mintKey(random).key.slice(9, 41)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    const expected = (keys * 32) / 62; // 3,200, with a standard deviation of about 56
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(5 * 56);
  });

  it("mintKey skips the bytes that would favour the first digits", () => {
    let draws = 0;
    const key = mintKey({ bytes: (size) => new Uint8Array(size).fill(draws++ < 3 ? 248 : 61) }).key;
    expect(key.slice(9, 41)).toBe("z".repeat(32));
  });
});

describe("isWellFormedKey", () => {
  const { key } = mintKey(random);

  it("isWellFormedKey accepts minted keys", () => {
    for (let index = 0; index < 1_000; index += 1) expect(isWellFormedKey(mintKey(random).key)).toBe(true);
  });

  it("isWellFormedKey refuses a key with any one digit mistyped", () => {
    for (let index = 9; index < key.length; index += 1) {
      const other = key.charAt(index) === "a" ? "b" : "a";
      expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  it.each([
    "",
    "bgk_live_",
    key.slice(1),
    `${key}a`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace("live", "test"),
  ])("isWellFormedKey refuses %j", (text) => {
    expect(isWellFormedKey(text)).toBe(false);
  });
});
