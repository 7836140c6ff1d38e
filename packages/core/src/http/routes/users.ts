import { err, type Result } from "neverthrow";
import { z } from "zod";
import {
  type IssuedToken,
  inviteUser,
  inviteUserSchema,
  issuedTokenSchema,
  resendInvitation,
} from "../../access/account/invite-user.js";
import {
  endUserSessions,
  removeUser,
  resetSecondFactor,
  updateUser,
  updateUserSchema,
} from "../../access/administer-users.js";
import { getUser, listUsers } from "../../access/manage-users.js";
import { accountViewSchema, userListSchema } from "../../access/user-view.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import type { Problem } from "../../kernel/problem.js";
import type { HttpContext } from "../http-context.js";
import { byAdministrator, defineRoute, jsonBody, noInput, nothing, type Route, withoutBody } from "../route.js";

const USERS = "/api/developer/users";
const ofUser = { ...byAdministrator, params: z.object({ userId: z.string() }) } as const;
const account = { status: 200, schema: accountViewSchema } as const;

/** The users of the caller's business, for its administrators. */
export const userRoutes: readonly Route[] = [
  defineRoute({
    ...byAdministrator,
    operationId: "listUsers",
    summary: "List the users of the business, in the order of their creation",
    method: "GET",
    paths: [USERS],
    params: nothing,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: userListSchema },
    refusals: [],
    handler: ({ context, actor, query }) =>
      withOwnLogin(context, async () => (await listUsers(context.access, actor, query)).map((body) => ({ body }))),
  }),
  defineRoute({
    ...byAdministrator,
    operationId: "inviteUser",
    summary: "Invite a user, who sets a password by the link; only this response contains it",
    method: "POST",
    paths: [USERS],
    params: nothing,
    query: nothing,
    body: jsonBody(inviteUserSchema),
    success: { status: 201, schema: issuedTokenSchema, headers: ["location"] },
    refusals: [404, 409],
    idempotent: true,
    secret: true,
    handler: ({ context, actor, body, commit }) =>
      commit(
        (issued: IssuedToken) => ({ body: issued, location: `${USERS}/${issued.user.id}` }),
        (options) => withOwnLogin(context, () => inviteUser(context.access, actor, body, options)),
      ),
  }),
  defineRoute({
    ...ofUser,
    ...noInput,
    operationId: "getUser",
    summary: "Get a user of the business",
    method: "GET",
    paths: [`${USERS}/{userId}`],
    success: account,
    refusals: [404],
    handler: ({ context, actor, params }) =>
      withOwnLogin(context, async () =>
        (await getUser(context.access, actor, params.userId)).map((body) => ({ body })),
      ),
  }),
  defineRoute({
    ...ofUser,
    operationId: "updateUser",
    summary: "Change a user's name or role, or disable or enable the user",
    method: "PUT",
    paths: [`${USERS}/{userId}`],
    query: nothing,
    body: jsonBody(updateUserSchema),
    success: account,
    refusals: [404, 409, 422],
    handler: ({ context, actor, params, body, now }) =>
      withOwnLogin(context, async () =>
        (await updateUser(context.access, actor, params.userId, body, now)).map((view) => ({ body: view })),
      ),
  }),
  defineRoute({
    ...ofUser,
    ...noInput,
    operationId: "removeUser",
    summary: "Delete a user; the sessions end immediately",
    method: "DELETE",
    paths: [`${USERS}/{userId}`],
    success: { status: 200, schema: z.object({ data: accountViewSchema, message: z.string() }) },
    refusals: [404, 409, 422],
    handler: ({ context, actor, params, now }) =>
      withOwnLogin(context, async () =>
        (await removeUser(context.access, actor, params.userId, now)).map((data) => ({
          body: { data, message: "User deleted." },
        })),
      ),
  }),
  defineRoute({
    ...ofUser,
    ...noInput,
    operationId: "endUserSessions",
    summary: "End all sessions of a user, who may log in again",
    method: "POST",
    paths: [`${USERS}/{userId}/end-sessions`],
    success: account,
    refusals: [404, 409],
    handler: ({ context, actor, params, now }) =>
      withOwnLogin(context, async () =>
        (await endUserSessions(context.access, actor, params.userId, now)).map((body) => ({ body })),
      ),
  }),
  defineRoute({
    ...ofUser,
    ...noInput,
    operationId: "removeUserSecondFactor",
    summary: "Remove the second factor of a user who lost it; the sessions end",
    method: "POST",
    paths: [`${USERS}/{userId}/remove-second-factor`],
    success: account,
    refusals: [404, 409, 422],
    handler: ({ context, actor, params, now }) =>
      withOwnLogin(context, async () =>
        (await resetSecondFactor(context.access, actor, params.userId, now)).map((body) => ({ body })),
      ),
  }),
  defineRoute({
    ...ofUser,
    ...noInput,
    operationId: "resendInvitation",
    summary: "Replace the invitation of a user who has not joined yet; only this response contains the link",
    method: "POST",
    paths: [`${USERS}/{userId}/invitation`],
    success: { status: 200, schema: issuedTokenSchema },
    refusals: [404, 409, 422],
    secret: true,
    handler: ({ context, actor, params, now }) =>
      withOwnLogin(context, async () =>
        (await resendInvitation(context.access, actor, params.userId, now)).map((body) => ({ body })),
      ),
  }),
];

/** Runs an operation on users of the service. Errors: forbidden where the host has a login of its own. */
async function withOwnLogin<T>(
  { resolveUser }: HttpContext,
  run: () => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  return resolveUser === null ? run() : err(usersOfHost);
}

const usersOfHost: Problem = {
  kind: "forbidden",
  message: "The host of this service has its own login. Its users are managed there.",
};
