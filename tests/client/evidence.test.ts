import { createHmac, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import type { SelectedItem } from "@budgetkit/client";
import { type Evidence, type KeySet, type PublicBudget, verifyEvidence } from "@budgetkit/client/evidence";
import { canonicalJson, createBudgetService } from "@budgetkit/core";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { bundle } from "./bundle.js";

let file: string;
let evidence: Evidence;
let keys: KeySet;
/** Of an offer of which the customer has set lines. */
let configured: {
  readonly file: string;
  readonly offered: PublicBudget;
  readonly previewed: PublicBudget;
  readonly accepted: PublicBudget;
};

beforeAll(async () => {
  const service = createBudgetService({
    store: memoryStore(),
    clock: manualClock("2026-03-02T12:00:00.000Z"),
    random: seededRandom(4),
    secret: "a secret for tests that is long enough",
    publicBaseUrl: "https://quotes.example",
  });
  const { id: businessId } = (await service.businesses.create({ name: "Carpintería Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  const get = async (path: string) => (await service.fetch(new Request(`https://quotes.example${path}`))).text();
  const view = async (publicToken: string): Promise<PublicBudget> => JSON.parse(await get(`/p/${publicToken}`)).data;
  const offer = async (content: object) => {
    const given = { customerId: "ana", items: [{ description: "Oak table", quantity: 2, unitPrice: 450 }], ...content };
    const { id } = (await service.budgets.create(actor, given))._unsafeUnwrap();
    const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    return { publicToken, shown: await view(publicToken) };
  };
  const preview = async (publicToken: string, selection: SelectedItem[]): Promise<PublicBudget> => {
    const headers = { "content-type": "application/json" };
    const post = { method: "POST", headers, body: JSON.stringify({ selection }) };
    const answer = await service.fetch(new Request(`https://quotes.example/p/${publicToken}/preview`, post));
    return JSON.parse(await answer.text()).data;
  };
  const accept = async (publicToken: string, version: number, selection?: SelectedItem[]) => {
    const answer = { version, name: "Ana Ruiz", ...(selection === undefined ? {} : { selection }) };
    (await service.budgets.answerPublicLink(publicToken, "accept", answer))._unsafeUnwrap();
    return view(publicToken);
  };
  const plain = await offer({ taxRate: 0.21 });
  await accept(plain.publicToken, plain.shown.version);
  file = await get(`/p/${plain.publicToken}/evidence.json`);
  evidence = JSON.parse(file);
  keys = JSON.parse(await get("/.well-known/jwks.json"));

  const table = { description: "Oak table", quantity: 1, unitPrice: 450 };
  const bench = { description: "Bench", quantity: 1, unitPrice: 120, optional: true };
  const range = { minimum: 1, maximum: 8, step: 1 };
  const stools = { description: "Stool", quantity: 2, unitPrice: 30, quantityRange: range };
  const open = await offer({ items: [table, bench, stools] });
  const [benchId, stoolsId] = open.shown.items.flatMap((line) => ("id" in line ? [line.id ?? ""] : []));
  const selection = [
    { itemId: benchId ?? "", selected: true },
    { itemId: stoolsId ?? "", quantity: 4 },
  ];
  const previewed = await preview(open.publicToken, selection);
  const accepted = await accept(open.publicToken, open.shown.version, selection);
  configured = { file: await get(`/p/${open.publicToken}/evidence.json`), offered: open.shown, previewed, accepted };
});

interface Shown {
  readonly items: object[];
  readonly business: object;
}

const encoded = (value: unknown) => Buffer.from(canonicalJson(value)).toString("base64url");
const decoded = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());

/** Evidence of this payload and header, signed by `signer`. */
function forged(payload: unknown, header: unknown, signer: (input: Buffer) => Buffer): Evidence {
  const parts = { payload: encoded(payload), protected: encoded(header) };
  const signature = signer(Buffer.from(`${parts.protected}.${parts.payload}`)).toString("base64url");
  return { ...parts, signature };
}

describe("verifyEvidence", () => {
  it("verifyEvidence returns who accepted what, when and for how much", async () => {
    for (const given of [file, Buffer.from(file), evidence]) {
      expect(await verifyEvidence(given, keys)).toMatchObject({
        ok: true,
        kid: decoded(evidence.protected).kid,
        signed: {
          issuer: "https://quotes.example",
          content: { currency: "USD", total: 1_089, business: { name: "Carpintería Norte" } },
          acceptance: { name: "Ana Ruiz", channel: "link", at: "2026-03-02T12:00:00.000Z" },
        },
      });
    }
  });

  it("verifyEvidence refuses a file with any one byte changed, and names the part", async () => {
    const bytes = Buffer.from(file);
    const fields = new Set<string>();
    for (const [index, byte] of bytes.entries()) {
      for (const mask of [1, 0x20, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[index] = byte ^ mask;
        const verified = await verifyEvidence(changed, keys);
        if (verified.ok) throw new Error(`byte ${index} may change by ${mask}`);
        fields.add(verified.field.split(".")[0] ?? "");
      }
    }
    expect([...fields].sort()).toEqual(["evidence", "payload", "protected", "signature"]);
  });

  it("verifyEvidence refuses every other last character: the unused bits of base64url must be zero", async () => {
    for (const name of ["payload", "protected", "signature"] as const) {
      for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/") {
        const part = evidence[name].slice(0, -1) + last;
        if (part === evidence[name]) continue;
        expect((await verifyEvidence({ ...evidence, [name]: part }, keys)).ok).toBe(false);
      }
    }
  });

  it("verifyEvidence returns what differs: the content, the signature or the key", async () => {
    const payload = decoded(evidence.payload);
    const [item] = payload.content.items;
    const cheaper = { ...payload, content: { ...payload.content, items: [{ ...item, unitPrice: 1 }] } };
    const other = { ...payload, acceptance: { ...payload.acceptance, name: "Bruno" } };
    const fieldOf = async (changed: Partial<Evidence>) => {
      const verified = await verifyEvidence({ ...evidence, ...changed }, keys);
      return verified.ok ? null : verified.field;
    };
    expect(await fieldOf({ payload: encoded(cheaper) })).toBe("payload.content");
    expect(await fieldOf({ payload: encoded(other) })).toBe("signature");
    expect(await fieldOf({ signature: encoded("x") })).toBe("signature");
    expect(await fieldOf({ protected: encoded({ alg: "EdDSA", kid: "another" }) })).toBe("protected.kid");
    expect(await fieldOf({ payload: Buffer.from(JSON.stringify(payload, null, 1)).toString("base64url") })).toBe(
      "payload",
    );
    expect(await verifyEvidence(`${file}\n`, keys)).toMatchObject({ ok: false, field: "evidence" });
  });

  it("verifyEvidence returns the first field in which the content differs from the shown budget", async () => {
    const { content } = decoded(evidence.payload);
    const differing = async (change: (shown: Shown) => unknown) => {
      const shown = structuredClone(content);
      change(shown);
      const verified = await verifyEvidence(evidence, keys, shown);
      return verified.ok ? null : [verified.field, verified.reason];
    };
    expect(await differing(() => {})).toBeNull();
    expect(await differing((shown) => Object.assign(shown, { status: "APPROVED", paid: 7, hash: "x" }))).toBeNull();
    expect(await differing(({ business }) => Object.assign(business, { accentColor: "#000000" }))).toBeNull();
    expect(await differing(({ items }) => Object.assign(items[0] ?? {}, { unitPrice: 460, total: 920 }))).toEqual([
      "items[0].unitPrice",
      "signed 450, shown 460",
    ]);
    expect(await differing(({ items }) => Object.assign(items[0] ?? {}, { unit: "h" }))).toEqual([
      "items[0].unit",
      'signed nothing, shown "h"',
    ]);
    expect(await differing(({ items }) => items.pop())).toEqual([
      "items[0]",
      expect.stringMatching(/^signed \{"description":"Oak table",.*\}, shown nothing$/),
    ]);
    expect(await differing(({ business }) => Object.assign(business, { name: "Sur" }))).toEqual([
      "business.name",
      'signed "Carpintería Norte", shown "Sur"',
    ]);
    const payload = decoded(evidence.payload);
    const [item] = content.items;
    const cheaper = { ...payload, content: { ...content, items: [{ ...item, unitPrice: 1 }] } };
    expect(await verifyEvidence({ ...evidence, payload: encoded(cheaper) }, keys, content)).toMatchObject({
      field: "payload.content",
      reason: "does not match payload.contentHash: items[0].unitPrice is 1, shown 450",
    });
  });

  it("verifyEvidence returns the offer, what the customer set of it, and the accepted result", async () => {
    const { file, offered, accepted } = configured;
    const verified = await verifyEvidence(file, keys, accepted);
    expect(verified).toMatchObject({
      ok: true,
      signed: {
        content: { total: 690 },
        contentHash: accepted.hash,
        offer: { total: 510 },
        offerHash: offered.hash,
        selection: [{ selected: true }, { quantity: 4 }],
      },
    });
    expect(await verifyEvidence(file, keys, offered)).toMatchObject({ ok: false, field: "items[1].selected" });
    expect(decoded(evidence.payload)).not.toHaveProperty("offer");
  });

  it("verifyEvidence accepts evidence of what a preview of the same selection showed", async () => {
    const { file, previewed } = configured;
    expect(await verifyEvidence(file, keys, previewed)).toMatchObject({ ok: true });
    const dearer = { ...previewed, total: previewed.total + 1 };
    expect(await verifyEvidence(file, keys, dearer)).toMatchObject({ ok: false, field: "total" });
    const other = { ...previewed, revision: previewed.revision + 2 };
    expect(await verifyEvidence(file, keys, other)).toMatchObject({ ok: false, field: "revision" });
  });

  it("verifyEvidence refuses an offer or a selection that does not match its hash, and one without the other", async () => {
    const signed: Evidence = JSON.parse(configured.file);
    const payload = decoded(signed.payload);
    const own = generateKeyPairSync("ed25519");
    const ownKeys = { keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "own" }] };
    const verify = (changed: object) => {
      const signer = (input: Buffer) => sign(null, input, own.privateKey);
      return verifyEvidence(forged({ ...payload, ...changed }, { alg: "EdDSA", kid: "own" }, signer), ownKeys);
    };
    expect(await verify({})).toMatchObject({ ok: true });
    const refusals: [object, string][] = [
      [{ offer: { ...payload.offer, total: 1 } }, "payload.offer"],
      [{ offerHash: payload.contentHash }, "payload.offer"],
      [{ selection: payload.selection.slice(1) }, "payload.selection"],
      [{ selectionHash: payload.offerHash }, "payload.selection"],
      ...["offer", "offerHash", "selection", "selectionHash"].map((name): [object, string] => [
        { [name]: undefined },
        `payload.${name}`,
      ]),
    ];
    for (const [changed, field] of refusals) expect(await verify(changed)).toMatchObject({ ok: false, field });
    const cheaper = { ...payload, offer: { ...payload.offer, total: 1 } };
    const resent = { ...signed, payload: encoded(cheaper) };
    expect(await verifyEvidence(resent, keys)).toMatchObject({ ok: false, field: "payload.offer" });
  });

  it("verifyEvidence accepts no other algorithm: none, HS256 with the public key as the secret, an RSA key", async () => {
    const payload = decoded(evidence.payload);
    const { kid } = decoded(evidence.protected);
    const [key] = keys.keys;
    const { x }: JsonWebKey = Object(key);
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const attempts: [Evidence, KeySet][] = [
      [{ ...forged(payload, { alg: "none", kid }, () => Buffer.from("x")), signature: "" }, keys],
      ...[Buffer.from(x ?? "", "base64url"), Buffer.from(x ?? ""), Buffer.from(JSON.stringify(key))].map(
        (secret): [Evidence, KeySet] => [
          forged(payload, { alg: "HS256", kid }, (input) => createHmac("sha256", secret).update(input).digest()),
          keys,
        ],
      ),
      [
        forged(payload, { alg: "EdDSA", kid }, (input) => sign("sha256", input, rsa.privateKey)),
        { keys: [{ ...rsa.publicKey.export({ format: "jwk" }), kid }] },
      ],
      [{ ...evidence, protected: encoded({ alg: "EdDSA", crit: ["b64"], b64: false, kid }) }, keys],
      [{ ...evidence, protected: encoded({ alg: "EdDSA", jwk: key, kid }) }, keys],
      [evidence, { keys: [{ ...key, alg: "HS256" }] }],
      [evidence, { keys: [{ ...key, use: "enc" }] }],
      [evidence, { keys: [...keys.keys, ...keys.keys] }],
      [evidence, { keys: [] }],
    ];
    for (const [given, set] of attempts) {
      const verified = await verifyEvidence(given, set);
      expect(verified).toMatchObject({ ok: false, field: expect.stringMatching(/^(protected|signature)/) });
    }
  });

  it("verifyEvidence refuses a signature by another key, and one by the right key for another purpose", async () => {
    const payload = decoded(evidence.payload);
    const own = generateKeyPairSync("ed25519");
    const signer = (input: Buffer) => sign(null, input, own.privateKey);
    const { kid } = decoded(evidence.protected);
    const byAnother = forged(payload, { alg: "EdDSA", kid }, signer);
    expect(await verifyEvidence(byAnother, keys)).toMatchObject({ ok: false, field: "signature" });
    const ownKeys = { keys: [{ ...own.publicKey.export({ format: "jwk" }), kid }] };
    expect(await verifyEvidence(byAnother, ownKeys)).toMatchObject({ ok: true });
    const another = forged({ ...payload, type: "another" }, { alg: "EdDSA", kid }, signer);
    expect(await verifyEvidence(another, ownKeys)).toMatchObject({ ok: false, field: "payload.type" });
  });

  it("verifyEvidence refuses an issuer that is no address, and another one than expected", async () => {
    const issuer = "https://quotes.example";
    for (const same of [issuer, `${issuer}/`]) {
      expect(await verifyEvidence(evidence, keys, undefined, { issuer: same })).toMatchObject({ ok: true });
    }
    expect(await verifyEvidence(evidence, keys, undefined, { issuer: `${issuer}/v1` })).toEqual({
      ok: false,
      field: "payload.issuer",
      reason: `is "${issuer}", expected "${issuer}/v1"`,
    });
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const own = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "own" }] };
    for (const odd of [
      `${issuer}/p/1?`,
      `${issuer}#`,
      `https://a@${issuer}`,
      "ftp://quotes.example",
      "",
      undefined,
      7,
    ]) {
      const payload = { ...decoded(evidence.payload), issuer: odd };
      if (odd === undefined) delete payload.issuer;
      const given = forged(payload, { alg: "EdDSA", kid: "own" }, (input) => sign(null, input, privateKey));
      expect(await verifyEvidence(given, own)).toMatchObject({ ok: false, field: "payload.issuer" });
    }
  });

  it("verifyEvidence never rejects, with anything given as evidence", async () => {
    const deep = `{"payload":"${Buffer.from("[".repeat(100_000)).toString("base64url")}","protected":"e30","signature":"e30"}`;
    const nested = Buffer.from(`${"[".repeat(50_000)}${"]".repeat(50_000)}`).toString("base64url");
    const odd: unknown[] = ["", "null", "[]", "{}", deep, null, 7, { ...evidence, payload: nested }, { payload: {} }];
    for (const given of odd) {
      const verified = await Reflect.apply(verifyEvidence, null, [given, keys]);
      expect(verified.ok).toBe(false);
    }
  });

  it("verifyEvidence runs without Node's globals, and stays small", async () => {
    const code = await bundle(`export { verifyEvidence } from "@budgetkit/client/evidence";`);
    const browser = createContext({ TextDecoder, TextEncoder, Uint8Array, atob, btoa, crypto });
    const { verifyEvidence: inBrowser } = runInContext(`${code}; program`, browser);
    expect(await inBrowser(file, keys)).toMatchObject({ ok: true });
    expect(await inBrowser(file.replace("A", "B"), keys)).toMatchObject({ ok: false });
    expect(gzipSync(code).byteLength).toBeLessThan(3_000);
  });
});
