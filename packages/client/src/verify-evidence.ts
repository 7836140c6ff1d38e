import { canonicalJson } from "./canonical-json.js";
import {
  type ContentDifference,
  contentDifference,
  type DetailsField,
  type LooksField,
  type StateField,
} from "./content-difference.js";
import type { Evidence, PublicBudget, SelectedItem } from "./schemas.js";

/** What was offered or accepted, as the customer saw it. */
export type EvidenceContent = Omit<PublicBudget, StateField | "business" | "customer"> & {
  readonly business: Omit<PublicBudget["business"], LooksField>;
  readonly customer: Omit<PublicBudget["customer"], DetailsField>;
};

type Shown = PublicBudget | EvidenceContent;

/** An acceptance, as the service has signed it. */
export interface SignedAcceptance {
  /** Of this form of evidence. */
  readonly type: "budgetkit.acceptance.v1";
  /** The address of the service; its keys are below it. */
  readonly issuer: string;
  /** Of the business whose budget it is, assigned by the service: a business chooses its name itself. */
  readonly businessId: string;
  /** Assigned by the service. */
  readonly budgetId: string;
  /** The version that was shown. */
  readonly version: number;
  /** What was accepted: the offer, with what the customer set of it. */
  readonly content: EvidenceContent;
  /** SHA-256 of the canonical JSON of the content. */
  readonly contentHash: string;
  /** The offer before the customer set lines of it; absent, with the next three, = it left nothing to set. */
  readonly offer?: EvidenceContent;
  /** SHA-256 of the canonical JSON of the offer: the `hash` that was shown. */
  readonly offerHash?: string;
  /** Each line that the customer could set, as it was accepted. */
  readonly selection?: readonly SelectedItem[];
  /** SHA-256 of the canonical JSON of the selection. */
  readonly selectionHash?: string;
  /** Who accepted it, when and how. */
  readonly acceptance: {
    /** Only acceptances leave evidence. */
    readonly choice: "accept";
    /** By the customer with the public link, or by the business in the customer's place. */
    readonly channel: "link" | "api";
    /** `customer:Ana`, `user:7` or `key:12`. */
    readonly by: string;
    /** As the customer gave it. */
    readonly name: string | null;
    /** ISO 8601, in UTC. */
    readonly at: string;
    /** The sentence beside the button. */
    readonly consent: string | null;
    /** The language of the page. */
    readonly language: string | null;
    /** The data of an SVG path. */
    readonly signature: string | null;
    /** The network address of the client. */
    readonly address: string | null;
    /** The program of the client. */
    readonly userAgent: string | null;
  };
  /** SHA-256 of the evidence of the acceptance before, of the same budget; null = it is the first. */
  readonly previous: string | null;
}

/** A JSON Web Key Set, as `/.well-known/jwks.json` answers. */
export interface KeySet {
  /** Each a JSON Web Key. */
  readonly keys: readonly object[];
}

export type EvidenceVerification =
  | { readonly ok: true; readonly signed: SignedAcceptance; readonly kid: string }
  /** `field`: where the evidence differs from what was signed. */
  | { readonly ok: false; readonly field: string; readonly reason: string };

type Bytes = Uint8Array<ArrayBuffer>;
type Json = Readonly<Record<string, unknown>>;

