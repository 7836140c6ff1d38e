import { z } from "zod";
import { login, loginSchema } from "../../access/login/login.js";
import { loginViewSchema, logout, refreshSchema, refreshSession } from "../../access/login/session.js";
import { byUser, defineRoute, jsonBody, noInput, nothing, type Route } from "../route.js";

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
    handler: async ({ context, body, request, now }) =>
      (await login(context.access, body, request.clientAddress(), now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    operationId: "refreshSession",
    summary: "Exchange a refresh token for new tokens",
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
    handler: async ({ context, body, request, now }) =>
      (await refreshSession(context.access, body, request.clientAddress(), now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    operationId: "logout",
    summary: "End the session immediately",
    method: "POST",
    paths: ["/auth/logout"],
    ...byUser,
    beforeSecondFactor: true,
    uncounted: true, // a session can always be ended, and that ends its requests
    params: nothing,
    ...noInput,
    success: { status: 200, schema: z.object({ message: z.string() }) },
    refusals: [],
    handler: async ({ context, actor, now }) =>
      (await logout(context.access, actor, now)).map((view) => ({ body: view })),
  }),
];
