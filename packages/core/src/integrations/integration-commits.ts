import { type Commit, commitOf, type Expected } from "../commit/commit.js";
import type { AuditEntry } from "../events/event.js";
import type { Integration } from "./integration.js";

export type IntegrationWrite =
  /** A new integration rejects when the id is taken. */
  | { readonly kind: "integration"; readonly integration: Integration; readonly expected: Expected }
  /** `"missing"` when there is none: of concurrent callers exactly one removes it. */
  | { readonly kind: "integration-removal"; readonly id: string };

/** The business has fewer integrations than `limit`, of any status; else `"integration-limit"`. */
export interface IntegrationsBelow {
  readonly kind: "integrations-below";
  readonly limit: number;
}

export type IntegrationCommit = Commit<IntegrationWrite, IntegrationsBelow>;

export function insertIntegrationCommit(
  integration: Integration,
  limit: number = Number.POSITIVE_INFINITY,
  audit: readonly AuditEntry[] = [],
): IntegrationCommit {
  return commitOf(integration.businessId, [{ kind: "integration", integration, expected: "absent" }], {
    conditions: [{ kind: "integrations-below", limit }],
    audit,
  });
}

export function replaceIntegrationCommit(
  integration: Integration,
  expected: number,
  audit: readonly AuditEntry[] = [],
): IntegrationCommit {
  return commitOf(integration.businessId, [{ kind: "integration", integration, expected }], { audit });
}

export function removeIntegrationCommit(
  businessId: string,
  id: string,
  audit: readonly AuditEntry[] = [],
): IntegrationCommit {
  return commitOf(businessId, [{ kind: "integration-removal", id }], { audit });
}
