import { withMails } from "../../budgets/notices/notices.js";
import { matchCommitted } from "../../commit/match-committed.js";
import { makeAuditEntry } from "../../events/audit-entry.js";
import type { AuditEntry } from "../../events/event.js";
import { auditedChange } from "../../events/field-changes.js";
import { DAY_MS, type Instant, toTimestamp } from "../../kernel/clock.js";
import type { IdSource } from "../../kernel/ids.js";
import { cancelWaiting } from "../deliveries/bounded-steps.js";
import type { WebhookEndpoint } from "../endpoint.js";
import { replaceEndpointCommit } from "../endpoint-commits.js";
import { endpointViewOf } from "../endpoints/endpoint-view.js";
import type { WebhookContext } from "../webhook-context.js";

/** The result of a call of the endpoint. `"gone"`: status 410. */
export type HealthSignal = "works" | "failed" | "gone";

const FAILING_DAYS = 5;
const GONE = "The receiver answered 410 Gone.";

/**
 * The endpoint after a call; null = unchanged. It is disabled after five days without a success in which calls failed on
 * at least five days: a failure before and one after a quiet week do not suffice.
 */
export function decideHealth(endpoint: WebhookEndpoint, signal: HealthSignal, now: Instant): WebhookEndpoint | null {
  const { status, failingSince } = endpoint;
  if (status === "DISABLED") return null;
  if (signal === "works") return failingSince === null ? null : { ...endpoint, failingSince: null, failedOn: [] };
  const disabled = { ...endpoint, status: "DISABLED", failingSince: failingSince ?? now } as const;
  if (signal === "gone") return { ...disabled, disabledReason: GONE };
  return afterFailure({ ...endpoint, failingSince: failingSince ?? now }, now);
}

function afterFailure(
  endpoint: WebhookEndpoint & { readonly failingSince: Instant },
  now: Instant,
): WebhookEndpoint | null {
  const { failingSince, failedOn = [] } = endpoint;
  const isCounted = now - (failedOn.at(-1) ?? Number.NEGATIVE_INFINITY) < DAY_MS;
  const days = isCounted ? failedOn : [...failedOn, now];
  if (days.length >= FAILING_DAYS && now - failingSince >= FAILING_DAYS * DAY_MS) {
    const disabledReason = `Every call since ${toTimestamp(failingSince)} failed, on ${days.length} different days.`;
    return { ...endpoint, failedOn: days, status: "DISABLED", disabledReason };
  }
  return isCounted ? null : { ...endpoint, failedOn: days };
}

/** The result of one call of an endpoint. */
export interface HealthReport {
  readonly endpoint: WebhookEndpoint; // at the start of the call
  readonly signal: HealthSignal;
  readonly now: Instant;
}

/**
 * Whether the result may change the endpoint. A success does where the endpoint was failing before the call, or a call
 * of this process `hasFailed` meanwhile.
 */
export function isNews({ endpoint, signal }: HealthReport, hasFailed: boolean): boolean {
  return signal !== "works" || endpoint.failingSince !== null || hasFailed;
}

/** Recorded results, by endpoint, of calls that ended in the same turn of the event loop. */
export type RecordedHealth = Map<string, Promise<void>>;

/** Records the result of a call. Successes of one endpoint that share `recorded` share a lookup. */
export function recordHealthOnce(
  context: WebhookContext,
  report: HealthReport,
  recorded: RecordedHealth,
): Promise<void> {
  if (report.signal !== "works") return recordHealth(context, report);
  const { businessId, id, healthRound } = report.endpoint;
  const name = `${businessId} ${id} ${healthRound}`;
  const recording = recorded.get(name) ?? recordHealth(context, report);
  recorded.set(name, recording);
  return recording;
}

const ATTEMPTS = 10;

/**
 * Records the result of a call on the stored endpoint, by compare-and-set; repeated conflicts lose the signal. `endpoint`
 * is its state at the start of the call: a signal from before a reactivation or a new URL is ignored. Disabling the
 * endpoint leaves an audit entry in the same commit, and cancels its waiting deliveries.
 */
export async function recordHealth(
  { store, commit, ids, tellDisabled }: WebhookContext,
  { endpoint: { businessId, id, healthRound }, signal, now }: HealthReport,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await store.findEndpoint(businessId, id);
    if (current?.healthRound !== healthRound) return;
    const decided = decideHealth(current, signal, now);
    if (decided === null) return;
    const next = { ...decided, version: current.version + 1, updatedAt: now };
    const isDisabled = next.status === "DISABLED";
    const audit = isDisabled ? [await auditDisabling(ids, current, next)] : [];
    const mails = isDisabled ? await tellDisabled(next, now) : [];
    const committed = await commit(withMails(replaceEndpointCommit(next, current.version, audit), mails));
    if (matchCommitted(committed, { written: false, stale: true })) continue;
    if (isDisabled) await cancelWaiting(store, businessId, { kind: "endpoint", id }, now);
    return;
  }
}

function auditDisabling(ids: IdSource, before: WebhookEndpoint, after: WebhookEndpoint): Promise<AuditEntry> {
  const { businessId, id: subjectId, updatedAt: now } = after;
  const changed = auditedChange(endpointViewOf(before), endpointViewOf(after));
  return makeAuditEntry(ids, { kind: "system", businessId }, { type: "webhook.updated", subjectId, now, ...changed });
}
