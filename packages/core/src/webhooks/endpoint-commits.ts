import { type Commit, commitOf, type Expected } from "../commit/commit.js";
import type { AuditEntry } from "../events/event.js";
import type { Delivery } from "./delivery.js";
import type { WebhookEndpoint } from "./endpoint.js";

export type WebhookWrite =
  /** A new endpoint rejects when the id is taken. */
  | { readonly kind: "endpoint"; readonly endpoint: WebhookEndpoint; readonly expected: Expected }
  /**
   * Removes the endpoint and its replay; `"missing"` when there is none. Its deliveries stay: the caller cancels the
   * waiting ones.
   */
  | { readonly kind: "endpoint-removal"; readonly id: string }
  /** A single delivery, leased or not: a test. */
  | { readonly kind: "delivery"; readonly delivery: Delivery };

/** The business has fewer endpoints than `limit`, disabled ones included; else `"webhook-limit"`. */
export interface EndpointsBelow {
  readonly kind: "endpoints-below";
  readonly limit: number;
}

export type WebhookCommit = Commit<WebhookWrite, EndpointsBelow>;

export function insertEndpointCommit(
  endpoint: WebhookEndpoint,
  limit: number = Number.POSITIVE_INFINITY,
  audit: readonly AuditEntry[] = [],
): WebhookCommit {
  return commitOf(endpoint.businessId, [{ kind: "endpoint", endpoint, expected: "absent" }], {
    conditions: [{ kind: "endpoints-below", limit }],
    audit,
  });
}

export function replaceEndpointCommit(
  endpoint: WebhookEndpoint,
  expected: number,
  audit: readonly AuditEntry[] = [],
): WebhookCommit {
  return commitOf(endpoint.businessId, [{ kind: "endpoint", endpoint, expected }], { audit });
}

export function removeEndpointCommit(businessId: string, id: string, audit: readonly AuditEntry[] = []): WebhookCommit {
  return commitOf(businessId, [{ kind: "endpoint-removal", id }], { audit });
}

export function testDeliveryCommit(delivery: Delivery): WebhookCommit {
  return commitOf(delivery.businessId, [{ kind: "delivery", delivery }]);
}
