import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson, createBudgetService } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../hosts/http-hosts.js";
import { runCommand } from "../programs/command-line.js";
import { temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const SECRET = "a secret for tests that is long enough";

interface Item {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly optional?: boolean;
}

const TABLE = { description: "Oak table", quantity: 1, unitPrice: 450 };

/** A folder with a database of one accepted budget, its evidence and the keys. */
async function accepted(items: readonly Item[] = [TABLE]) {
  const folder = temporaryFolder();
  const environment = { DATABASE_URL: `file:${join(folder, "b.db")}`, BUDGETKIT_SECRET: SECRET };
  const run = (args: string) => runCommand(args.split(" "), { folder, environment });
  expect((await run("migrate")).code).toBe(0);
  const store = sqliteStore(join(folder, "b.db"));
  const service = createBudgetService({ store, secret: SECRET, publicBaseUrl: "https://quotes.example" });
  const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  const content = { customerId: "ana", items: [...items] };
  const budget = (await service.budgets.create(actor, content))._unsafeUnwrap();
  const { publicToken } = (await service.budgets.createPublicLink(actor, budget.id))._unsafeUnwrap();
  const selection = budget.items.flatMap((line) => ("optional" in line ? [{ itemId: line.id, selected: true }] : []));
  const answer = { version: budget.version + 1, name: "Ana\u001b[31m Ruiz", selection };
  (await service.budgets.answerPublicLink(publicToken, "accept", answer))._unsafeUnwrap();
  const get = async (path: string) => (await service.fetch(new Request(`https://quotes.example${path}`))).text();
  const evidence = await get(`/p/${publicToken}/evidence.json`);
  writeFileSync(join(folder, "evidence.json"), evidence);
  writeFileSync(join(folder, "jwks.json"), await get("/.well-known/jwks.json"));
  const shown = (await service.budgets.openPublicLink(publicToken))._unsafeUnwrap();
  await store.close();
  return { folder, environment, run, evidence, businessId, budgetId: budget.id, shown };
}

describe("verify", () => {
  it("verify prints who accepted what and when, and for how much", async () => {
    const { run, businessId, budgetId } = await accepted();
    const { code, out, complaints } = await run("verify evidence.json --jwks jwks.json");
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Valid: "Ana.* Ruiz" accepted budget/) });
    const named = `budget ${budgetId} (version 2) of the business ${businessId}, which calls itself "Norte": USD 450, at 20`;
    expect(out).toContain(named);
    expect(out).not.toContain("\u001b");
    expect(complaints).toMatch(/^Signed by the key [\w-]{43} of jwks.json/);
    expect(JSON.parse((await run("verify evidence.json --jwks jwks.json --json")).out).signed.content.total).toBe(450);
  });

  it("verify prints the total that the customer's selection led to, and refuses another selection", async () => {
    const { folder, run, evidence } = await accepted([
      TABLE,
      { description: "Bench", quantity: 1, unitPrice: 120, optional: true },
    ]);
    expect((await run("verify evidence.json --jwks jwks.json")).out).toContain("USD 570, at 20");
    const { signed } = JSON.parse((await run("verify evidence.json --jwks jwks.json --json")).out);
    expect([signed.offer.total, signed.selection[0].selected, signed.content.total]).toEqual([450, true, 570]);
    const payload = canonicalJson({ ...signed, selection: [{ ...signed.selection[0], selected: false }] });
    const changed = { ...JSON.parse(evidence), payload: Buffer.from(payload).toString("base64url") };
    writeFileSync(join(folder, "changed.json"), JSON.stringify(changed));
    expect((await run("verify changed.json --jwks jwks.json")).complaints).toBe(
      "The evidence is not valid: payload.selection: does not match payload.selectionHash.\n",
    );
  });

  it("verify fails with the part that differs, and for files that are no evidence", async () => {
    const { folder, run, evidence } = await accepted();
    const write = (text: string) => writeFileSync(join(folder, "changed.json"), text);
    const refusal = async (file = "changed.json") => {
      const { code, out, complaints } = await run(`verify ${file} --jwks jwks.json`);
      expect([code, out]).toEqual([1, ""]);
      return complaints;
    };
    const { signature } = JSON.parse(evidence);
    write(evidence.replace(signature, `${signature[0] === "A" ? "B" : "A"}${signature.slice(1)}`));
    expect(await refusal()).toContain("signature: does not match");
    write(`${evidence}\n`);
    expect(await refusal()).toContain("evidence: is not written as the service writes it");
    write("{}");
    expect(await refusal()).toContain("payload: is missing");
    expect(await refusal("none.json")).toContain("none.json cannot be read");
    expect((await run("verify evidence.json --jwks evidence.json")).complaints).toContain("no JSON Web Key Set");
  });

  it("verify prints the item and field in which the evidence differs from the shown budget", async () => {
    const { folder, run, shown } = await accepted();
    const items = [{ description: "Oak table", quantity: 1, unitPrice: 460, total: 460 }];
    writeFileSync(join(folder, "same.json"), JSON.stringify({ data: shown }));
    writeFileSync(join(folder, "other.json"), JSON.stringify({ ...shown, items, total: 460 }));
    const verify = (file: string) => run(`verify evidence.json --jwks jwks.json --shown ${file}`);
    expect((await verify("same.json")).code).toBe(0);
    expect((await verify("other.json")).complaints).toBe(
      "The evidence is not valid: items[0].unitPrice: signed 450, shown 460.\n",
    );
    expect((await verify("jwks.json")).complaints).toContain("jwks.json gives no public budget");
  });

  it("verify checks each evidence of an export, which an import leaves out", async () => {
    const { folder, run, businessId, budgetId, evidence } = await accepted();
    expect((await run(`export --business ${businessId} --output all.jsonl`)).code).toBe(0);
    const exported = readFileSync(join(folder, "all.jsonl"), "utf8");
    const lines = exported.trim().split("\n");
    const at = lines.findIndex((line) => line.startsWith('{"type":"evidence"'));
    expect(JSON.parse(lines[at] ?? "").data).toEqual({ budgetId, evidence: JSON.parse(evidence) });
    const { code, out, complaints } = await run("verify all.jsonl --jwks jwks.json");
    expect([code, out]).toEqual([0, "1 valid, 0 not valid\n"]);
    expect(complaints).toMatch(
      new RegExp(`^line ${at + 1}: valid: "Ana.*" accepted budget ${budgetId} .* of jwks.json`),
    );
    const other = JSON.parse((await run("business create --name Joinery --json")).out).id;
    const imported = await run(`import all.jsonl --business ${other} --json`);
    expect(JSON.parse(imported.out)).toMatchObject({ refused: 0, conflicts: 0 });

    const refusal = async (text: string) => {
      writeFileSync(join(folder, "changed.jsonl"), text);
      const run_ = await run("verify changed.jsonl --jwks jwks.json");
      expect(run_.code).toBe(1);
      return run_.complaints;
    };
    const { signature } = JSON.parse(evidence);
    const flipped = `${signature[0] === "A" ? "B" : "A"}${signature.slice(1)}`;
    expect(await refusal(exported.replace(signature, flipped))).toContain(`line ${at + 1}: not valid: signature: does`);
    const moved = lines.map((line) =>
      line.replace(`{"type":"evidence","data":{"budgetId":"${budgetId}"`, '{"type":"evidence","data":{"budgetId":"7"'),
    );
    expect(await refusal(moved.join("\n"))).toContain(`not valid: budgetId: signed ${budgetId}, exported 7`);
    expect(await refusal(lines.filter((_, index) => index !== at).join("\n"))).toContain("The export has no evidence");
    expect(await refusal(`${exported}{"type":"evidence"}\n`)).toContain("has no evidence in the form of an export");
  });

  it("verify reads the keys of a server, at its root and below /v1", async () => {
    const { environment, run } = await accepted();
    const { url } = await serveHere(environment);
    const origin = new URL(url).origin;
    for (const path of ["", "/v1"]) {
      const { code } = await run(`verify evidence.json --jwks ${origin}${path}/.well-known/jwks.json`);
      expect(code).toBe(0);
    }
  });
});

