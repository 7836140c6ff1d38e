import { z } from "zod";
import {
  changeEmail,
  changeEmailSchema,
  changePassword,
  changePasswordSchema,
  getOwnAccount,
} from "../../access/account/own-account.js";
import {
  requestPasswordReset,
  requestResetSchema,
  setPassword,
  setPasswordSchema,
} from "../../access/account/reset-by-token.js";
import {
  confirmTotp,
  confirmTotpSchema,
  disableTotp,
  disableTotpSchema,
  enrolTotp,
  enrolTotpSchema,
  recoveryCodesSchema,
  totpViewSchema,
} from "../../access/account/second-factor.js";
import { ownAccountViewSchema, userViewSchema } from "../../access/user-view.js";
import { byUser, defineRoute, jsonBody, noInput, nothing, type Route } from "../route.js";

const post = { method: "POST", params: nothing, query: nothing } as const;
const byAnyone = { surface: "management", auth: { kind: "none" } } as const;
const done = { status: 200, schema: z.object({ message: z.string() }) } as const;

/** What a user does to the own account, and how a lost password is replaced. */
export const ownAccountRoutes: readonly Route[] = [
  defineRoute({
    ...byUser,
    ...noInput,
    operationId: "getOwnAccount",
    beforeSecondFactor: true,
    summary: "Get the own account",
    method: "GET",
    params: nothing,
    paths: ["/auth/account"],
    success: { status: 200, schema: ownAccountViewSchema },
    refusals: [],
    handler: async ({ context, actor }) => (await getOwnAccount(context.access, actor)).map((body) => ({ body })),
  }),
  defineRoute({
    ...post,
    ...byUser,
    operationId: "changePassword",
    summary: "Change the own password; the other sessions end",
    paths: ["/auth/password"],
    body: jsonBody(changePasswordSchema),
    success: done,
    refusals: [409, 422, 429],
    handler: async ({ context, actor, body, request, now }) =>
      (await changePassword(context.access, actor, body, { clientAddress: request.clientAddress(), now })).map(
        (view) => ({
          body: view,
        }),
      ),
  }),
  defineRoute({
    ...post,
    ...byUser,
    operationId: "changeEmail",
    summary: "Change the email of the own login",
    paths: ["/auth/email"],
    body: jsonBody(changeEmailSchema),
    success: { status: 200, schema: userViewSchema },
    refusals: [409, 422, 429],
    handler: async ({ context, actor, body, request, now }) =>
      (await changeEmail(context.access, actor, body, { clientAddress: request.clientAddress(), now })).map((view) => ({
        body: view,
      })),
  }),
  defineRoute({
    ...post,
    ...byAnyone,
    operationId: "requestPasswordReset",
    summary: "Request a mail with a token that sets a new password",
    paths: ["/auth/password-reset"],
    body: jsonBody(requestResetSchema),
    success: done,
    refusals: [429, 501],
    handler: async ({ context, body, request, now }) =>
      (await requestPasswordReset(context.access, body, request.clientAddress(), now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    ...post,
    ...byAnyone,
    operationId: "setPassword",
    summary: "Set a password with the token of an invitation or a reset",
    paths: ["/auth/set-password"],
    body: jsonBody(setPasswordSchema),
    success: done,
    refusals: [409, 422, 429],
    handler: async ({ context, body, request, now }) =>
      (await setPassword(context.access, body, request.clientAddress(), now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    ...post,
    ...byUser,
    operationId: "enrolTotp",
    beforeSecondFactor: true,
    summary: "Make the secret of a generator of codes; only this response contains it",
    paths: ["/auth/totp"],
    body: jsonBody(enrolTotpSchema),
    success: { status: 201, schema: totpViewSchema },
    refusals: [409, 422, 429],
    secret: true,
    handler: async ({ context, actor, body, request, now }) =>
      (await enrolTotp(context.access, actor, body, { clientAddress: request.clientAddress(), now })).map((view) => ({
        body: view,
      })),
  }),
  defineRoute({
    ...post,
    ...byUser,
    operationId: "confirmTotp",
    beforeSecondFactor: true,
    summary: "Turn the second factor on with a code; only this response contains the recovery codes",
    paths: ["/auth/totp/confirm"],
    body: jsonBody(confirmTotpSchema),
    success: { status: 200, schema: recoveryCodesSchema },
    refusals: [409, 422, 429],
    secret: true,
    handler: async ({ context, actor, body, request, now }) =>
      (await confirmTotp(context.access, actor, body, { clientAddress: request.clientAddress(), now })).map((view) => ({
        body: view,
      })),
  }),
  defineRoute({
    ...post,
    ...byUser,
    operationId: "disableTotp",
    summary: "Remove the own second factor",
    paths: ["/auth/totp/disable"],
    body: jsonBody(disableTotpSchema),
    success: done,
    refusals: [409, 422, 429],
    handler: async ({ context, actor, body, request, now }) =>
      (await disableTotp(context.access, actor, body, { clientAddress: request.clientAddress(), now })).map((view) => ({
        body: view,
      })),
  }),
];