const TYPE = "budgetkit.acceptance.v1";
const PARTS = ["payload", "protected", "signature"] as const;
const KEY_BYTES = 32;
const ALGORITHMS: readonly unknown[] = [undefined, "EdDSA", "Ed25519"];
const USES: readonly unknown[] = [undefined, "sig"];
/** An address to which a path may be added: with a query, a fragment or a user it would lead elsewhere. */
const ISSUER = /^https?:\/\/[^\s?#@\\]+$/i;

/** What a verifier knows before. */
export interface VerificationOptions {
  /** The address of the service. Anything that names another issuer is refused. Default: any. */
  readonly issuer?: string;
}

export class Refusal extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Verifies the evidence of an acceptance with the public keys of the service, without calling it. Needs WebCrypto with
 * Ed25519: Node 20 and later, and present browsers.
 *
 * `evidence` is the file, as text or bytes, or the object in it. Of a file each byte counts: one that was formatted again
 * is refused. Who gives the keys decides whose signature it is, so take them from the service, over HTTPS.
 * With `shown`, the public view of a budget or a preview of its acceptance, evidence of any other content is refused too,
 * with the first field that differs, such as `items[3].unitPrice`. The content is what was accepted, with the customer's
 * selection. With `issuer`, evidence of another service is refused. A business chooses its name itself, so compare
 * `signed.businessId`. No evidence makes it reject.
 */
export async function verifyEvidence(
  evidence: string | Uint8Array | Evidence,
  keys: KeySet,
  shown?: Shown,
  expected: VerificationOptions = {},
): Promise<EvidenceVerification> {
  try {
    const { signed, kid } = await openSigned(evidence, keys, (payload) => checkContent(payload, shown));
    if (!isAcceptance(signed)) throw new Refusal("payload.type", `is not ${TYPE}`);
    checkIssuer(signed, expected);
    const difference = shown === undefined ? null : contentDifference(signed.content, asAccepted(shown, signed));
    if (difference !== null) throw differs(difference);
    return { ok: true, signed, kid };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, field: error.field, reason: error.message };
    return { ok: false, field: "evidence", reason: "cannot be read" };
  }
}

function partsOf(evidence: string | Uint8Array | Evidence): Readonly<Record<(typeof PARTS)[number], string>> {
  const isFile = typeof evidence === "string" || evidence instanceof Uint8Array;
  const text = evidence instanceof Uint8Array ? textOf("evidence", evidence) : evidence;
  const value: Json = Object(typeof text === "string" ? parse("evidence", text) : text);
  const [payload, header, signature] = PARTS.map((name) => {
    const part = value[name];
    if (typeof part !== "string") throw new Refusal(name, "is missing");
    return part;
  });
  const parts = { payload: payload ?? "", protected: header ?? "", signature: signature ?? "" };
  if (isFile && JSON.stringify(parts) !== text) {
    throw new Refusal("evidence", "is not written as the service writes it");
  }
  return parts;
}

/** Base64url has one form only: without padding, and with unused bits of zero. */
function decode(parts: Readonly<Record<(typeof PARTS)[number], string>>, name: (typeof PARTS)[number]): Bytes {
  const bytes = fromBase64Url(parts[name]);
  if (bytes === null) throw new Refusal(name, "is not base64url in its one form");
  return bytes;
}

function fromBase64Url(text: string): Bytes | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const again = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return again === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
}

function textOf(field: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal(field, "is not UTF-8");
  }
}

function parse(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(field, "is not JSON");
  }
}

/** Only the canonical form is read, so that no two texts mean the same: no member is repeated. */
function canonicalObject(field: string, bytes: Bytes): Json {
  const text = textOf(field, bytes);
  const value = parse(field, text);
  if (canonicalJson(value) !== text) throw new Refusal(field, "is not canonical JSON");
  if (!isObject(value)) throw new Refusal(field, "is not an object");
  return value;
}

/** One algorithm is allowed, so that no other key of the set and no empty signature can pass for it. */
function kidIn(header: Json): string {
  const { alg, kid, ...others } = header;
  if (alg !== "EdDSA") throw new Refusal("protected.alg", "is not EdDSA");
  if (typeof kid !== "string") throw new Refusal("protected.kid", "is missing");
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Refusal(`protected.${other}`, "is not known");
  return kid;
}

