import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, assertInvalid, assertStatus, assertWrong, BUDGETS, createBudget, createLink } from "./samples.js";

const LIMIT = 1024 * 1024;

export function bodyCases({ it }: HttpCases): void {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "json",
    "",
  ]) {
    it(`refuses a body of type "${type}" (415)`, async ({ full }) => {
      assertStatus(await full.post(BUDGETS, aBudgetBody(), { "content-type": type }), 415);
    });
  }

  for (const type of [
    "application/json; charset=UTF-8",
    'application/json;charset="utf-8"',
    "application/json; charset=utf8",
    'application/json; charset="UTF8"',
    "Application/JSON",
    "application/vnd.shop+json",
  ]) {
    it(`accepts a body of type "${type}"`, async ({ full }) => {
      assertStatus(await full.post(BUDGETS, aBudgetBody(), { "content-type": type }), 201);
    });
  }

  it("refuses a body without a type, and a compressed one (415)", async ({ full, send }) => {
    const headers = { authorization: `Bearer ${full.key}` };
    assert.equal((await send({ method: "POST", path: `/v1${BUDGETS}`, headers, body: "{}" })).status, 415);
    assertStatus(await full.post(BUDGETS, aBudgetBody(), { "content-encoding": "gzip" }), 415);
  });

  it("serves a call with an empty body of any type, for a key and for a user (curl -d '')", async (world) => {
    const id = await createBudget(world.full);
    for (const client of [world.full, world.owner]) {
      for (const type of [null, "application/x-www-form-urlencoded", "text/plain", "application/json; charset=utf16"]) {
        const headers = type === null ? {} : { "content-type": type };
        const linked = await client.post(`${BUDGETS}/${id}/public-link`, undefined, headers);
        assert.ok([200, 201].includes(linked.status), `${type}: ${linked.status} ${linked.body}`);
        assertStatus(await client.post(BUDGETS, undefined, headers), 400);
      }
      assertStatus(await client.post(`${BUDGETS}/${id}/public-link`, "x", { "content-type": "text/plain" }), 415);
    }
  });

  it("ignores the body of a request that reads none", async ({ full }) => {
    assertStatus(await full.send("DELETE", `${BUDGETS}/1`, "not json", { "content-type": "text/plain" }), 404);
  });

  for (const text of ["{", "{'a':1}", "nul", '{"a":01}', "{}{}", "\u0000", '{"a":NaN}', '{"a":Infinity}', '{"a":1,}']) {
    it(`refuses the JSON body ${JSON.stringify(text)} (INVALID_FORMAT)`, async ({ full }) => {
      assertInvalid(await full.post(BUDGETS, text), ":INVALID_FORMAT");
    });
  }

  it("requires a body where one is expected (REQUIRED)", async ({ full }) => {
    assertInvalid(await full.post(BUDGETS, ""), ":REQUIRED");
    assertInvalid(await full.post(BUDGETS), ":REQUIRED");
  });

  it("requires a JSON object as the body (INVALID_TYPE)", async ({ full }) => {
    for (const text of ["[]", "null", "1", '"text"', "true"]) {
      assertInvalid(await full.post(BUDGETS, text), ":INVALID_TYPE");
    }
  });

  it("refuses a body that is not UTF-8 (INVALID_FORMAT)", async ({ full }) => {
    assertInvalid(await full.post(BUDGETS, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])), ":INVALID_FORMAT");
  });

  it("refuses a deeply nested body, in known and unknown fields (INVALID_FORMAT)", async ({ full }) => {
    const deep = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
    assertInvalid(await full.post(BUDGETS, `{"metadata":${deep}}`), ":INVALID_FORMAT");
    assertInvalid(await full.post(BUDGETS, `{"unknown":${"[".repeat(9_000)}${"]".repeat(9_000)}}`), ":INVALID_FORMAT");
  });

  it("refuses NUL and half surrogates anywhere in a body (INVALID_FORMAT)", async ({ full }) => {
    assertInvalid(await full.post(BUDGETS, aBudgetBody({ notes: "a\u0000b" })), "notes:INVALID_FORMAT");
    assertInvalid(await full.post(BUDGETS, '{"unknown":"\\ud800"}'), "unknown:INVALID_FORMAT");
    assertInvalid(await full.post(BUDGETS, '{"metadata":{"\\udc00":1}}'), "metadata:INVALID_FORMAT");
  });

  for (const name of ["__proto__", "constructor", "prototype"]) {
    it(`refuses the field name ${name} (INVALID_VALUE)`, async ({ full }) => {
      const body = `{"customerId":"c","metadata":{"${name}":1}}`;
      assertInvalid(await full.post(BUDGETS, body), `metadata.${name}:INVALID_VALUE`);
    });
  }

  it("refuses a number that no double holds, wherever JSON is free (400)", async ({ full, owner, withKey }) => {
    const withMetadata = JSON.stringify(aBudgetBody({ metadata: { a: { b: [1, "HERE"] } } })).replace(
      '"HERE"',
      "1e999",
    );
    assertInvalid(await full.post(BUDGETS, withMetadata), "metadata.a.b[1]:INVALID_TYPE");
    const path = `${BUDGETS}/${(await full.post(BUDGETS, aBudgetBody())).text("data.id")}`;
    assertInvalid(await full.put(path, '{"metadata":{"a":-1e999}}'), "metadata.a:INVALID_TYPE");
    const catalog = await withKey({ scopes: ["WRITE_CUSTOMERS", "WRITE_PRODUCTS", "WEBHOOKS"] });
    for (const kind of ["customers", "products", "packages"]) {
      const refused = await catalog.post(`/api/public/${kind}`, '{"name":"A","metadata":{"a":1e999}}');
      assertInvalid(refused, "metadata.a:INVALID_TYPE");
    }
    const tested = await catalog.post("/api/public/webhooks/test", '{"event":"budget.created","data":{"a":[1e999]}}');
    assertInvalid(tested, "data.a[0]:INVALID_TYPE");
    assertWrong(await owner.post("/api/developer/integrations", '{"name":"A","config":{"a":1e999}}'), "config.a");
  });

  it("keeps any other text of a body unchanged", async ({ full }) => {
    const notes = 'Ñandú 🙂 "quoted" <b>\n\u2028 %_\\ \u202e';
    const created = await full.post(BUDGETS, aBudgetBody({ notes, metadata: { "a.b": [1, null, { c: "é" }] } }));
    const read = await full.get(`${BUDGETS}/${created.text("data.id")}`);
    read.assertData({ notes, metadata: { "a.b": [1, null, { c: "é" }] } });
  });

  it("reads a body of 1 MiB, and refuses a larger one (413)", async ({ full }) => {
    const padded = (bytes: number) => {
      const text = JSON.stringify(aBudgetBody({ padding: "" }));
      return text.replace('"padding":""', `"padding":"${"x".repeat(bytes - text.length)}"`);
    };
    assertStatus(await full.post(BUDGETS, padded(LIMIT)), 201);
    assert.equal(assertStatus(await full.post(BUDGETS, padded(LIMIT + 1)), 413).at("details.limitBytes"), LIMIT);
  });

  it("reads shorter bodies where no budget is written, and reports the limit (413)", async ({ owner, anonymous }) => {
    for (const [client, path, limit] of [
      [anonymous, "/auth/login", 16 * 1024],
      [owner, "/api-keys", 16 * 1024],
      [anonymous, "/p/none/decline", 32 * 1024],
      [anonymous, "/p/none/accept", 96 * 1024],
    ] as const) {
      assertStatus(await client.post(path, `{"x":"${"x".repeat(limit - 8)}"}`), 400);
      const refused = assertStatus(await client.post(path, `{"x":"${"x".repeat(limit - 7)}"}`), 413);
      assert.ok(refused.body.includes(`larger than ${limit} bytes`));
    }
  });

  it("accepts the longest reason that a form can carry", async ({ full, anonymous }) => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const body = `version=1&name=Ana&reason=${encodeURIComponent("太".repeat(2_000))}`;
    assertStatus(await anonymous.post(`${await createLink(full)}/decline`, body, form), 200);
  });

  it("accepts at most a hundred parameters of a query or a form", async ({ full, anonymous }) => {
    const parameters = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join("&");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assertStatus(await full.get(`${BUDGETS}?${parameters(100)}`), 200);
    assertInvalid(await full.get(`${BUDGETS}?${parameters(101)}`), ":INVALID_FORMAT");
    const path = `${await createLink(full)}/decline`;
    assertInvalid(await anonymous.post(path, `version=1&${parameters(100)}`, form), ":INVALID_FORMAT");
    assertStatus(await anonymous.post(path, `version=1&${parameters(99)}`, form), 200);
  });

  it("accepts the fields of 500 lines in the form of an acceptance, and no more than 2,000", async (world) => {
    const { full, anonymous } = world;
    const parameters = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join("&");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const path = `${await createLink(full)}/accept`;
    assertInvalid(await anonymous.post(path, `version=1&${parameters(2_000)}`, form), ":INVALID_FORMAT");
    assertStatus(await anonymous.post(path, `version=1&${parameters(1_999)}`, form), 200);
  });

  it("measures a body without a Content-Length (413)", async ({ full }) => {
    const large = new Uint8Array(LIMIT + 1).fill(0x20);
    assertStatus(await full.post(BUDGETS, large, { "transfer-encoding": "chunked" }), 413);
  });

  it("refuses a document of very many values before any schema sees it (400)", async ({ full }) => {
    assertInvalid(await full.post(BUDGETS, { items: new Array(100_000).fill(0) }), ":INVALID_FORMAT");
  });
}
