import { err, ok, type Result } from "neverthrow";
import type { AccessStore } from "../access/access-store.js";
import { matchCommitted } from "../commit/match-committed.js";
import type { RunCommit } from "../commit/run-commit.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import type { AuditEntry, AuditType } from "../events/event.js";
import { auditedChange } from "../events/field-changes.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../kernel/actor.js";
import { type Clock, toTimestamp } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import type { EndpointStore } from "../webhooks/webhook-store.js";
import type { Integration } from "./integration.js";
import {
  type IntegrationsBelow,
  type IntegrationWrite,
  insertIntegrationCommit,
  removeIntegrationCommit,
  replaceIntegrationCommit,
} from "./integration-commits.js";
import type { IntegrationStore } from "./integration-store.js";
import {
  type CreateIntegrationInput,
  type DeletedIntegrationView,
  type IntegrationList,
  type IntegrationView,
  integrationViewOf,
  type UpdateIntegrationInput,
} from "./integration-view.js";

export interface IntegrationContext {
  readonly commit: RunCommit<IntegrationWrite, IntegrationsBelow>;
  readonly store: IntegrationStore &
    Pick<AccessStore, "findBusiness" | "findKey"> &
    Pick<EndpointStore, "findEndpoint">;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Per business. */
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
    id: await context.ids.next(businessId),
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
  const audit = await auditOf(context, actor, { type: "integration.created", before: null, after: integration });
  const committed = await context.commit(insertIntegrationCommit(integration, MAX_INTEGRATIONS, audit));
  return matchCommitted(committed, { written: ok(integrationViewOf(integration)), "integration-limit": err(tooMany) });
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

/**
 * Changes the given fields by compare-and-set; when another writer wins, it starts again from the stored integration.
 * Errors: forbidden, not-found, UNKNOWN_REFERENCE, conflict after repeated lost writes.
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
  return retryOnConflict(
    async () => {
      const current = await store.findIntegration(businessId, integrationId);
      if (current === null) return err(notFound("integration", integrationId));
      const unknown = await findUnknownReference(context, businessId, input);
      if (unknown !== null) return err(unknown);
      const integration = { ...withSettings(current, input), version: current.version + 1, updatedAt: now };
      const audit = await auditOf(context, actor, { type: "integration.updated", before: current, after: integration });
      const committed = await context.commit(replaceIntegrationCommit(integration, current.version, audit));
      return matchCommitted(committed, { written: ok(integrationViewOf(integration)), stale: STALE });
    },
    () => keepsChanging("integration", integrationId),
  );
}

/** null clears a field; an absent value keeps it. */
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

/** Deletes the integration; its key and its webhooks stay. Errors: forbidden, not-found. */
export async function deleteIntegration(
  context: IntegrationContext,
  actor: Actor,
  integrationId: string,
): Promise<Result<DeletedIntegrationView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const now = context.clock.now();
  const current = await context.store.findIntegration(actor.businessId, integrationId);
  if (current === null) return err(notFound("integration", integrationId));
  const audit = await auditOf(context, actor, { type: "integration.deleted", before: current, after: null });
  const committed = await context.commit(removeIntegrationCommit(actor.businessId, integrationId, audit));
  return matchCommitted(committed, {
    written: ok({ id: integrationId, deletedAt: toTimestamp(now) }),
    missing: err(notFound("integration", integrationId)),
  });
}

interface IntegrationAct {
  readonly type: AuditType;
  readonly before: Integration | null;
  readonly after: Integration | null;
}

/**
 * Empty for an update that changes no value. The values of `config` are left out: clients may keep secrets there,
 * which must end with it.
 */
async function auditOf(
  { ids, clock }: IntegrationContext,
  actor: Actor,
  { type, before, after }: IntegrationAct,
): Promise<readonly AuditEntry[]> {
  const view = (integration: Integration | null) => (integration === null ? null : integrationViewOf(integration));
  const { change, data } = auditedChange(view(before), view(after));
  if (type === "integration.updated" && change.fields.length === 0) return [];
  const { config: _, ...changes } = data.changes;
  const subjectId = (before ?? after)?.id ?? "";
  return [await makeAuditEntry(ids, actor, { type, subjectId, now: clock.now(), change, data: { changes } })];
}

/**
 * UNKNOWN_REFERENCE for the first id that does not belong to the business, identical for ids of other businesses and
 * unused ids; null = all ids belong to the business. Revoked keys count.
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

function unknownReference(field: string, resource: string, id: string): Problem {
  return brokenRule("UNKNOWN_REFERENCE", `The business has no ${resource} with this id.`, { field, id });
}
