import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../kernel/clock.js";
import { systemRandom } from "../kernel/random.js";
import { deriveSecrets } from "../kernel/secret-box.js";
import { createSigningKeys } from "./signing-keys.js";

/** Processes that share a store; each is given its secrets. */
function world() {
  const store = memoryStore();
  const clock = manualClock();
  const process = (...secrets: string[]) =>
    createSigningKeys({ store, clock, random: systemRandom, box: deriveSecrets(secrets, seededRandom(5)).box });
  return { store, clock, process };
}

const kidOf = ({ protected: header }: { protected: string }): string =>
  JSON.parse(Buffer.from(header, "base64url").toString()).kid;

describe("the signing keys of the service", () => {
  it("makes one signing key, though 16 processes need the first at the same time", async () => {
    const { store, process } = world();
    const signed = await Promise.all(Array.from({ length: 16 }, () => process("a").sign({ a: 1 })));
    expect(new Set(signed.map(kidOf)).size).toBe(1);
    expect(await store.listSigningKeys()).toHaveLength(1);
    expect(new Set(signed.map(({ signature }) => signature)).size).toBe(1); // Ed25519 is deterministic
  });

  it("publishes the signing key before the first signature, also when 16 processes request the key set", async () => {
    const { store, process } = world();
    const sets = await Promise.all(Array.from({ length: 16 }, () => process("a").publicKeySet()));
    const [key, ...others] = await store.listSigningKeys();
    expect(others).toEqual([]);
    for (const set of sets) expect(JSON.parse(set).keys).toMatchObject([{ kid: key?.kid, x: key?.publicKey }]);
    expect(kidOf(await process("a").sign(1))).toBe(key?.kid);
  });

  it("makes no new signing key for a key set where no secret decrypts the current one", async () => {
    const { store, process } = world();
    await process("old").rotate();
    await process("new").publicKeySet();
    expect(await store.listSigningKeys()).toHaveLength(1);
  });

  it("identifies each signing key by the thumbprint of RFC 7638", async () => {
    const { process } = world();
    const keys = process("a");
    await keys.rotate();
    const { calculateJwkThumbprint } = await import("jose");
    const [jwk] = JSON.parse(await keys.publicKeySet()).keys;
    expect(jwk.kid).toBe(await calculateJwkThumbprint(jwk));
  });

  it("reads forgotten signing keys again before the next signature", async () => {
    const { process } = world();
    const [here, there] = [process("a"), process("a")];
    await there.sign(1);
    const { kid } = await here.rotate();
    there.forget();
    expect(kidOf(await there.sign(1))).toBe(kid);
  });

  it("a rotation replaces the signing key at once, and in other processes within a minute", async () => {
    const { clock, process } = world();
    const [here, there] = [process("a"), process("a")];
    const first = kidOf(await here.sign(1));
    expect(kidOf(await there.sign(1))).toBe(first);
    const { kid } = await here.rotate();
    expect(kidOf(await here.sign(1))).toBe(kid);
    expect(kidOf(await there.sign(1))).toBe(first);
    clock.advance(MINUTE_MS);
    expect(kidOf(await there.sign(1))).toBe(kid);
    expect((await there.list()).map((key) => [key.kid, key.isCurrent])).toEqual([
      [kid, true],
      [first, false],
    ]);
  });

  it("reads a signing key with a former secret, and replaces one that no secret decrypts", async () => {
    const { process } = world();
    const first = kidOf(await process("old").sign(1));
    expect(kidOf(await process("new", "old").sign(1))).toBe(first);
    const second = kidOf(await process("new").sign(1));
    expect(second).not.toBe(first);
    expect(JSON.parse(await process("new").publicKeySet()).keys).toMatchObject([{ kid: second }, { kid: first }]);
  });

  it("stores each signing key encrypted for its own row", async () => {
    const { store, process } = world();
    await process("a").rotate();
    const [key] = await store.listSigningKeys();
    expect(key?.sealedPrivateKey).toMatch(/^v1\.[\w-]+$/);
    const { box } = deriveSecrets(["a"], seededRandom(5));
    expect(box.open(key?.sealedPrivateKey ?? "", `signing-key:${key?.kid}`)).toHaveLength(43);
    expect(box.open(key?.sealedPrivateKey ?? "", "signing-key:other")).toBeNull();
  });

  it("keeps no signing key that a transaction of a host may roll back", async () => {
    const { store, process } = world();
    const keys = process("a");
    const rolledBack = kidOf(await keys.within(memoryStore()).sign(1));
    const kept = kidOf(await keys.sign(1));
    expect(kept).not.toBe(rolledBack);
    expect((await store.listSigningKeys()).map(({ kid }) => kid)).toEqual([kept]);
  });
});
