import { ok } from "neverthrow";
import { z } from "zod";
import { evidenceSchema } from "../../budgets/proof/evidence.js";
import { getEvidence } from "../../budgets/proof/read-evidence.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import { byKey, defineRoute, noInput, nothing, type Route, withoutBody } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";

const keySetSchema = z.object({
  keys: z.array(
    z.object({
      alg: z.literal("EdDSA"),
      crv: z.literal("Ed25519"),
      kid: z.string(),
      kty: z.literal("OKP"),
      use: z.literal("sig"),
      x: z.string(),
    }),
  ),
});

const evidenceQuery = z.object({
  revision: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be the number of a revision")
    .transform(Number)
    .optional()
    .meta({ wire: { type: "integer", minimum: 1, maximum: 999_999_999 } })
    .describe("The revision that was accepted. Default: the last one that was."),
});

/** The evidence of acceptances, and the keys to verify it. */
export const evidenceRoutes: readonly Route[] = [
  defineRoute({
    operationId: "getEvidence",
    summary: "Get the evidence of the acceptance of a budget",
    method: "GET",
    paths: [`${BUDGETS}/{budgetId}/evidence`],
    ...byKey("READ_BUDGETS"),
    params: budgetParams,
    query: evidenceQuery,
    body: withoutBody,
    success: { status: 200, schema: evidenceSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query }) =>
      (await getEvidence(context.budgets, actor, params.budgetId, query.revision ?? null)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getSigningKeys",
    summary: "Get the public keys that verify evidence, as a JSON Web Key Set",
    method: "GET",
    paths: ["/.well-known/jwks.json"],
    surface: "meta",
    auth: { kind: "none" },
    params: nothing,
    ...noInput,
    success: { status: 200, schema: keySetSchema, headers: ["etag"] },
    refusals: [],
    handler: async ({ context }) => {
      const text = await context.signingKeys.publicKeySet();
      return ok({ document: { text, etag: `"${sha256Hex(text)}"` } });
    },
  }),
];
