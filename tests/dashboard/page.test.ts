import { once } from "node:events";
import { request as nodeRequest } from "node:http";
import { text } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { budgetkitExpress } from "@budgetkit/adapter-express";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../hosts/http-hosts.js";
import { SCRIPT } from "./app-folder.js";
import { dashboardWorld, mounts } from "./dashboard-world.js";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "frame-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

describe.each(Object.keys(mounts))("the page of the dashboard behind %s", (mount) => {
  it("every address below the mount answers the document, which knows where it is mounted", async () => {
    const { browser } = await dashboardWorld({ mount });
    for (const path of ["", "/", "/budgets", "/budgets/12?tab=links", "/a/b/c"]) {
      const answer = await browser().ask(path, { headers: HTML });
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/html; charset=utf-8",
      ]);
      const html = await answer.text();
      expect(html).toContain('<html lang="en" data-base="/dashboard" data-session="form">');
      expect(html).toContain('src="/dashboard/assets/index-A1b2.js"');
      expect(html).not.toContain('"./');
    }
  });

  it("the document is answered with a strict policy, and revalidated", async () => {
    const { browser } = await dashboardWorld({ mount });
    const answer = await browser().ask("/", { headers: HTML });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-cache",
    });
    const etag = answer.headers.get("etag") ?? "";
    const known = await browser().ask("/", { headers: { ...HTML, "if-none-match": etag } });
    expect([known.status, known.headers.get("content-security-policy")]).toEqual([304, POLICY]);
    const head = await browser().ask("/", { method: "HEAD", headers: HTML });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const posted = await browser().ask("/budgets", { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("assets are sent in the encoding that the browser accepts, to be kept forever", async () => {
    const { browser } = await dashboardWorld({ mount });
    const ask = (encoding: string, more = {}) =>
      browser().ask("/assets/index-A1b2.js", { headers: { "accept-encoding": encoding, ...more } });
    const etags = new Set<string | null>();
    for (const [accepted, encoding] of [
      ["gzip, br", "br"],
      ["gzip", "gzip"],
      ["identity", null],
      ["br;q=0", null],
    ] as const) {
      const answer = await ask(accepted);
      expect([accepted, answer.status, answer.headers.get("content-encoding")]).toEqual([accepted, 200, encoding]);
      expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      etags.add(answer.headers.get("etag"));
      const sent = Buffer.from(await answer.arrayBuffer());
      // fetch over a socket decodes, a handler that is called directly does not
      const plain =
        sent.toString() === SCRIPT || encoding === null
          ? sent
          : encoding === "br"
            ? brotliDecompressSync(sent)
            : gunzipSync(sent);
      expect(plain.toString()).toBe(SCRIPT);
    }
    expect(etags.size).toBe(3);
    const known = await ask("br", { "if-none-match": [...etags].join(", ") });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const head = await browser().ask("/assets/index-A1b2.js", {
      method: "HEAD",
      headers: { "accept-encoding": "identity" },
    });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(SCRIPT.length)]);
  });
});

describe("the page of the dashboard", () => {
  it.each([
    "/assets/none.js",
    "/assets/",
    "/assets/secret.env",
    "/assets/index-A1b2.js.br",
    "/assets/index-A1b2.js/",
    "/assets/%69ndex-A1b2.js",
    "/assets/..%2findex.html",
    "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
    "/assets/..%5c..%5cpackage.json",
    "/assets/index-A1b2.js%00.css",
    "/assets/__proto__",
    "/assets/constructor",
  ])("%s is 404 and never the document", async (path) => {
    const { browser } = await dashboardWorld();
    const answer = await browser().ask(path, { headers: HTML });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("a client that accepts no HTML gets 404, and a very long path too", async () => {
    const { browser } = await dashboardWorld();
    expect((await browser().ask("/budgets", { headers: { accept: "application/json" } })).status).toBe(404);
    expect((await browser().ask(`/${"a".repeat(5_000)}`, { headers: HTML })).status).toBe(404);
    expect((await browser().ask(`/service/${"a/".repeat(5_000)}`)).status).toBe(404);
  });

  it("dot segments, doubled slashes and whole URLs over a socket reach no file and no other host", async () => {
    const { dashboard } = await dashboardWorld();
    const app = express();
    app.use("/dashboard", budgetkitExpress(dashboard));
    const { port, close } = await listen(app);
    onTestFinished(close);
    const raw = async (path: string) => {
      const sent = nodeRequest({ port, path, headers: { accept: "text/html" } }).end();
      const [response] = await once(sent, "response");
      return { status: Number(response.statusCode), location: response.headers.location, body: await text(response) };
    };
    for (const path of [
      "/dashboard/assets/../../../package.json",
      "/dashboard/../dashboard/assets/../index.html",
      "/dashboard//evil.example",
      "/dashboard//evil.example/%2f..",
      "//evil.example/dashboard/",
      "/dashboard/\\evil.example",
      "/dashboard/%0d%0aset-cookie:a=b",
    ]) {
      const { status, location, body } = await raw(path);
      expect([path, location]).toEqual([path, undefined]);
      expect(body).not.toContain('"name"');
      if (status === 200) expect(body).toContain('data-base="/dashboard"');
    }
  });

  it("a picture that is opened by itself runs nothing", async () => {
    const { browser } = await dashboardWorld();
    const icon = await browser().ask("/favicon.svg");
    expect([icon.status, icon.headers.get("content-type"), icon.headers.get("cache-control")]).toEqual([
      200,
      "image/svg+xml",
      "no-cache",
    ]);
    expect(icon.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  });
});
