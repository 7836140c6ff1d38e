import { generateKeyPairSync } from "node:crypto";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { createBudgetService } from "./create-service.js";
import { DAY_MS } from "./kernel/clock.js";
import type { LedgerPosition } from "./ledger/ledger-store.js";
import type { SigningKey } from "./signing/signing-key.js";
import { loadJose } from "./signing/signing-keys.js";

const SECRET = "a secret for tests that is long enough";

/** A ledger of four entries, of which the first two can be removed by hand. */
async function world() {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const store = memoryStore();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const service = createBudgetService({ store, clock, secret: SECRET, random: seededRandom(3), onError });
  await store.migrate();
  const { id } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: id } as const;
  (await service.customers.create(actor, { name: "Ana" }))._unsafeUnwrap();
  const { head } = await service.ledger.check(id);
  const checkpoint = JSON.stringify((await service.ledger.checkpoint(actor))._unsafeUnwrap());
  for (const name of ["Bea", "Eva"]) (await service.customers.create(actor, { name }))._unsafeUnwrap();
  const faultOf = async () => (await service.ledger.check(id)).fault;
  return { clock, store, service, errors, actor, id, head, checkpoint, faultOf };
}

/** A checkpoint as retention signs it, by a key pair of someone who can write to the database but has no secret. */
async function forgedCheckpoint(businessId: string, { sequence, hash }: LedgerPosition, givenKid?: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const kid = givenKid ?? "forged";
  const claims = { type: "budgetkit.ledger.v1", businessId, sequence, hash, removed: true };
  const { FlattenedSign } = await loadJose();
  const jws = await new FlattenedSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: "EdDSA", kid })
    .sign(privateKey);
  return { checkpoint: JSON.stringify(jws), kid, publicKey: x };
}

const UNVERIFIABLE =
  "the checkpoint of the removed entries cannot be verified: no secret of the service proves the key that signed it";

/** What someone can add to the keys of the database, beside the one that the service has made. */
const ADDED_KEYS: readonly (readonly [what: string, added: (own: SigningKey) => Partial<SigningKey>])[] = [
  ["a made-up private part", () => ({ number: 2, sealedPrivateKey: "v1.AAAA" })],
  ["the private part of another key", ({ sealedPrivateKey }) => ({ number: 2, sealedPrivateKey })],
  ["the id and the private part of another key", ({ kid, sealedPrivateKey }) => ({ number: 0, kid, sealedPrivateKey })],
];

describe("The checkpoint of the removed entries", () => {
  it("reports an unsigned checkpoint of removed ledger entries", async () => {
    const { store, id, head, checkpoint, faultOf } = await world();
    const changed = checkpoint.replace('"signature":"', '"signature":"AAAA');
    await store.pruneLedger(id, { ...head, checkpoint: changed }, 0);
    const says = "the checkpoint of the removed entries is not valid: signature does not match";
    expect(await faultOf()).toEqual({ kind: "removed", sequence: 2, says });
  });

  it.each(["{}", "null", "not JSON"])("reports %s where retention's checkpoint should be", async (checkpoint) => {
    const { store, id, head, faultOf } = await world();
    await store.pruneLedger(id, { ...head, checkpoint }, 0);
    expect((await faultOf())?.says).toContain("is not valid");
  });

  it("reports a checkpoint of another entry than the one before the first that is kept", async () => {
    const { store, service, actor, id, head, faultOf } = await world();
    const later = JSON.stringify((await service.ledger.checkpoint(actor))._unsafeUnwrap());
    await store.pruneLedger(id, { ...head, checkpoint: later }, 0);
    expect((await faultOf())?.says).toContain("is of another entry");
  });

  it("reports a checkpoint that does not state the removal by retention", async () => {
    const { store, id, head, checkpoint, faultOf } = await world();
    await store.pruneLedger(id, { ...head, checkpoint }, 0);
    expect((await faultOf())?.says).toContain("does not say that retention removed them");
  });

  it("retention keeps an invalid checkpoint, so that the fault stays visible", async () => {
    const { store, service, clock, errors, actor, id, head, checkpoint, faultOf } = await world();
    await store.pruneLedger(id, { ...head, checkpoint }, 0);
    clock.advance(40 * DAY_MS);
    await service.tick();
    (await service.customers.create(actor, { name: "Ida" }))._unsafeUnwrap();
    await service.tick();
    expect(await service.ledger.check(id)).toMatchObject({ entries: 3, start: { ...head, checkpoint } });
    expect((await faultOf())?.kind).toBe("removed");
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toContain("does not say that retention removed them");
  });

  it.each(ADDED_KEYS)("reports a checkpoint by a key with %s, and never replaces it", async (_what, added) => {
    const { store, service, clock, errors, actor, id, head, faultOf } = await world();
    const [own] = await store.listSigningKeys();
    if (own === undefined) throw new Error("the service has signed");
    const row = { ...own, ...added(own) };
    const { checkpoint, kid, publicKey } = await forgedCheckpoint(id, head, row.number === 0 ? own.kid : undefined);
    await store.insertSigningKey({ ...row, kid, publicKey });
    await store.pruneLedger(id, { ...head, checkpoint }, 0);
    const fault = { kind: "removed", sequence: 2, says: UNVERIFIABLE };
    expect(await faultOf()).toEqual(fault);
    clock.advance(40 * DAY_MS);
    (await service.customers.create(actor, { name: "Ida" }))._unsafeUnwrap();
    await service.tick();
    expect(await service.ledger.check(id)).toMatchObject({ entries: 3, start: { ...head, checkpoint }, fault });
    expect(errors.map(String)).toEqual([`Error: ledger of the business ${id}: ${UNVERIFIABLE}`]);
  });

  it("verifies a checkpoint only with the secret that encrypted its key, current or former", async () => {
    const { store, service, clock, id, faultOf } = await world();
    clock.advance(40 * DAY_MS);
    await service.tick();
    expect(await faultOf()).toBeNull();
    const other = "another secret for tests, as long as that";
    const checkWith = (secret: string | readonly [string, string]) =>
      createBudgetService({ store, clock, secret }).ledger.check(id);
    expect(await checkWith([other, SECRET])).toMatchObject({ start: { sequence: 4 }, fault: null });
    expect((await checkWith(other)).fault?.says).toBe(UNVERIFIABLE);
  });
});
