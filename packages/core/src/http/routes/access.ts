import { z } from "zod";
import { login, loginSchema } from "../../access/login.js";
import { loginViewSchema, logout, refreshSchema, refreshSession } from "../../access/session.js";
import { defineRoute, jsonBody, noBody, nothing, type Route } from "../route.js";

export const accessRoutes: readonly Route[] = [
  defineRoute({
    operationId: "login",
    summary: "Log in with email and password",
    method: "POST",
    paths: ["/auth/login"],
    surface: "management",
    auth: { kind: "none" },
    params: nothing,
    query: nothing,
    body: jsonBody(loginSchema),
    success: { status: 201, schema: loginViewSchema },
    refusals: [401, 429],
    secret: true,
    handler: async ({ context, body, clientAddress, now }) =>
      (await login(context.access, body, clientAddress(), now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    operationId: "refreshSession",
    summary: "Trade a refresh token for new tokens",
    method: "POST",
    paths: ["/auth/refresh"],
    surface: "management",
    auth: { kind: "none" },
    params: nothing,
    query: nothing,
    body: jsonBody(refreshSchema),
    success: { status: 201, schema: loginViewSchema },
    refusals: [401],
    secret: true,
    handler: async ({ context, body, now }) =>
      (await refreshSession(context.access, body, now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    operationId: "logout",
    summary: "End the session at once",
    method: "POST",
    paths: ["/auth/logout"],
    surface: "management",
    auth: { kind: "user" },
    params: nothing,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: z.object({ message: z.string() }) },
    refusals: [],
    handler: async ({ context, actor, now }) =>
      (await logout(context.access, actor, now)).map((view) => ({ body: view })),
  }),
];
