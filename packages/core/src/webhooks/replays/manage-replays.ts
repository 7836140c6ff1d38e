import { err, ok, type Result } from "neverthrow";
import { makeAuditEntry } from "../../events/audit-entry.js";
import { EVENT_TYPES } from "../../events/event.js";
import { coversType } from "../../events/event-pattern.js";
import { auditedChange } from "../../events/field-changes.js";
import { newestEntry, nextEntries } from "../../events/next-entries.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { endOf, startOf, timeZoneFor, type WireDate } from "../../kernel/dates.js";
import { brokenRule, notFound, type Problem } from "../../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../../kernel/retry-on-conflict.js";
import { refuseWhenFull } from "../../limits/storage-quota.js";
import { isDisabled } from "../deliveries/manage-deliveries.js";
import { chargeReplay } from "../deliveries/subscriber-limits.js";
import type { WebhookEndpoint } from "../endpoint.js";
import { findEndpoint } from "../endpoints/manage-endpoints.js";
import type { Replay } from "../replay.js";
import type { WebhookContext } from "../webhook-context.js";
import { type ReplayView, replayViewOf, type StartReplayInput } from "./replay-view.js";

/**
 * Begins to send stored events to an endpoint; the dispatcher continues in bounded steps. The audit entry commits with
 * it. Limited to ten times per minute and endpoint.
 * Errors: forbidden, not-found, conflict while a replay to the endpoint runs; WEBHOOK_DISABLED, NOTHING_TO_REPLAY,
 * QUOTA_EXCEEDED, rate-limited.
 */
export async function startReplay(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  input: StartReplayInput,
  now: Instant = context.clock.now(),
): Promise<Result<ReplayView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const endpoint = await findEndpoint(context, actor, endpointId);
  if (endpoint.isErr()) return err(endpoint.error);
  if (endpoint.value.status !== "ACTIVE") return err(isDisabled);
  const events = input.events ?? null;
  if (!EVENT_TYPES.some((type) => coversType(events, type) && coversType(endpoint.value.events, type))) {
    return err(nothingToReplay("The webhook receives none of these events."));
  }
  const { store, ids } = context;
  const { businessId } = actor;
  const limited = await chargeReplay(context, businessId, endpointId, now); // first: to find a range takes long
  if (limited !== null) return err(limited);
  const full = await refuseWhenFull(store, businessId, context.quota);
  if (full !== null) return err(full);
  const range = await rangeOf(context, endpoint.value, input);
  if (range.isErr()) return err(range.error);
  const id = await ids.next(businessId);
  const started = await retryOnConflict(
    async () => {
      const former = await store.findReplay(businessId, endpointId);
      if (former?.status === "running") return err(isRunning(former));
      const version = former?.version ?? 0;
      const progress = { ...range.value, nextSequence: range.value.firstSequence, sent: 0 };
      const times = { createdAt: now, updatedAt: now };
      const first = { businessId, endpointId, id, version: version + 1, status: "running", events } as const;
      const replay: Replay = { ...first, ...progress, ...times };
      const audit = await auditOf(context, actor, "webhook.replay_started", replay);
      return (await store.writeReplay(replay, version, [], audit)) === "stale" ? STALE : ok(replay);
    },
    () => keepsChanging("replay", endpointId),
  );
  context.wake();
  return started.map(replayViewOf);
}

/** The last replay to the endpoint and how far it is. Errors: forbidden, not-found. */
export async function getReplay(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
): Promise<Result<ReplayView, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  return (await findReplay(context, actor, endpointId)).map(replayViewOf);
}