/** A service of someone else, with a business that calls itself as the victim does, and its forged evidence. */
async function forger(behind: (path: string) => string = (path) => path) {
  const { port, close } = await listen(async (request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.startsWith("/moved/")) {
      response.writeHead(302, { location: request.url.replace("/moved", "") }).end();
      return;
    }
    response.setHeader("content-type", "application/json").end(keys);
  });
  onTestFinished(close);
  const asked: string[] = [];
  const origin = `http://127.0.0.1:${port}`;
  const issuer = behind(origin);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "forged" }] });
  const content = { id: "1002", business: { name: "The victim Ltd" }, currency: "USD", total: 9, items: [] };
  const contentHash = createHash("sha256").update(canonicalJson(content)).digest("hex");
  const acceptance = {
    choice: "accept",
    channel: "link",
    by: "customer:x",
    name: "שרה",
    at: "2026-03-02T12:00:00.000Z",
  };
  const claims = { type: "budgetkit.acceptance.v1", issuer, businessId: "1001", budgetId: "1002", version: 2 };
  const part = (value: unknown) => Buffer.from(canonicalJson(value)).toString("base64url");
  const payload = part({ ...claims, content, contentHash, acceptance, previous: null });
  const header = part({ alg: "EdDSA", kid: "forged" });
  const signature = sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString("base64url");
  const evidence = { payload, protected: header, signature };
  const folder = temporaryFolder();
  writeFileSync(join(folder, "evidence.json"), JSON.stringify(evidence));
  writeFileSync(join(folder, "jwks.json"), `\ufeff${keys}`);
  const line = JSON.stringify({ type: "evidence", data: { budgetId: "1002", evidence } });
  writeFileSync(join(folder, "all.jsonl"), `\ufeff{"type":"export"}\r\n${`${line}\n`.repeat(3)}`);
  return { origin, issuer, asked, run: (args: string) => runCommand(args.split(" "), { folder }) };
}

