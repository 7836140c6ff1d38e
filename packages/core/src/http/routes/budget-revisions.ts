import { z } from "zod";
import {
  compareRevisions,
  compareRevisionsSchema,
  getRevision,
  listRevisions,
} from "../../budgets/revisions/read-revisions.js";
import { revisionDifferenceSchema } from "../../budgets/revisions/revision-difference.js";
import { revisionListSchema, revisionViewSchema } from "../../budgets/revisions/revision-view.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { byKey, defineRoute, noInput, type Route, withoutBody } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";

const REVISIONS = `${BUDGETS}/{budgetId}/revisions` as const;
const revisionParams = budgetParams.extend({ revision: z.string() });

export const budgetRevisionRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listBudgetRevisions",
    summary: "List the revisions of a budget, newest first",
    method: "GET",
    paths: [REVISIONS],
    ...byKey("READ_BUDGETS"),
    params: budgetParams,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: revisionListSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query, now }) =>
      (await listRevisions(context.budgets, actor, params.budgetId, query, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getBudgetRevision",
    summary: "Get a revision of a budget",
    method: "GET",
    paths: [`${REVISIONS}/{revision}`],
    ...byKey("READ_BUDGETS"),
    params: revisionParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: revisionViewSchema }) },
    refusals: [404],
    handler: async ({ context, actor, params, now }) =>
      (await getRevision(context.budgets, actor, params.budgetId, params.revision, now)).map((data) => ({
        body: { data },
      })),
  }),
  defineRoute({
    operationId: "compareBudgetRevisions",
    summary: "Compare two revisions of a budget",
    method: "GET",
    paths: [`${REVISIONS}/{revision}/difference`],
    ...byKey("READ_BUDGETS"),
    params: revisionParams,
    query: compareRevisionsSchema,
    body: withoutBody,
    success: { status: 200, schema: z.object({ data: revisionDifferenceSchema }) },
    refusals: [404],
    handler: async ({ context, actor, params, query, now }) =>
      (await compareRevisions(context.budgets, actor, params.budgetId, params.revision, query, now)).map((data) => ({
        body: { data },
      })),
  }),
];
