import { z } from "zod";
import { linkViewListSchema, listLinkViews } from "../../budgets/sharing/list-views.js";
import {
  createPublicLink,
  createPublicLinkSchema,
  type GivenLink,
  publicLinkViewSchema,
  type RemovedLinkView,
  readPublicLink,
  removedLinkViewSchema,
  removePublicLink,
} from "../../budgets/sharing/manage-link.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { byKey, defineRoute, noInput, nothing, optionalJsonBody, type Route, withoutBody } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";
import { expectedVersion } from "./expected-version.js";

const one = { paths: [`${BUDGETS}/{budgetId}/public-link`], params: budgetParams } as const;
const envelope = z.object({ data: publicLinkViewSchema });

/** The seller's side of public links. */
export const managedLinkRoutes: readonly Route[] = [
  defineRoute({
    ...byKey("READ_BUDGETS"),
    operationId: "listLinkViews",
    summary: "List the newest views of the public link of a budget, newest first",
    method: "GET",
    paths: [`${BUDGETS}/{budgetId}/views`],
    params: budgetParams,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: linkViewListSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query }) =>
      (await listLinkViews(context.budgets, actor, params.budgetId, query)).map((body) => ({ body })),
  }),
  defineRoute({
    ...one,
    ...byKey("WRITE_BUDGETS"), // who reads the link can accept in the customer's place
    ...noInput,
    operationId: "readPublicLink",
    summary: "Get the public link of a budget again",
    method: "GET",
    success: { status: 200, schema: envelope },
    refusals: [404, 422],
    secret: true,
    handler: async ({ context, actor, params, now }) =>
      (await readPublicLink(context.budgets, actor, params.budgetId, now)).map((data) => ({ body: { data } })),
  }),
  defineRoute({
    ...one,
    ...byKey("WRITE_BUDGETS"),
    operationId: "createPublicLink",
    summary: "Get the public link of a budget, made if there is none; `rotate` replaces it",
    method: "POST",
    query: nothing,
    body: optionalJsonBody(createPublicLinkSchema),
    success: { status: 201, again: 200, schema: envelope },
    refusals: [404, 409, 412, 422],
    idempotent: true,
    secret: true,
    handler: (call) => {
      const { context, actor, params, body, commit } = call;
      return commit(
        ({ link, isNew }: GivenLink) => ({ body: { data: link }, isAgain: !isNew }),
        async (options) => {
          const expected = await expectedVersion(call, actor, params.budgetId);
          return createPublicLink(context.budgets, actor, params.budgetId, body, {
            ...options,
            expectedVersion: expected,
          });
        },
      );
    },
  }),
  defineRoute({
    ...one,
    ...byKey("WRITE_BUDGETS"),
    ...noInput,
    operationId: "removePublicLink",
    summary: "End the public link of a budget",
    method: "DELETE",
    success: { status: 200, schema: z.object({ data: removedLinkViewSchema, message: z.string() }) },
    refusals: [404, 409, 412],
    idempotent: true,
    handler: (call) => {
      const { context, actor, params, commit } = call;
      return commit(
        (data: RemovedLinkView) => ({ body: { data, message: "The public link was ended." } }),
        async (options) => {
          const expected = await expectedVersion(call, actor, params.budgetId);
          return removePublicLink(context.budgets, actor, params.budgetId, { ...options, expectedVersion: expected });
        },
      );
    },
  }),
];
