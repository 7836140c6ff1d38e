import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Call } from "../kernel/call.js";
import { canonicalJson } from "../kernel/canonical-json.js";
import { type Clock, MINUTE_MS, toTimestamp } from "../kernel/clock.js";
import type { Random } from "../kernel/random.js";
import { type SecretBox, sha256Hex } from "../kernel/secret-box.js";
import { memoizedSingleFlight } from "../kernel/single-flight.js";
import type { SigningKey, SigningKeyStore } from "./signing-key.js";

export const loadJose = memoizedSingleFlight(() => import("./jose.js"));

/** A JWS in the flattened JSON form (RFC 7515). Its members in this order are its canonical JSON. */
export interface FlattenedJws {
  /** Base64url of the canonical JSON that is signed. */
  readonly payload: string;
  /** Base64url of the header, which names the algorithm and the key. */
  readonly protected: string;
  /** Base64url of the signature. */
  readonly signature: string;
}

/** The key that signs now. */
interface Signer {
  readonly kid: string;
  readonly key: KeyObject;
}

interface KeyParts {
  readonly store: SigningKeyStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly box: SecretBox;
}

/** A signing key without its private part. */
export interface SigningKeyView {
  /** The name of the key in what it signed. */
  readonly kid: string;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** True for the key that signs. */
  readonly isCurrent: boolean;
}

/** The keys with which the service signs. The first one is made when it is first needed. */
export interface SigningKeys {
  /** Signs the canonical JSON of `value` with EdDSA. */
  sign(value: unknown): Promise<FlattenedJws>;
  /** The same keys through a transaction of a host, which may roll a new key back: nothing is kept in memory. */
  within(store: SigningKeyStore): Pick<SigningKeys, "sign">;
  /** Reads the key that signs again before the next signature. */
  forget(): void;
  /** Makes a new key, which signs from now on; other processes sign with it within a minute. */
  rotate(): Promise<SigningKeyView>;
  /** All keys, the current one first. */
  list(): Promise<readonly SigningKeyView[]>;
  /** The public parts of all keys as a JSON Web Key Set (RFC 7517), the current one first. Makes the first key. */
  publicKeySet(): Promise<string>;
}

const KEPT_MS = MINUTE_MS;
const SEED_BYTES = 32;
/** A private key of Ed25519 in PKCS #8 is this, followed by its 32 bytes. Source: RFC 8410, section 7. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export function createSigningKeys(parts: KeyParts): SigningKeys {
  const { store, clock } = parts;
  let kept: { readonly signer: Signer; readonly at: number } | null = null;

  async function keptSigner(): Promise<Signer> {
    const at = clock.monotonicMs();
    if (kept === null || at - kept.at >= KEPT_MS) kept = { signer: await currentSigner(parts), at };
    return kept.signer;
  }

  return {
    sign: async (value) => signWith(await keptSigner(), value),
    within: (inTransaction) => ({
      sign: async (value) => signWith(await currentSigner({ ...parts, store: inTransaction }), value),
    }),
    forget: () => {
      kept = null;
    },
    rotate: async () => {
      for (;;) {
        const newest = (await store.listSigningKeys()).at(-1);
        const made = mintKey(parts, newest);
        if (!(await store.insertSigningKey(made))) continue; // another process was faster
        kept = null;
        return viewOf(made, made);
      }
    },
    list: async () => {
      const keys = await store.listSigningKeys();
      return keys.map((key) => viewOf(key, keys.at(-1))).reverse();
    },
    publicKeySet: async () => {
      let keys = await store.listSigningKeys();
      if (keys.length === 0) {
        await keptSigner(); // caches keep the set for minutes, and the first signature needs a key in it
        keys = await store.listSigningKeys();
      }
      return canonicalJson({ keys: keys.map(publicJwkOf).reverse() });
    },
  };
}

/** The newest key. Makes one when there is none, or when no configured secret decrypts it. */
async function currentSigner(parts: KeyParts): Promise<Signer> {
  for (;;) {
    const newest = (await parts.store.listSigningKeys()).at(-1);
    const seed = newest === undefined ? null : seedOf(parts.box, newest);
    if (newest !== undefined && seed !== null) return { kid: newest.kid, key: privateKeyOf(seed) };
    await parts.store.insertSigningKey(mintKey(parts, newest)); // where another process was faster, its key is read
  }
}

function mintKey({ clock, random, box }: KeyParts, newest: SigningKey | undefined): SigningKey {
  const seed = Buffer.from(random.bytes(SEED_BYTES)).toString("base64url");
  const publicKey = publicPartOf(seed);
  const kid = thumbprintOf(publicKey);
  const number = (newest?.number ?? 0) + 1;
  const sealedPrivateKey = box.seal(seed, bindingOf({ kid }));
  return { number, kid, publicKey, sealedPrivateKey, createdAt: clock.now() };
}

/** The private key; null = no configured secret decrypts it. */
export function seedOf(box: Pick<SecretBox, "open">, key: SigningKey): string | null {
  return box.open(key.sealedPrivateKey, bindingOf(key));
}

export function publicPartOf(seed: string): string {
  const { x = "" } = createPublicKey(privateKeyOf(seed)).export({ format: "jwk" });
  return x;
}

function privateKeyOf(seed: string): KeyObject {
  const key = Buffer.concat([PKCS8, Buffer.from(seed, "base64url")]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** Source: RFC 7638; RFC 8037, section 2. */
function thumbprintOf(x: string): string {
  const digest = sha256Hex(canonicalJson({ crv: "Ed25519", kty: "OKP", x }));
  return Buffer.from(digest, "hex").toString("base64url");
}

function bindingOf({ kid }: Pick<SigningKey, "kid">): string {
  return `signing-key:${kid}`;
}

async function signWith({ kid, key }: Signer, value: unknown): Promise<FlattenedJws> {
  const { FlattenedSign } = await loadJose();
  const signed = await new FlattenedSign(new TextEncoder().encode(canonicalJson(value)))
    .setProtectedHeader({ alg: "EdDSA", kid })
    .sign(key);
  return { payload: signed.payload, protected: signed.protected ?? "", signature: signed.signature };
}

function publicJwkOf({ kid, publicKey }: SigningKey) {
  return { alg: "EdDSA", crv: "Ed25519", kid, kty: "OKP", use: "sig", x: publicKey };
}

function viewOf({ kid, createdAt }: SigningKey, newest: SigningKey | undefined): SigningKeyView {
  return { kid, createdAt: toTimestamp(createdAt), isCurrent: kid === newest?.kid };
}

/** The signing keys of the service, for its operator. */
export function createSigningKeyOperations(keys: SigningKeys, call: Call) {
  return {
    /** All keys, the current one first. */
    list: () => call.plain(null, keys.list),
    /** Makes a new key, which signs from now on. What former keys signed stays verifiable: their public parts stay. */
    rotate: () => call.plain(null, keys.rotate),
  };
}
export type SigningKeyOperations = ReturnType<typeof createSigningKeyOperations>;

/** The digest of the file of a signed document: SHA-256 of its canonical JSON, in lower-case hexadecimal. */
export function jwsDigest(jws: FlattenedJws): string {
  return sha256Hex(canonicalJson(jws));
}
