import { gunzipSync } from "node:zlib";
import { SCALE } from "@budgetkit/testing";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { statusesOf } from "../../packages/core/src/http/error-schemas.js";
import { writeDescription } from "../../packages/core/src/http/openapi/document.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { hosts } from "../hosts/http-hosts.js";
import { type DocumentedOperation, readDocumentation } from "../operations/documented-answers.js";
import { sendShown, targetOf } from "../operations/documented-exchange.js";
import {
  causeEveryEvent,
  type DocumentedWorld,
  inDocumentedWorld,
  inFewWorlds,
} from "../operations/documented-world.js";
import { type ShownCase, shownRequests } from "./shown-requests.js";

const BASE_URL = "https://quotes.example/v1";
const { text, etag } = writeDescription(BASE_URL);
const documentation = readDocumentation(text);
const { operations, callbacks, check, checkExactly, checkAnswer } = documentation;
const GET = { method: "GET", headers: {}, body: null } as const;

describe("The description of the interface", () => {
  it("a public linter accepts the OpenAPI document", async () => {
    // "The documented examples" below checks them; for the linter that takes as long as all else. `pnpm openapi` has it.
    const rules = { "no-invalid-media-type-examples": "off" } as const;
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it("the OpenAPI document has every route, each path under an id of its own, with every possible status", () => {
    const documented = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
    expect(documented.size).toBe(routes.flatMap(({ paths }) => paths).length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const route of routes) {
      expect(documented.get(`${route.method} ${route.paths[0]}`)?.operationId).toBe(route.operationId);
      for (const path of route.paths) {
        const operation = documented.get(`${route.method} ${path}`);
        expect(Object.keys(operation?.responses ?? {}), `${route.method} ${path}`).toEqual(
          statusesOf(route).map(String),
        );
      }
    }
  });

  it("the OpenAPI document begins with the budgets", () => {
    const { tags, paths } = JSON.parse(writeDescription(BASE_URL).text);
    expect(tags[0].name).toBe("Budgets");
    expect(paths["/api/public/budgets"].get.tags).toEqual(["Budgets"]);
    expect(paths["/api/public/budgets/{budgetId}/attachments"].get.tags).toEqual(["Attachments"]);
  });

  it("the examples of the OpenAPI document stay valid: dates in the future are decades away", () => {
    const dates = operations.flatMap(({ requestBody }) => {
      const text = JSON.stringify(Object.values(requestBody?.content ?? {}).map(({ example }) => example ?? null));
      return [...text.matchAll(/"(?:validUntil|expirationDate|expiresAt)":"(\d+)/g)].map(([, year]) => Number(year));
    });
    expect(dates.length).toBeGreaterThan(2);
    expect(Math.min(...dates)).toBeGreaterThan(2090);
  });

  it("the OpenAPI document has the public address of the service", () => {
    expect(JSON.parse(writeDescription("https://api.example/budgets/v1").text).servers).toEqual([
      { url: "https://api.example/budgets/v1" },
    ]);
  });

  it("the OpenAPI document shows callbacks like those that are sent, with their signatures", async () => {
    await inDocumentedWorld(hosts.fetch, async (world) => {
      await causeEveryEvent(world);
      const sent = new Set<string>();
      for (const { headers, body } of world.calls) {
        const payload: { event: string } = JSON.parse(body);
        sent.add(payload.event);
        const callback = callbacks.get(payload.event);
        check(mediaOf(callback).schema, payload);
        for (const { name, schema } of callback?.parameters ?? []) check(schema, headers[name.toLowerCase()]);
      }
      expect([...sent].sort()).toEqual([...callbacks.keys()].sort());
    });
  });
});

function mediaOf(callback: DocumentedOperation | undefined) {
  const media = callback?.requestBody?.content["application/json"];
  if (media === undefined) throw new Error("a callback is not documented");
  return media;
}

for (const [name, start] of Object.entries(hosts)) {
  describe(`The description behind ${name}`, () => {
    it("serves the OpenAPI document to anyone, byte for byte the same, and not twice", async () => {
      await inDocumentedWorld(start, async ({ send }) => {
        for (const path of ["/v1/openapi.json", "/v1/v1/openapi.json"]) {
          const answer = await send({ ...GET, path });
          expect([answer.status, answer.text === text]).toEqual([200, true]);
          expect(answer.headers).toMatchObject({
            "content-type": "application/json; charset=utf-8",
            "cache-control": "public, max-age=300",
            etag,
          });
        }
        const again = await send({ ...GET, path: "/v1/openapi.json", headers: { "if-none-match": etag } });
        expect([again.status, again.text]).toEqual([304, ""]);
      });
    });

    it("compresses the OpenAPI document for clients that accept it, under an ETag of its own", async () => {
      await inDocumentedWorld(start, async ({ send }) => {
        const asking = (headers: Readonly<Record<string, string>>, method = "GET") =>
          send({ ...GET, method, path: "/v1/openapi.json", headers });
        const answer = await asking({ "accept-encoding": "br;q=1, gzip" });
        expect(gunzipSync(answer.bytes).toString()).toBe(text);
        const tag = etag.replace(/"$/, '-gzip"');
        const length = String(answer.bytes.byteLength);
        expect(answer.headers).toMatchObject({
          "content-encoding": "gzip",
          "content-length": length,
          vary: "Accept-Encoding",
          etag: tag,
        });
        checkAnswer({ method: "GET", path: "/v1/openapi.json" }, { ...answer, text });
        const head = await asking({ "accept-encoding": "gzip" }, "HEAD");
        expect([head.headers["content-length"], head.bytes.byteLength]).toEqual([length, 0]);
        expect((await asking({ "accept-encoding": "gzip", "if-none-match": tag })).status).toBe(304);
        for (const refusing of ["gzip;q=0", "br", ""]) {
          const plain = await asking({ "accept-encoding": refusing, "if-none-match": tag });
          expect([plain.status, plain.text === text, plain.headers.etag]).toEqual([200, true, etag]);
          expect(plain.headers).not.toHaveProperty("content-encoding");
          expect(plain.headers.vary).toBe("Accept-Encoding");
        }
      });
    });
  });
}

/** A small run leaves out Hono: client/operations.test.ts calls every operation behind it. */
const FRAMEWORKS = SCALE === "full" ? (["Hono", "Express"] as const) : (["Express"] as const);

for (const name of FRAMEWORKS) {
  describe(`Every documented example behind ${name}`, () => {
    const cases = operations.flatMap((operation) => shownRequests(operation));

    it("answers every documented example as documented, with each type of its body and its answer", async () => {
      expect(cases.length).toBeGreaterThan(100);
      await inFewWorlds(
        cases,
        (operationId, body) => inDocumentedWorld(hosts[name], body, operationId),
        expectDocumentedAnswer,
      );
    });
  });
}

async function expectDocumentedAnswer(world: DocumentedWorld, { accept, ...shown }: ShownCase): Promise<void> {
  const headers: Record<string, string> = { ...shown.headers, ...(accept === null ? {} : { accept }) };
  const key = headers["Idempotency-Key"]; // all operations show the same, and a world takes it once
  if (key !== undefined) headers["Idempotency-Key"] = `${key}-${shown.operationId}-${accept}`;
  const answer = await sendShown(world, { ...shown, headers });
  const isSentOn = accept === "text/html" && shown.method === "POST" && !shown.operationId.startsWith("preview");
  expect(answer.status, `${shown.method} ${shown.pattern} as ${shown.mediaType} for ${accept}: ${answer.text}`).toBe(
    isSentOn ? 303 : shown.expected,
  );
  checkAnswer({ method: shown.method, path: `/v1${targetOf(shown)}` }, answer);
  const isFile = "as" in shown.query && shown.query.as === "pdf";
  const isPage = accept === "text/html" && !isSentOn && !isFile && !shown.pattern.endsWith(".json");
  if (isPage) expect(answer.headers["content-type"], shown.pattern).toContain("text/html");
}

describe("The documented examples", () => {
  it.each(operations)("the examples of $method $path fit their schemas, and leave out nothing", (operation) => {
    for (const { in: place, name, schema, example, examples } of operation.parameters) {
      if (place === "path") expect(example, name).toBeDefined();
      const values = [example, ...Object.values(examples ?? {}).map(({ value }) => value)];
      for (const value of values) if (value !== undefined) check(schema, value);
    }
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) check(schema, example);
    for (const { content = {} } of Object.values(operation.responses)) {
      for (const { schema, example } of Object.values(content))
        if (example !== undefined) checkExactly(schema, example);
    }
  });
});