/** Ends a replay. The deliveries that it has made stay. Errors: forbidden, not-found, REPLAY_NOT_RUNNING. */
export async function cancelReplay(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  now: Instant = context.clock.now(),
): Promise<Result<ReplayView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const cancelled = await retryOnConflict(
    async () => {
      const found = await findReplay(context, actor, endpointId);
      if (found.isErr()) return err(found.error);
      const { version, status } = found.value;
      if (status !== "running") return err(brokenRule("REPLAY_NOT_RUNNING", "This replay has ended.", { status }));
      const replay: Replay = { ...found.value, version: version + 1, status: "cancelled", updatedAt: now };
      const audit = await auditOf(context, actor, "webhook.replay_cancelled", replay);
      return (await context.store.writeReplay(replay, version, [], audit)) === "stale" ? STALE : ok(replay);
    },
    () => keepsChanging("replay", endpointId),
  );
  return cancelled.map(replayViewOf);
}

async function findReplay(context: WebhookContext, actor: Actor, endpointId: string): Promise<Result<Replay, Problem>> {
  const endpoint = await findEndpoint(context, actor, endpointId);
  if (endpoint.isErr()) return err(endpoint.error);
  const replay = await context.store.findReplay(actor.businessId, endpointId);
  return replay === null ? err(notFound("replay", endpointId)) : ok(replay);
}

type Range = Pick<Replay, "firstSequence" | "untilSequence">;

/** The sequences of the first and the last entry. A first one that retention has removed is the oldest that is kept. */
async function rangeOf(
  context: WebhookContext,
  { businessId }: WebhookEndpoint,
  { since, fromSequence, until }: StartReplayInput,
): Promise<Result<Range, Problem>> {
  const { store } = context;
  const untilSequence = await lastSequence(context, businessId, until);
  const from = since === undefined ? fromSequence : await firstSequenceSince(context, businessId, since);
  const first = from === undefined ? null : (await nextEntries(store, businessId, { after: from - 1, limit: 1 }))[0];
  const firstSequence = first?.sequence;
  if (firstSequence !== undefined && firstSequence <= untilSequence) return ok({ firstSequence, untilSequence });
  const newest = (await newestEntry(store, businessId))?.sequence ?? 0;
  return err(nothingToReplay("There are no events in this range.", { newest }));
}

/** 0 = there is none. */
async function lastSequence(
  { store }: WebhookContext,
  businessId: string,
  until: WireDate | undefined,
): Promise<number> {
  if (until === undefined) return (await newestEntry(store, businessId))?.sequence ?? 0;
  const moment = endOf(until, await timeZoneFor(store, businessId, until));
  const { entries } = await store.listEvents(businessId, { ...ANY, until: moment, limit: 1, offset: 0 });
  return entries[0]?.sequence ?? 0;
}

async function firstSequenceSince(
  { store }: WebhookContext,
  businessId: string,
  date: WireDate,
): Promise<number | undefined> {
  const query = { ...ANY, since: startOf(date, await timeZoneFor(store, businessId, date)) };
  const { total } = await store.listEvents(businessId, { ...query, limit: 1, offset: 0 });
  if (total === 0) return undefined;
  const { entries } = await store.listEvents(businessId, { ...query, limit: 1, offset: total - 1 });
  return entries[0]?.sequence;
}

const ANY = { type: null, subjectId: null, since: null, until: null };

function auditOf(
  { ids }: WebhookContext,
  actor: Actor,
  type: "webhook.replay_started" | "webhook.replay_cancelled",
  { endpointId, updatedAt, ...replay }: Replay,
) {
  const { firstSequence, nextSequence, untilSequence, events } = replay;
  const shown = type === "webhook.replay_started" ? { firstSequence, untilSequence, events } : { nextSequence };
  return makeAuditEntry(ids, actor, { type, subjectId: endpointId, now: updatedAt, ...auditedChange(null, shown) });
}

function nothingToReplay(message: string, details: Readonly<Record<string, unknown>> = {}): Problem {
  return brokenRule("NOTHING_TO_REPLAY", message, details);
}

function isRunning({ id, nextSequence, untilSequence }: Replay): Problem {
  const message = "A replay to this webhook is running; wait for its end, or cancel it.";
  return { kind: "conflict", message, details: { id, nextSequence, untilSequence } };
}
