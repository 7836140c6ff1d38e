import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { assertStatus, BUDGETS, createBudget } from "./samples.js";

export function routingCases({ it }: HttpCases): void {
  it("the root shows name and version to anyone", async ({ anonymous, send }) => {
    assert.equal((await anonymous.get("/")).at("version"), "1.1.0");
    const bare = await send({ method: "GET", path: "/v1", headers: {}, body: null });
    assert.deepEqual(JSON.parse(bare.text), { name: "Budgetkit", version: "1.1.0" });
  });

  it("serves the OpenAPI description to anyone, with 304 when it has not changed", async ({ anonymous }) => {
    const described = assertStatus(await anonymous.get("/openapi.json"), 200);
    described.assertAt({ openapi: "3.1.0", "info.version": "1.1.0" });
    const again = await anonymous.get("/openapi.json", { "if-none-match": described.headers.etag ?? "" });
    assertStatus(again, 304);
    assert.equal(again.headers.etag, described.headers.etag);
  });

  it(
    "sends the description again, with trustedOrigins too, if only the compressed one is known",
    async ({ anonymous }) => {
      const plain = (await anonymous.get("/openapi.json")).headers.etag ?? "";
      const known = { "if-none-match": plain.replace(/"$/, '-gzip"') };
      for (const headers of [known, { ...known, origin: "https://app.example" }]) {
        const again = assertStatus(await anonymous.get("/openapi.json", headers), 200);
        assert.equal(again.headers.vary, "Accept-Encoding, Origin");
        assertStatus(await anonymous.get("/openapi.json", { ...headers, "accept-encoding": "gzip" }), 304);
      }
    },
    { service: { trustedOrigins: ["https://app.example"] } },
  );

  it("accepts the version segment once, twice or more", async ({ full }) => {
    const id = await createBudget(full);
    const once = await full.get(`${BUDGETS}/${id}`);
    const twice = await full.get(`/v1${BUDGETS}/${id}`);
    const thrice = await full.get(`/v1/v1${BUDGETS}/${id}`);
    assertStatus(once, 200);
    assert.equal(twice.body, once.body);
    assert.equal(thrice.body, once.body);
  });

  const nowhere = [
    `${BUDGETS}/`,
    `/api//public/budgets`,
    `//api/public/budgets`,
    `${BUDGETS}//1`,
    `${BUDGETS}/1/`,
    `${BUDGETS}/..`,
    `${BUDGETS}/.`,
    `${BUDGETS}/%2e`,
    `${BUDGETS}/%2E%2e`,
    `${BUDGETS}/1%2fsubmit`,
    `${BUDGETS}/1%5Csubmit`,
    `${BUDGETS}/1%00`,
    `${BUDGETS}/%zz`,
    `${BUDGETS}/%c3%28`,
    `${BUDGETS}/${"9".repeat(600)}`,
    "/API/public/budgets",
    "/api/public/%62udgets",
    "/api/public",
    "/api/public/nothing",
    "/v2/api/public/budgets",
    "/p",
    "/auth",
  ];
  for (const path of nowhere) {
    it(`finds nothing at ${path.slice(0, 60)} (404)`, async ({ full }) => {
      assertStatus(await full.get(path), 404);
    });
  }

  it("refuses an unsupported method and lists the supported ones (405)", async ({ full, owner, anonymous }) => {
    const list = assertStatus(await full.send("PATCH", BUDGETS), 405);
    assert.equal(list.headers.allow, "GET, HEAD, POST");
    assert.equal(list.at("error"), "method_not_allowed");
    const key = assertStatus(await owner.send("POST", "/api-keys/1", {}), 405);
    assert.equal(key.headers.allow, "GET, HEAD, PUT, DELETE");
    assert.equal(key.at("error.code"), "METHOD_NOT_ALLOWED");
    assertStatus(await anonymous.get("/auth/login"), 405);
    assertStatus(await full.get("/api/budgets/public"), 405);
    assertStatus(await full.put(`${BUDGETS}/preview`), 405);
    assertStatus(await full.send("OPTIONS", BUDGETS), 405);
  });

  it("answers HEAD like GET, without its body", async ({ full }) => {
    const id = await createBudget(full);
    const head = assertStatus(await full.send("HEAD", `${BUDGETS}/${id}`), 200);
    assert.equal(head.body, "");
    assert.match(head.headers.etag ?? "", /^"v1-[0-9a-f]{8}"$/);
    assert.equal(head.headers["content-type"], "application/json; charset=utf-8");
    assertStatus(await full.send("HEAD", `${BUDGETS}/999`), 404);
  });

  it("writes each error in the shape of its surface", async ({ full, owner, anonymous }) => {
    assert.equal((await full.get(`${BUDGETS}/999`)).at("error"), "resource_not_found");
    assert.equal((await anonymous.get("/nowhere")).at("error"), "resource_not_found");
    assert.equal((await owner.get("/api-keys/999")).at("error.code"), "RESOURCE_NOT_FOUND");
    assert.equal((await owner.get("/api/developer/nowhere")).at("error.code"), "RESOURCE_NOT_FOUND");
  });

  it("keeps a harmless request id and replaces any other", async ({ anonymous }) => {
    const kept = await anonymous.get("/", { "x-request-id": "req:7f.A-1_b" });
    assert.equal(kept.headers["x-request-id"], "req:7f.A-1_b");
    for (const given of ["", "has space", "a".repeat(129), "<script>", "ñ"]) {
      const replaced = await anonymous.get("/", { "x-request-id": given });
      assert.notEqual(replaced.headers["x-request-id"], given);
    }
  });

  it("makes a new request id each time, for errors too", async ({ anonymous, full }) => {
    const ids = [await anonymous.get("/"), await anonymous.get("/"), await full.get("/nowhere")].map(
      ({ headers }) => headers["x-request-id"],
    );
    assert.equal(new Set(ids).size, 3);
  });
}
