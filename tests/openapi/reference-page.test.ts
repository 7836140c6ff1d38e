import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type BudgetServiceOptions, createBudgetService } from "@budgetkit/core";
import { referencePage } from "@budgetkit/reference";
import { manualClock, memoryStore, type Send, type StartHost, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hosts } from "../hosts/http-hosts.js";
import { builtServer } from "../programs/build-programs.js";

const PAGE = "/v1/docs";
/** What hosts add, and the id of the request. */
const PASSING_HEADERS = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
  "x-powered-by",
  "x-request-id",
]);
let standalone = "";

beforeAll(async () => {
  standalone = await builtServer(); // which puts the files of the page together as well
});

async function served(start: StartHost, options: Partial<BudgetServiceOptions> = { reference: referencePage() }) {
  const service = createBudgetService({
    store: memoryStore(),
    clock: manualClock("2026-03-02T12:00:00.000Z"),
    random: seededRandom(7),
    secret: "a secret for tests that is long enough",
    ...options,
  });
  const host = await start(service);
  onTestFinished(() => host.close());
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    host.send({ method, path, headers, body: null });
  return ask;
}

type Answer = Awaited<ReturnType<Send>>;

/** Where the page's links lead: those of the page's own tags, from the place of the page. */
function linksOf(html: string): { path: string; integrity: string | null }[] {
  return [...html.matchAll(/<[^>]* (?:src|href)="([^"]*)"[^>]*>/g)]
    .filter(([, link]) => link !== "data:,")
    .map(([tag, link = ""]) => {
      const { origin, pathname } = new URL(link, `https://quotes.example${PAGE}`);
      expect(origin).toBe("https://quotes.example");
      return { path: pathname, integrity: /integrity="([^"]*)"/.exec(tag)?.[1] ?? null };
    });
}

const digestOf = (bytes: Uint8Array) => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;

