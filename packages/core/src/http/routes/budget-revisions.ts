import { z } from "zod";
import { compareRevisions, compareRevisionsSchema, getRevision, listRevisions } from "../../budgets/read-revisions.js";
import { revisionDifferenceSchema } from "../../budgets/revision-difference.js";
import { revisionListSchema, revisionViewSchema } from "../../budgets/revision-view-schema.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { defineRoute, noBody, nothing, type Route } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";

const REVISIONS = `${BUDGETS}/{budgetId}/revisions` as const;
const revisionParams = budgetParams.extend({ revision: z.string() });

export const budgetRevisionRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listBudgetRevisions",
    summary: "The revisions of a budget, newest first",
    method: "GET",
    paths: [REVISIONS],
    surface: "public",
    auth: { kind: "key", scope: "READ_BUDGETS" },
    params: budgetParams,
    query: pageQuerySchema,
    body: noBody,
    success: { status: 200, schema: revisionListSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query, now }) =>
      (await listRevisions(context.budgets, actor, params.budgetId, query, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getBudgetRevision",
    summary: "A budget as it was at a revision",
    method: "GET",
    paths: [`${REVISIONS}/{revision}`],
    surface: "public",
    auth: { kind: "key", scope: "READ_BUDGETS" },
    params: revisionParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: z.object({ data: revisionViewSchema }) },
    refusals: [404],
    handler: async ({ context, actor, params, now }) =>
      (await getRevision(context.budgets, actor, params.budgetId, params.revision, now)).map((data) => ({
        body: { data },
      })),
  }),
  defineRoute({
    operationId: "compareBudgetRevisions",
    summary: "What changed between two revisions of a budget",
    method: "GET",
    paths: [`${REVISIONS}/{revision}/difference`],
    surface: "public",
    auth: { kind: "key", scope: "READ_BUDGETS" },
    params: revisionParams,
    query: compareRevisionsSchema,
    body: noBody,
    success: { status: 200, schema: z.object({ data: revisionDifferenceSchema }) },
    refusals: [404],
    handler: async ({ context, actor, params, query, now }) =>
      (await compareRevisions(context.budgets, actor, params.budgetId, params.revision, query, now)).map((data) => ({
        body: { data },
      })),
  }),
];