describe("verify of evidence that names its own service", () => {
  it("verify calls nothing valid without --issuer or --jwks, and sends no request", async () => {
    const { run, asked } = await forger();
    for (const file of ["evidence.json", "all.jsonl"]) {
      const { code, out, complaints } = await run(`verify ${file}`);
      expect([code, out, asked]).toEqual([2, "", []]);
      expect(complaints).toContain("--issuer or --jwks is missing: nothing is valid without the keys of a service");
    }
  });

  it("verify reads the keys of the given issuer, and refuses evidence of another", async () => {
    const { run, origin, asked } = await forger();
    expect(await run(`verify evidence.json --issuer ${origin}/`)).toMatchObject({ code: 0 });
    const { code, out, complaints } = await run(`verify evidence.json --issuer ${origin}/v1`);
    expect([code, out]).toEqual([1, ""]);
    expect(complaints).toContain(`payload.issuer: is "${origin}", expected "${origin}/v1"`);
    expect(asked).toEqual(["/.well-known/jwks.json", "/v1/.well-known/jwks.json"]);
  });

  it("verify accepts each of the given issuers, as before and after a change of address", async () => {
    const { run, origin, asked } = await forger();
    const both = `--issuer ${origin}/v1 --issuer ${origin}`;
    expect(await run(`verify ${both} evidence.json`)).toMatchObject({ code: 0 });
    expect(asked).toEqual(["/v1/.well-known/jwks.json", "/.well-known/jwks.json"]);
    expect(await run(`verify all.jsonl ${both} --jwks jwks.json`)).toMatchObject({
      code: 0,
      out: "3 valid, 0 not valid\n",
    });
    const { code, complaints } = await run(`verify evidence.json --issuer ${origin}/v1 --issuer ${origin}/v2`);
    expect([code, complaints]).toEqual([1, expect.stringContaining(`payload.issuer: is "${origin}", expected`)]);
  });

  it.each([
    ["?", (origin: string) => `${origin}/p/token/attachments/7?`],
    ["#", (origin: string) => `${origin}/p/token/attachments/7#`],
    ["@", (origin: string) => origin.replace("//", "//quotes.example@")],
    ["a backslash", (origin: string) => origin.replace("//", "//quotes.example\\")],
    ["a path upwards", (origin: string) => `${origin}/v1/../p`],
    ["an encoded path", (origin: string) => `${origin}/v1%2f..`],
    ["no host", () => "https://"],
  ])("verify refuses an issuer with %s, in the flag and in the evidence", async (_, issuerOf) => {
    const { run, issuer, asked } = await forger(issuerOf);
    expect(await run(`verify evidence.json --issuer ${issuer}`)).toMatchObject({ code: 2, out: "" });
    expect(await run(`verify evidence.json --jwks ${issuer}/.well-known/jwks.json`)).toMatchObject({
      code: 2,
      out: "",
    });
    expect(asked).toEqual([]);
    const { code, complaints } = await run("verify evidence.json --jwks jwks.json --issuer https://quotes.example");
    expect([code, complaints]).toEqual([1, expect.stringContaining("payload.issuer")]);
  });

  it("verify reads no keys from a file that someone has sent to a service", async () => {
    const { run, origin, asked } = await forger();
    const { code, complaints } = await run(`verify evidence.json --jwks ${origin}/p/token/attachments/7`);
    expect([code, asked]).toEqual([2, []]);
    expect(complaints).toContain("--jwks must be a file, or a URL that ends with /.well-known/jwks.json");
  });

  it("verify follows no redirect to the keys", async () => {
    const { run, origin, asked } = await forger();
    for (const keys of [`--issuer ${origin}/moved`, `--jwks ${origin}/moved/.well-known/jwks.json`]) {
      const { code, complaints } = await run(`verify evidence.json ${keys}`);
      expect([code, complaints]).toEqual([1, expect.stringContaining("redirects, which is not followed")]);
    }
    expect(new Set(asked)).toEqual(new Set(["/moved/.well-known/jwks.json"]));
  });

  it("verify reads the keys once for all lines of an export", async () => {
    const { run, origin, asked } = await forger();
    expect(await run(`verify all.jsonl --issuer ${origin}`)).toMatchObject({ code: 0, out: "3 valid, 0 not valid\n" });
    expect(asked).toEqual(["/.well-known/jwks.json"]);
  });

  it("verify prints the id of the business, and typed names in quotes with their direction isolated", async () => {
    const { run } = await forger();
    const { out } = await run("verify evidence.json --jwks jwks.json");
    expect(out).toBe(
      'Valid: "\u2068שרה\u2069" accepted budget 1002 (version 2) of the business 1001, which calls itself ' +
        '"The victim Ltd": USD 9, at 2026-03-02T12:00:00.000Z, by the public link.\n',
    );
  });
});

describe("signing-key", () => {
  it("signing-key rotate makes a new key, and keeps the former one for what it signed", async () => {
    const { environment, run } = await accepted();
    const [first] = JSON.parse((await run("signing-key list --json")).out);
    const rotated = await run("signing-key rotate");
    expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/^[\w-]{43}\n$/) });
    const listed = (await run("signing-key list")).out.split("\n");
    expect(listed[0]).toMatch(new RegExp(`^${rotated.out.trim()}  .*  current$`));
    expect(listed[1]).toBe(`${first.kid}  ${first.createdAt}`);
    const { url } = await serveHere(environment);
    const keys = `${new URL(url).origin}/.well-known/jwks.json`;
    expect((await run(`verify evidence.json --jwks ${keys}`)).code).toBe(0);
  });
});
