import { z } from "zod";
import { eventPatterns } from "../../events/event-pattern.js";
import { toTimestamp } from "../../kernel/clock.js";
import { timestampView, wireDate } from "../../kernel/fields.js";
import { REPLAY_STATUSES, type Replay } from "../replay.js";

export const startReplaySchema = z
  .object({
    /** Begins with the first event at this time or later; a plain date is a day in the time zone of the business. */
    since: wireDate.optional(),
    /** Begins with this event, or the first that is kept after it. */
    fromSequence: z.int().min(1).optional(),
    /** Ends with the last event at this time or before. Default: the last event so far. */
    until: wireDate.optional(),
    /** Names and patterns, as in an endpoint. Default: every event that the endpoint receives. */
    events: eventPatterns.nullish().describe("As in an endpoint. Default: every event that the endpoint receives."),
  })
  .refine(({ since, fromSequence }) => (since === undefined) !== (fromSequence === undefined), {
    path: ["fromSequence"],
    message: "must be given, or since, and not both",
  });
export type StartReplayInput = z.output<typeof startReplaySchema>;
/** Where a replay begins and ends: exactly one of `since` and `fromSequence` is given. */
export type StartReplay = z.input<typeof startReplaySchema>;

export const replayViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** The endpoint. */
    webhookId: z.string(),
    /** `running`, also while it waits for the endpoint or for room in the quota; `finished` when every delivery is made. */
    status: z.enum(REPLAY_STATUSES).describe("`finished`: every delivery is made, and sent or still retried."),
    /** Null = every event that the endpoint receives. */
    events: eventPatterns.nullable().describe("Null = every event that the endpoint receives."),
    /** Sequence of the first event; higher than was asked for where retention has removed the ones before. */
    firstSequence: z
      .int()
      .describe("Sequence of the first event; higher than was asked for where retention has removed the ones before."),
    /** Sequence of the event with which the next step begins. */
    nextSequence: z.int().describe("Sequence of the event with which the next step begins."),
    /** Sequence of the last event, fixed at the start. */
    untilSequence: z.int().describe("Sequence of the last event, fixed at the start."),
    /** How many deliveries were made so far. */
    sent: z.int().describe("How many deliveries were made so far."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Of the last step. ISO 8601, in UTC. */
    updatedAt: timestampView,
  })
  .meta({ id: "WebhookReplay" });
export type ReplayView = z.infer<typeof replayViewSchema>;

export function replayViewOf(replay: Replay): ReplayView {
  return {
    id: replay.id,
    webhookId: replay.endpointId,
    status: replay.status,
    events: replay.events === null ? null : [...replay.events],
    firstSequence: replay.firstSequence,
    nextSequence: replay.nextSequence,
    untilSequence: replay.untilSequence,
    sent: replay.sent,
    createdAt: toTimestamp(replay.createdAt),
    updatedAt: toTimestamp(replay.updatedAt),
  };
}