describe("the reference page", () => {
  it("the reference page is the same behind every host, with everything that it links", async () => {
    const transcripts = await Promise.all(
      Object.values(hosts).map(async (start) => {
        const ask = await served(start);
        const page = await ask(PAGE);
        const paths = linksOf(page.text).map(({ path }) => path);
        expect(paths.length).toBeGreaterThanOrEqual(6);
        const answers: unknown[] = [];
        for (const path of [PAGE, ...paths, `${PAGE}/`, `${PAGE}/none.js`, `/v1${PAGE}`]) {
          for (const encoding of ["identity", "gzip", "gzip, deflate, br"]) {
            answers.push([path, encoding, comparable(await ask(path, { "accept-encoding": encoding }))]);
          }
        }
        return answers;
      }),
    );
    const [first, ...others] = transcripts;
    for (const other of others) expect(other).toEqual(first);
  });

  it("the reference page forbids all but its own scripts and calls of its own API, and sends no referrer", async () => {
    const ask = await served(hosts.fetch);
    const { status, headers, text } = await ask(PAGE);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    });
    const scripts = await Promise.all(
      linksOf(text)
        .filter(({ path }) => path.endsWith(".js"))
        .map(async ({ path }) => `'${digestOf((await ask(path)).bytes)}'`),
    );
    expect(scripts).toHaveLength(2);
    expect(headers["content-security-policy"]?.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${scripts.join(" ")}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|https?:/);
  });

  it("the reference page loads files that may be cached for good, each with the hash on the page", async () => {
    const ask = await served(hosts.fetch);
    const files = linksOf((await ask(PAGE)).text).filter(({ path }) => path.startsWith(`${PAGE}/`));
    for (const { path, integrity } of files) {
      const { status, headers, bytes } = await ask(path);
      const digest = createHash("sha256").update(bytes).digest("hex");
      expect([status, path]).toEqual([200, expect.stringContaining(`.${digest.slice(0, 16)}.`)]);
      if (!path.endsWith(".txt")) expect(integrity).toBe(digestOf(bytes));
      expect(headers).toMatchObject({
        "content-type": typeOf(path),
        "content-length": String(bytes.byteLength),
        "x-content-type-options": "nosniff",
        "cache-control": "public, max-age=31536000, immutable",
        vary: "Accept-Encoding",
        etag: `"${digest}"`,
      });
      expect(headers["content-encoding"]).toBeUndefined();
    }
  });

  it("the reference page sends compressed files to clients that accept them, under an ETag of their own", async () => {
    const ask = await served(hosts.fetch);
    for (const { path } of linksOf((await ask(PAGE)).text).filter(({ path }) => path.startsWith(`${PAGE}/`))) {
      const plain = await ask(path);
      const takes = async (encoding: string) => {
        const { headers, bytes } = await ask(path, { "accept-encoding": encoding });
        expect(headers["content-length"]).toBe(String(bytes.byteLength));
        return { encoding: headers["content-encoding"], etag: headers.etag, bytes };
      };
      const brotli = await takes("gzip, deflate, br");
      const gzip = await takes("gzip;q=0.5, br;q=0");
      expect([brotli.encoding, gzip.encoding]).toEqual(["br", "gzip"]);
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      expect(new Set([plain.headers.etag, brotli.etag, gzip.etag]).size).toBe(3);
      expect((await takes("*, zstd")).encoding).toBeUndefined();
    }
  });

  it("redirects the reference page from its path with a slash to the one without, wherever mounted", async () => {
    const ask = await served(hosts.fetch);
    const { status, headers } = await ask(`${PAGE}/`);
    expect(status).toBe(303);
    expect(new URL(headers.location ?? "", "https://quotes.example/offers/v1/docs/").pathname).toBe("/offers/v1/docs");
  });

  it.each(Object.entries(hosts))("the reference page serves no other file, behind %s", async (_, start) => {
    const ask = await served(start);
    const names = [
      "manifest.json",
      "start.js",
      "%2e%2e%2fviewer%2fmanifest.json",
      "..%2f..%2fpackage.json",
      "../viewer/manifest.json",
      "../../../../../../../../etc/passwd",
      "%00",
      "constructor",
      "__proto__",
      `${"a".repeat(600)}.js`,
      "swagger-ui-bundle.js/",
    ];
    const [, , script = ""] = [...referencePage().files.keys()];
    for (const name of [...names, `${script}.br`, `${script}/`, `/${script}`, script.toUpperCase()]) {
      expect([name, (await ask(`${PAGE}/${name}`)).status]).toEqual([name, 404]);
    }
  });

  it.each(Object.entries(hosts))("the reference page answers 304, HEAD and 405, behind %s", async (_, start) => {
    const ask = await served(start);
    const paths = [PAGE, ...[...referencePage().files.keys()].map((file) => `${PAGE}/${file}`)];
    for (const path of paths) {
      const got = await ask(path, { "accept-encoding": "br" });
      const head = await ask(path, { "accept-encoding": "br" }, "HEAD");
      expect([head.status, head.text, head.headers.etag]).toEqual([200, "", got.headers.etag]);
      expect(head.headers["content-type"]).toBe(got.headers["content-type"]);
      const again = await ask(path, { "accept-encoding": "br", "if-none-match": got.headers.etag ?? "" });
      expect([again.status, again.text]).toEqual([304, ""]);
      const posted = await ask(path, {}, "POST");
      expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("finds no reference page unless the service is given one (404)", async () => {
    const ask = await served(hosts.fetch, {});
    for (const path of [PAGE, `${PAGE}/`, `${PAGE}/start.js`]) expect((await ask(path)).status).toBe(404);
  });

  it("the reference page is no part of the API that it describes", async () => {
    const ask = await served(hosts.fetch);
    const { paths }: { paths: Record<string, unknown> } = JSON.parse((await ask("/v1/openapi.json")).text);
    expect(Object.keys(paths).filter((path) => path.startsWith("/docs"))).toEqual([]);
  });

  it("the CommonJS build of the reference page has the content of the sources", () => {
    const built: { referencePage: typeof referencePage } = createRequire(standalone)(
      join(standalone, "../../../packages/reference/dist/index.cjs"),
    );
    const page = built.referencePage();
    expect(page.html).toBe(referencePage().html);
    expect([...page.files.keys()]).toEqual([...referencePage().files.keys()]);
  });
});

/** An answer without what differs from one request to the next. */
function comparable({ status, headers, bytes }: Answer) {
  const own = Object.entries(headers).filter(([name]) => !PASSING_HEADERS.has(name));
  return { status, headers: Object.fromEntries(own), digest: digestOf(bytes) };
}

function typeOf(path: string): string {
  const type = path.endsWith(".js") ? "javascript" : path.endsWith(".css") ? "css" : "plain";
  return `text/${type}; charset=utf-8`;
}
