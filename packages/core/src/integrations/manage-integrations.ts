import { err, ok, type Result } from "neverthrow";
import { refuseUnlessAdministrator, refuseUnlessReader } from "../access/permissions.js";
import type { Actor } from "../kernel/actor.js";
import { toTimestamp } from "../kernel/clock.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import type { Integration } from "./integration.js";
import type { IntegrationContext } from "./integration-context.js";
import {
  type CreateIntegrationInput,
  type DeletedIntegrationView,
  type IntegrationList,
  type IntegrationView,
  integrationViewOf,
  type UpdateIntegrationInput,
} from "./integration-view.js";

/** How many integrations a business has at most. */
export const MAX_INTEGRATIONS = 1_000;

const tooMany: Problem = brokenRule(
  "TOO_MANY_INTEGRATIONS",
  `A business has at most ${MAX_INTEGRATIONS} integrations, inactive ones included; delete one first.`,
  { limit: MAX_INTEGRATIONS },
);

/** Errors: forbidden; not-found for an unknown business; UNKNOWN_REFERENCE, TOO_MANY_INTEGRATIONS. */
export async function createIntegration(
  context: IntegrationContext,
  actor: Actor,
  input: CreateIntegrationInput,
): Promise<Result<IntegrationView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  if ((await context.store.findBusiness(businessId)) === null) return err(notFound("business", businessId));
  const unknown = await findUnknownReference(context, businessId, input);
  if (unknown !== null) return err(unknown);
  const now = context.clock.now();
  const integration: Integration = {
    businessId,
    id: await context.ids.next(),
    version: 1,
    name: input.name,
    description: input.description ?? null,
    status: input.status ?? "ACTIVE",
    apiKeyId: input.apiKeyId ?? null,
    webhookIds: input.webhookIds ?? [],
    config: input.config ?? {},
    createdAt: now,
    updatedAt: now,
  };
  const outcome = await context.store.insertIntegration(integration, MAX_INTEGRATIONS);
  return outcome === "written" ? ok(integrationViewOf(integration)) : err(tooMany);
}

/** The integrations of the business, newest first. Errors: forbidden. */
export async function listIntegrations(
  { store }: IntegrationContext,
  actor: Actor,
  request: PageRequest,
): Promise<Result<IntegrationList, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const page = await store.listIntegrations(actor.businessId, request.limit, (request.page - 1) * request.limit);
  return ok({ data: page.entries.map(integrationViewOf), pagination: paginationOf(request, page) });
}

/** Errors: forbidden, not-found. */
export async function getIntegration(
  { store }: IntegrationContext,
  actor: Actor,
  integrationId: string,
): Promise<Result<IntegrationView, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const integration = await store.findIntegration(actor.businessId, integrationId);
  return integration === null ? err(notFound("integration", integrationId)) : ok(integrationViewOf(integration));
}

const ATTEMPTS = 10;

/**
 * Takes over what was given, by compare-and-set; when another writer came between, on what is stored by then.
 * Errors: forbidden, not-found, UNKNOWN_REFERENCE, a conflict when others keep coming between.
 */
export async function updateIntegration(
  context: IntegrationContext,
  actor: Actor,
  integrationId: string,
  input: UpdateIntegrationInput,
): Promise<Result<IntegrationView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { store } = context;
  const { businessId } = actor;
  const now = context.clock.now();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await store.findIntegration(businessId, integrationId);
    if (current === null) return err(notFound("integration", integrationId));
    const unknown = await findUnknownReference(context, businessId, input);
    if (unknown !== null) return err(unknown);
    const integration = { ...withSettings(current, input), version: current.version + 1, updatedAt: now };
    if ((await store.replaceIntegration(integration, current.version)) === "written") {
      return ok(integrationViewOf(integration));
    }
  }
  return err({
    kind: "conflict",
    message: "Others keep changing this integration; try again.",
    details: { id: integrationId },
  });
}

/** null clears a field; only an absent one stays as it is. */
function withSettings(current: Integration, input: UpdateIntegrationInput): Integration {
  return {
    ...current,
    name: input.name ?? current.name,
    description: input.description === undefined ? current.description : input.description,
    status: input.status ?? current.status,
    apiKeyId: input.apiKeyId === undefined ? current.apiKeyId : input.apiKeyId,
    webhookIds: input.webhookIds ?? current.webhookIds,
    config: input.config ?? current.config,
  };
}

/** Removes it for good; its key and its webhooks stay. Errors: forbidden, not-found. */
export async function deleteIntegration(
  { store, clock }: IntegrationContext,
  actor: Actor,
  integrationId: string,
): Promise<Result<DeletedIntegrationView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const now = clock.now();
  const isGone = await store.deleteIntegration(actor.businessId, integrationId);
  return isGone ? ok({ id: integrationId, deletedAt: toTimestamp(now) }) : err(notFound("integration", integrationId));
}

/**
 * UNKNOWN_REFERENCE at the first id given that is not the business's own, the same for another business's as for one
 * that nobody has; null when there is none. A revoked key is still the business's.
 */
async function findUnknownReference(
  { store }: IntegrationContext,
  businessId: string,
  { apiKeyId, webhookIds = [] }: Pick<UpdateIntegrationInput, "apiKeyId" | "webhookIds">,
): Promise<Problem | null> {
  if (apiKeyId !== null && apiKeyId !== undefined && (await store.findKey(businessId, apiKeyId)) === null) {
    return unknownReference("apiKeyId", "API key", apiKeyId);
  }
  const endpoints = await Promise.all(webhookIds.map((id) => store.findEndpoint(businessId, id)));
  for (const [index, id] of webhookIds.entries()) {
    if (endpoints[index] === null) return unknownReference(`webhookIds[${index}]`, "webhook", id);
  }
  return null;
}

function unknownReference(field: string, what: string, id: string): Problem {
  return brokenRule("UNKNOWN_REFERENCE", `The business has no ${what} of this id.`, { field, id });
}
