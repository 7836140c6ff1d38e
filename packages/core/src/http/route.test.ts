import { ok } from "neverthrow";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { PublicCaller, UserActor } from "../access/authenticate.js";
import { statusesOf } from "./error-schemas.js";
import { defineRoute, jsonBody, nothing, type RouteDefinition, withoutBody } from "./route.js";
import { routes } from "./route-table.js";

const open = {
  operationId: "test",
  summary: "A test",
  method: "POST",
  paths: ["/test/{id}"],
  surface: "meta",
  params: nothing,
  query: nothing,
  body: withoutBody,
  success: { status: 200, schema: z.object({ sum: z.number() }) },
  refusals: [],
} as const;

describe("defineRoute", () => {
  it("defineRoute infers the types of the handler's input and reply", () => {
    defineRoute({
      ...open,
      auth: { kind: "key", scope: "READ_BUDGETS" },
      params: z.object({ id: z.string() }),
      query: z.object({ page: z.string().transform(Number) }),
      body: jsonBody(z.object({ amounts: z.array(z.number()) })),
      handler: async ({ actor, params, query, body }) => {
        expectTypeOf(actor).toEqualTypeOf<PublicCaller>();
        expectTypeOf(params).toEqualTypeOf<{ id: string }>();
        expectTypeOf(query).toEqualTypeOf<{ page: number }>();
        expectTypeOf(body).toEqualTypeOf<{ amounts: number[] }>();
        return ok({ body: { sum: 0 } });
      },
    });
    defineRoute({
      ...open,
      auth: { kind: "user" },
      handler: async ({ actor }) => {
        expectTypeOf(actor).toEqualTypeOf<UserActor>();
        return ok({ body: { sum: 0 } });
      },
    });
    defineRoute({
      ...open,
      auth: { kind: "none" },
      // @ts-expect-error the answer does not fit the schema
      handler: async ({ actor }) => {
        expectTypeOf(actor).toEqualTypeOf<null>();
        return ok({ body: { sum: "0" } });
      },
    });
    expectTypeOf(defineRoute).toBeFunction();
  });

  it("defineRoute validates the input and reports the first invalid part", () => {
    const strict = z.object({ n: z.number() });
    const auth: RouteDefinition<{ kind: "none" }, typeof strict, typeof strict, typeof strict, z.ZodType>["auth"] = {
      kind: "none",
    };
    const route = defineRoute({
      ...open,
      auth,
      params: strict,
      query: strict,
      body: jsonBody(strict),
      handler: async () => ok({ body: { sum: 0 } }),
    });
    const good = { n: 1 };
    expect(route.prepare({ params: good, query: good, body: good }).isOk()).toBe(true);
    for (const input of [
      { params: {}, query: good, body: good },
      { params: good, query: {}, body: good },
      { params: good, query: good, body: {} },
    ]) {
      expect(route.prepare(input)._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field: "n" }] });
    }
  });
});

describe("the route table", () => {
  it("the route table has each operation id once", () => {
    const names = routes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it("the route table has a parameter schema for each parameter, under its name", () => {
    for (const route of routes) {
      for (const path of route.paths) {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
        const params = Object.fromEntries(names.map((name) => [name, "1"]));
        expect(route.params.parse(params), route.operationId).toEqual(params);
      }
    }
  });

  it("every public path needs the read or write scope of its group, and the test path WEBHOOKS", () => {
    const groups: Readonly<Record<string, string>> = {
      customers: "CUSTOMERS",
      products: "PRODUCTS",
      packages: "PRODUCTS",
    };
    for (const { surface, method, auth, operationId, paths } of routes) {
      const group = groups[paths[0].split("/")[3] ?? ""] ?? "BUDGETS";
      const reads = method === "GET" && operationId !== "readPublicLink"; // who has the link can accept
      const isTest = paths[0].startsWith("/api/public/webhooks/");
      const access = isTest
        ? { scope: "WEBHOOKS", keysAlone: true }
        : { scope: `${reads ? "READ" : "WRITE"}_${group}` };
      if (surface === "public") expect(auth, operationId).toEqual({ kind: "key", ...access });
      else expect(auth.kind, operationId).not.toBe("key");
    }
  });

  it("every login route that writes, reads a secret or reads other users needs an administrator", () => {
    for (const { auth, method, role, secret, operationId, paths } of routes) {
      const isOwn = paths[0].startsWith("/auth/"); // concerns the caller alone
      const isOfUsers = paths[0].startsWith("/api/developer/users");
      const isGuarded = auth.kind === "user" && !isOwn && (method !== "GET" || secret || isOfUsers);
      expect(role, operationId).toBe(isGuarded ? "administrator" : undefined);
    }
  });

  it("the route table accepts long bodies for budgets alone", () => {
    for (const { surface, bodyLimitBytes, operationId } of routes) {
      const isFreeForm = operationId.endsWith("Integration") && bodyLimitBytes === 128 * 1024; // its config
      const hasChoices = ["acceptPublicBudget", "previewPublicBudget"].includes(operationId);
      expect(bodyLimitBytes <= 32 * 1024, operationId).toBe(surface !== "public" && !isFreeForm && !hasChoices);
      expect(bodyLimitBytes === 96 * 1024, operationId).toBe(hasChoices);
    }
  });

  it("the route table documents the statuses of each route", () => {
    const statusesByName = Object.fromEntries(routes.map((route) => [route.operationId, statusesOf(route)]));
    expect(statusesByName.listBudgets).toEqual([200, 400, 401, 403, 429, 500, 503]);
    expect(statusesByName.getBudget).toContain(304);
    expect(statusesByName.createBudget).toEqual([201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503]);
    expect(statusesByName.login).toEqual([201, 400, 401, 413, 415, 429, 500, 503]);
  });
});
