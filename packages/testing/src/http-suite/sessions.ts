import assert from "node:assert/strict";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertStatus, assertWrong } from "./samples.js";
import { OLGA, PASSWORD } from "./world.js";

export function sessionCases(cases: HttpCases): void {
  withOlga(cases);
  hostCases(cases);
}

function withOlga(cases: HttpCases): void {
  /** A case in which Olga has an account: the world makes it for the first request of `owner`. */
  const it: HttpCases["it"] = (name, body) =>
    cases.it(name, async (world) => {
      assertStatus(await world.owner.get("/api-keys"), 200);
      await body(world);
    });

  it("a login answers with tokens and the user, at both spellings of the path (201)", async (world) => {
    const { anonymous, business } = world;
    for (const path of ["/auth/login", "/v1/auth/login"]) {
      const session = assertStatus(await anonymous.post(path, OLGA), 201);
      assert.equal(session.text("access_token").split(".").length, 3);
      session.assertAt({ token_type: "Bearer", expires_in: 3_600, "user.email": "olga@example.com" });
      session.assertAt({ "user.role": "OWNER", "user.businessId": Number(business.businessId) });
    }
  });

  it("refuses a wrong password and an unknown email alike (UNAUTHORIZED)", async ({ anonymous }) => {
    const wrong = await anonymous.post("/auth/login", { ...OLGA, password: "wrong password" });
    const unknown = await anonymous.post("/auth/login", { email: "nobody@example.com", password: PASSWORD });
    assertStatus(wrong, 401);
    assertStatus(unknown, 401);
    assert.equal(wrong.body, unknown.body);
    assert.equal(wrong.at("error.code"), "UNAUTHORIZED");
  });

  it("a login requires email and password, as text (400)", async ({ anonymous }) => {
    const refused = await anonymous.post("/auth/login", { password: 5 });
    assertWrong(refused, "email");
    assert.equal(refused.at("error.details.1.field"), "password");
  });

  it("refuses logins from a network after ten failures on an account for 15 minutes, the right password too (429)", async (world) => {
    const { anonymous, clock } = world;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      assertStatus(await anonymous.post("/auth/login", OLGA), 201);
      assertStatus(await anonymous.post("/auth/login", { ...OLGA, password: "wrong password" }), 401);
    }
    const refused = assertStatus(await anonymous.post("/auth/login", OLGA), 429);
    refused.assertAt({ error: "rate_limit_exceeded", "details.limit": 10, "details.remaining": 0 });
    clock.advance(15 * MINUTE_MS);
    assertStatus(await anonymous.post("/auth/login", OLGA), 201);
  });

  it("a session lasts an hour, and longer when it is refreshed", async (world) => {
    const session = await world.anonymous.post("/auth/login", OLGA);
    const client = world.as(session.text("access_token"));
    world.clock.advance(HOUR_MS - 1_000);
    assertStatus(await client.get("/api-keys"), 200);
    world.clock.advance(1_000);
    assertStatus(await client.get("/api-keys"), 401);
    const token = session.text("refresh_token");
    const refreshed = assertStatus(await world.anonymous.post("/auth/refresh", { refresh_token: token }), 201);
    assertStatus(await world.as(refreshed.text("access_token")).get("/api-keys"), 200);
  });

  it("a session ends for good when a refresh token is used twice (UNAUTHORIZED)", async (world) => {
    const session = await world.anonymous.post("/auth/login", OLGA);
    const used = { refresh_token: session.text("refresh_token") };
    const refreshed = await world.anonymous.post("/auth/refresh", used);
    assertStatus(await world.anonymous.post("/auth/refresh", used), 401);
    assertStatus(await world.as(refreshed.text("access_token")).get("/api-keys"), 401);
    const next = { refresh_token: refreshed.text("refresh_token") };
    assertStatus(await world.anonymous.post("/auth/refresh", next), 401);
  });

  it("refuses a wrong or lapsed refresh token (UNAUTHORIZED)", async ({ anonymous, clock }) => {
    const session = await anonymous.post("/auth/login", OLGA);
    assertStatus(await anonymous.post("/auth/refresh", { refresh_token: session.text("access_token") }), 401);
    assertStatus(await anonymous.post("/auth/refresh", {}), 400);
    clock.advance(30 * DAY_MS);
    assertStatus(await anonymous.post("/auth/refresh", { refresh_token: session.text("refresh_token") }), 401);
  });

  it("the logout ends a session at once", async ({ owner }) => {
    assertStatus(await owner.post("/auth/logout"), 200);
    assertStatus(await owner.get("/api-keys"), 401);
    assertStatus(await owner.post("/auth/logout"), 401);
  });

  it("refuses an access token that was changed (UNAUTHORIZED)", async (world) => {
    const session = await world.anonymous.post("/auth/login", OLGA);
    const [header = "", payload = "", signature = ""] = session.text("access_token").split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const other = Buffer.from('{"sub":"1"}').toString("base64url");
    for (const token of [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${other}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      "a.b.c",
    ]) {
      assertStatus(await world.as(token).get("/api-keys"), 401);
    }
  });
}

function hostCases({ it }: HttpCases): void {
  it(
    "resolveUser of the host decides who calls, and the service's tokens are refused",
    async ({ owner, anonymous }) => {
      assertStatus(await owner.get("/api-keys"), 401);
      assertStatus(await anonymous.get("/api-keys", { "x-user": "7" }), 200);
      assertStatus(await anonymous.post("/api-keys", { name: "a", scopes: ["WEBHOOKS"] }, { "x-user": "7" }), 403);
      assertStatus(await anonymous.post("/auth/logout", undefined, { "x-user": "7" }), 403);
    },
    {
      service: {
        resolveUser: async (request) =>
          request.header("x-user") === null ? null : { businessId: "1", userId: "7", role: "MEMBER" },
      },
    },
  );

  it(
    "a host that reads a cookie refuses requests that a page elsewhere could make a browser send",
    async ({ anonymous, business }) => {
      const cookie = { cookie: business.businessId };
      const created = await anonymous.post("/api-keys", { name: "a", scopes: ["WEBHOOKS"] }, cookie);
      const path = `/api-keys/${created.text("id")}/regenerate`;
      const elsewhere = { ...cookie, "sec-fetch-site": "cross-site" };
      assertStatus(await anonymous.post(path, undefined, elsewhere), 403);
      assertStatus(await anonymous.post(path, "{}", { ...elsewhere, "content-type": "text/plain" }), 403);
      assertStatus(await anonymous.post(path, "{}", { ...cookie, "content-type": "text/plain" }), 415);
      assertStatus(await anonymous.post(path, {}, cookie), 200);
      assertStatus(await anonymous.post(path, undefined, { ...cookie, "sec-fetch-site": "same-origin" }), 200);
    },
    {
      service: {
        resolveUser: async (request) => ({ businessId: request.header("cookie") ?? "", userId: "7", role: "ADMIN" }),
      },
    },
  );
}
