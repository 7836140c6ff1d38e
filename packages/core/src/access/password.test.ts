import { describe, expect, it } from "vitest";
import { systemRandom } from "../kernel/random.js";
import { HasherOverloaded, isHasherOverloaded, scryptHasher } from "./password.js";

const hasher = scryptHasher(systemRandom, { cost: 2 });

describe("scryptHasher", () => {
  it("scryptHasher verifies the hashed password and no other", async () => {
    const hash = await hasher.hash("correct horse");
    expect(await hasher.verify("correct horse", hash)).toBe(true);
    expect(await hasher.verify("correct horsf", hash)).toBe(false);
    expect(await hasher.verify("", hash)).toBe(false);
  });

  it("scryptHasher salts: the same password hashes differently each time", async () => {
    expect(await hasher.hash("correct horse")).not.toBe(await hasher.hash("correct horse"));
  });

  it("scryptHasher writes its parameters into the hash and never the password", async () => {
    const hash = await hasher.hash("correct horse");
    expect(hash).toMatch(/^\$scrypt\$ln=1,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(hash).not.toContain("correct");
  });

  it("scryptHasher verifies hashes of another implementation of scrypt (Python's hashlib)", async () => {
    const stored = "$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$+5m05pJoAgjtCmaW0ytJUWH0AWt/Qlwmsu4rd3UdhBA";
    expect(await hasher.verify("contraseña", stored)).toBe(true);
    expect(await hasher.verify("contrasena", stored)).toBe(false);
  });

  it("scryptHasher treats the same characters from different keyboards as the same password", async () => {
    expect(await hasher.verify("contrase\u006e\u0303a", await hasher.hash("contrase\u00f1a"))).toBe(true);
  });

  it("scryptHasher verifies hashes of another cost and requests their renewal", async () => {
    const cheaper = await hasher.hash("correct horse");
    const dearer = scryptHasher(systemRandom, { cost: 4 });
    expect(await dearer.verify("correct horse", cheaper)).toBe(true);
    expect(dearer.needsRehash(cheaper)).toBe(true);
    expect(dearer.needsRehash(await dearer.hash("correct horse"))).toBe(false);
  });

  it("scryptHasher uses a cost of 2^17 by default", () => {
    expect(scryptHasher(systemRandom).needsRehash("$scrypt$ln=17,r=8,p=1$salt$hash")).toBe(false);
    expect(scryptHasher(systemRandom).needsRehash("$scrypt$ln=16,r=8,p=1$salt$hash")).toBe(true);
    expect(scryptHasher(systemRandom).needsRehash("$2b$10$abcdefghijklmnopqrstuv")).toBe(true);
  });

  it.each([
    "",
    "correct horse",
    "$2b$10$abcdefghijklmnopqrstuv",
    `$scrypt$ln=21,r=8,p=1$${"A".repeat(22)}$${"A".repeat(43)}`,
    `$scrypt$ln=0,r=8,p=1$${"A".repeat(22)}$${"A".repeat(43)}`,
    `$scrypt$ln=1,r=9,p=1$${"A".repeat(22)}$${"A".repeat(43)}`,
    `$scrypt$ln=1,r=8,p=1$${"A".repeat(22)}$`,
  ])("scryptHasher verifies no password against %j, a hash of another format", async (hash) => {
    expect(await hasher.verify("correct horse", hash)).toBe(false);
  });

  it.each([
    [{}, 2],
    [{ concurrency: 5 }, 5],
  ])("scryptHasher computes %j hashes at once, lets 64 wait and rejects others", async (options, concurrency) => {
    const busy = scryptHasher(systemRandom, { cost: 2, ...options });
    const hash = await busy.hash("correct horse");
    const hashes = Array.from({ length: 70 }, () => busy.hash("correct horse"));
    const refused = (await Promise.allSettled([...hashes, busy.verify("correct horse", hash)])).flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason] : [],
    );
    expect(refused).toHaveLength(71 - 64 - concurrency);
    for (const reason of refused) expect(reason).toBeInstanceOf(HasherOverloaded);
    expect(await busy.verify("correct horse", hash)).toBe(true);
  });

  it("recognises HasherOverloaded by name, from ESM and CommonJS alike", () => {
    class HasherOverloaded extends Error {
      override readonly name = "HasherOverloaded";
    }
    expect(isHasherOverloaded(new HasherOverloaded())).toBe(true);
    expect(isHasherOverloaded(new Error("HasherOverloaded"))).toBe(false);
    expect(isHasherOverloaded("HasherOverloaded")).toBe(false);
  });

  it.each([0, -1, 1.5, Number.NaN])("scryptHasher refuses a concurrency of %s", (concurrency) => {
    expect(() => scryptHasher(systemRandom, { concurrency })).toThrow(RangeError);
  });

  it.each([0, 1, 3, 1.5, -2, 2 ** 21, Number.NaN])("scryptHasher refuses a cost of %s", (cost) => {
    expect(() => scryptHasher(systemRandom, { cost })).toThrow(RangeError);
  });
});
