import assert from "node:assert/strict";
import { type Route, routes } from "@budgetkit/core/routes";
import { SCOPES, type Scope } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { callRoute } from "./route-requests.js";
import { assertStatus } from "./samples.js";

const SECRET = /secret$/;

/** The scope of a route by the contract, whatever the route table says. */
function scopeOf({ method, paths: [path] }: Route): Scope {
  if (path === "/api/public/webhooks/test") return "WEBHOOKS";
  const isRead = method === "GET" && !path.endsWith("/public-link"); // only writers of budgets may see their links
  if (path.startsWith("/api/public/customers")) return isRead ? "READ_CUSTOMERS" : "WRITE_CUSTOMERS";
  if (/^\/api\/public\/(?:products|packages)/.test(path)) return isRead ? "READ_PRODUCTS" : "WRITE_PRODUCTS";
  return isRead ? "READ_BUDGETS" : "WRITE_BUDGETS";
}

/** Every user reads, apart from secrets and other users, and looks after the own account. */
function isForMembers({ method, paths: [path] }: Route): boolean {
  const isOfUsers = path.startsWith("/api/developer/users");
  return path.startsWith("/auth/") || (method === "GET" && !SECRET.test(path) && !isOfUsers);
}

export function accessCases({ it }: HttpCases): void {
  for (const route of routes.filter(({ surface }) => surface === "public")) {
    const scope = scopeOf(route);
    it(`${route.operationId} requires ${scope}, and no other scope suffices (FORBIDDEN)`, async (world) => {
      const { anonymous, withKey } = world;
      assertStatus(await callRoute(anonymous, route), 401);
      const others = SCOPES.filter((other) => other !== scope);
      const refused = assertStatus(await callRoute(await withKey({ scopes: others }), route), 403);
      assert.equal(refused.at("error"), "forbidden");
      assertServed((await callRoute(await withKey({ scopes: [scope] }), route)).status);
    });
  }

  for (const route of routes.filter(({ surface, auth }) => surface === "management" && auth.kind !== "none")) {
    const users = isForMembers(route) ? "every user" : "OWNER and ADMIN";
    it(`${route.operationId} is open to ${users}, and to no key (UNAUTHORIZED)`, async (world) => {
      const { anonymous, owner, member, withKey } = world;
      for (const client of [anonymous, await withKey({ scopes: [...SCOPES] })]) {
        assertStatus(await callRoute(client, route), 401);
      }
      const reply = await callRoute(member, route);
      if (isForMembers(route)) assertServed(reply.status);
      else assert.equal(assertStatus(reply, 403).at("error.code"), "FORBIDDEN");
      assertServed((await callRoute(owner, route)).status);
    });
  }
}

/** The credential sufficed, whatever the request lacks else. */
function assertServed(status: number): void {
  assert.ok(status !== 401 && status !== 403 && status < 500, String(status));
}