/** Checks each part against its hash. Offer and selection are there together, or neither is. */
async function checkContent(payload: Json, shown: object | undefined): Promise<void> {
  const { content, contentHash } = payload;
  if ((await hashOf(content ?? null)) !== contentHash) {
    const difference = shown === undefined ? null : contentDifference(content, shown);
    const where = difference === null ? "" : `: ${difference.field} is ${difference.signed}, shown ${difference.shown}`;
    throw new Refusal("payload.content", `does not match payload.contentHash${where}`);
  }
  if (CHOSEN.every((name) => payload[name] === undefined)) return;
  for (const name of CHOSEN) {
    if (payload[name] === undefined) throw new Refusal(`payload.${name}`, "is missing");
  }
  for (const name of ["offer", "selection"] as const) {
    if ((await hashOf(payload[name])) === payload[`${name}Hash`]) continue;
    throw new Refusal(`payload.${name}`, `does not match payload.${name}Hash`);
  }
}

const CHOSEN = ["offer", "offerHash", "selection", "selectionHash"] as const;

async function hashOf(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(value)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A preview has the revision of the offer. The acceptance with this selection made the next one, with the same content. */
function asAccepted(shown: Shown, { content, offer }: SignedAcceptance): Shown {
  if (offer === undefined || shown.revision !== offer.revision) return shown;
  return { ...shown, revision: content.revision };
}

function differs({ field, signed, shown }: ContentDifference): Refusal {
  return new Refusal(field, `signed ${signed}, shown ${shown}`);
}

async function importKey(keys: readonly object[], kid: string) {
  const named = keys.map((key): Json => Object(key)).filter((key) => key.kid === kid);
  const [key] = named;
  if (key === undefined) throw new Refusal("protected.kid", "names none of the keys");
  const { kty, crv, x, alg, use } = key;
  const isRight = kty === "OKP" && crv === "Ed25519" && ALGORITHMS.includes(alg) && USES.includes(use);
  if (named.length > 1 || !isRight || typeof x !== "string" || fromBase64Url(x)?.length !== KEY_BYTES) {
    throw new Refusal("protected.kid", "names no key of Ed25519");
  }
  return crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
}

function isAcceptance(value: Json | SignedAcceptance): value is SignedAcceptance {
  const { type, businessId, budgetId, content, acceptance, offer, selection } = value;
  const isNamed = typeof businessId === "string" && typeof budgetId === "string";
  const isChosen = offer === undefined || (isObject(offer) && Array.isArray(selection));
  return type === TYPE && isNamed && isObject(content) && isObject(acceptance) && isChosen;
}

/** Throws a {@link Refusal} for an issuer that is no address, or another one than expected. */
export function checkIssuer({ issuer }: { readonly issuer?: unknown }, expected: VerificationOptions): void {
  if (typeof issuer !== "string" || !ISSUER.test(issuer)) {
    throw new Refusal("payload.issuer", "is not the address of a service");
  }
  if (expected.issuer !== undefined && issuer !== expected.issuer.replace(/\/+$/, "")) {
    throw new Refusal("payload.issuer", `is ${JSON.stringify(issuer)}, expected ${JSON.stringify(expected.issuer)}`);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What was signed, and the key that signed it. `check` names what is wrong in it first. Throws a {@link Refusal}. */
export async function openSigned(
  file: string | Uint8Array | Evidence,
  { keys }: KeySet,
  check: (payload: Json) => Promise<void> = async () => {},
): Promise<{ readonly signed: Json; readonly kid: string }> {
  const parts = partsOf(file);
  const payload = decode(parts, "payload");
  const signature = decode(parts, "signature");
  const kid = kidIn(canonicalObject("protected", decode(parts, "protected")));
  const signed = canonicalObject("payload", payload);
  await check(signed);
  const key = await importKey(keys, kid);
  const input = new TextEncoder().encode(`${parts.protected}.${parts.payload}`);
  if (await crypto.subtle.verify("Ed25519", key, signature, input)) return { signed, kid };
  throw new Refusal("signature", "does not match the payload and the key");
}
