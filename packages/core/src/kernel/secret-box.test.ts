import { createDecipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Random, systemRandom } from "./random.js";
import { deriveSecrets, sha256Hex } from "./secret-box.js";

const { box } = deriveSecrets(["first"], systemRandom);

describe("a secret box", () => {
  it.each(["", "plain", "ñandú 🦤", "x".repeat(100_000)])("a secret box opens what it sealed (%#)", (plaintext) => {
    expect(box.open(box.seal(plaintext, "row:1"), "row:1")).toBe(plaintext);
  });

  it("a secret box seals the same text differently each time and never shows it", () => {
    const sealed = box.seal("whsec_plain", "row:1");
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(sealed).not.toBe(box.seal("whsec_plain", "row:1"));
    expect(Buffer.from(sealed.slice(3), "base64url").toString("latin1")).not.toContain("whsec");
  });

  it("a secret box opens no text that was moved to another row", () => {
    expect(box.open(box.seal("plain", "row:1"), "row:2")).toBeNull();
  });

  it("a secret box opens no text whose nonce, content or tag was changed", () => {
    const bytes = Buffer.from(box.seal("plain", "row:1").slice(3), "base64url");
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(box.open(`v1.${changed.toString("base64url")}`, "row:1")).toBeNull();
    }
  });

  it.each(["", "plain", "v1.", "v1.AAAA", "v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])(
    "a secret box does not open %j",
    (text) => {
      expect(box.open(text, "row:1")).toBeNull();
    },
  );

  it("a secret box opens under every listed secret and seals under the first", () => {
    const old = deriveSecrets(["old"], systemRandom).box;
    const rotated = deriveSecrets(["new", "older", "old"], systemRandom).box;
    expect(rotated.open(old.seal("plain", "row"), "row")).toBe("plain");
    expect(old.open(rotated.seal("plain", "row"), "row")).toBeNull();
    expect(deriveSecrets(["new"], systemRandom).box.open(rotated.seal("plain", "row"), "row")).toBe("plain");
  });

  it("a secret box draws a new nonce from the given randomness for each text", () => {
    let calls = 0;
    const random: Random = { bytes: (size) => new Uint8Array(size).fill(++calls) };
    const counted = deriveSecrets(["first"], random).box;
    counted.seal("a", "row");
    counted.seal("a", "row");
    expect(calls).toBe(2);
  });
});

describe("deriveSecrets", () => {
  it("derives a token key for each secret, the first secret's first, and exposes no secret itself", () => {
    const { tokenKeys } = deriveSecrets(["new", "old"], systemRandom);
    expect(tokenKeys).toHaveLength(2);
    expect(tokenKeys[0]).toHaveLength(32);
    expect(tokenKeys[0]).toEqual(deriveSecrets(["new"], systemRandom).tokenKeys[0]);
    expect(tokenKeys[1]).toEqual(deriveSecrets(["old"], systemRandom).tokenKeys[0]);
    expect(tokenKeys[0]).not.toEqual(tokenKeys[1]);
  });

  it("derives different keys for encryption and for tokens", () => {
    const secrets = deriveSecrets(["first"], systemRandom);
    const sealed = Buffer.from(secrets.box.seal("plain", "row").slice(3), "base64url");
    const decipher = createDecipheriv("aes-256-gcm", secrets.tokenKeys[0], sealed.subarray(0, 12))
      .setAAD(Buffer.from("row"))
      .setAuthTag(sealed.subarray(-16));
    decipher.update(sealed.subarray(12, -16));
    expect(() => decipher.final()).toThrow();
  });

  it.each([[[]], [[""]], [["fine", ""]]])("deriveSecrets refuses to work without a secret: %j", (secrets) => {
    expect(() => deriveSecrets(secrets, systemRandom)).toThrow(RangeError);
  });
});

describe("sha256Hex", () => {
  it("sha256Hex agrees with the standard's example and hashes UTF-8", () => {
    expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256Hex("ñ")).toBe("024bb90888ca89a15a19e9bdd8c712bfb070465fce1ef25e43c170ea44fc5e5f");
  });
});
