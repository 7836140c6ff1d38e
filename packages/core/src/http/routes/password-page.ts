import { ok } from "neverthrow";
import { z } from "zod";
import { setPassword, setPasswordSchema } from "../../access/account/reset-by-token.js";
import { messagePage, passwordPage } from "../pages/plain-pages.js";
import { defineRoute, jsonOrFormBody, nothing, type Route, withoutBody } from "../route.js";

const page = {
  surface: "link",
  auth: { kind: "none" },
  paths: ["/auth/password-page"],
  params: nothing,
  success: { status: 200, schema: z.unknown() },
} as const;

/**
 * The page on which an invited user, or one who lost the password, sets a password. Opening it changes nothing, because
 * mail scanners follow links. Not part of the OpenAPI document: programs call `setPassword`.
 */
export const passwordPageRoutes: readonly Route[] = [
  defineRoute({
    ...page,
    method: "GET",
    operationId: "openPasswordPage",
    summary: "The page that sets a password",
    query: z.object({ token: z.string().max(255) }),
    body: withoutBody,
    refusals: [],
    handler: async ({ query }) => ok({ html: passwordPage(query.token) }),
  }),
  defineRoute({
    ...page,
    method: "POST",
    operationId: "sendPasswordPage",
    summary: "The form of the page that sets a password",
    query: nothing,
    body: jsonOrFormBody(setPasswordSchema, (fields) => fields),
    refusals: [409, 422, 429],
    handler: async ({ context, body, request, now }) =>
      (await setPassword(context.access, body, request.clientAddress(), now)).map(({ message }) => ({
        html: messagePage("Your password", message),
      })),
  }),
];
