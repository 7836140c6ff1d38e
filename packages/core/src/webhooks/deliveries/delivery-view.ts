import { z } from "zod";
import { EVENT_TYPES } from "../../events/event.js";
import { timestampOrNull, toTimestamp } from "../../kernel/clock.js";
import { pageQuery, paginationSchema, timestampView, wireDate } from "../../kernel/fields.js";
import { type Attempt, DELIVERY_STATUSES, type Delivery, MAX_LISTED_ATTEMPTS } from "../delivery.js";

/** Query parameters of the delivery list. */
export const listDeliveriesSchema = z.object({
  ...pageQuery,
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: z.enum(EVENT_TYPES).optional(),
});
export type ListDeliveriesInput = z.output<typeof listDeliveriesSchema>;

/** Redelivers deliveries created at `since` or later that failed or were cancelled; a plain date is a day in UTC. */
export const redeliverSchema = z.object({ since: wireDate });
export type RedeliverInput = z.output<typeof redeliverSchema>;

const MAX_TEST_DATA_BYTES = 64 * 1024;

/** Source: contract, Webhook test. */
export const testSchema = z
  .object({
    /** Name of the event. */
    event: z.enum(EVENT_TYPES),
    /** The payload for the receiver, or the entries of a page. */
    data: z
      .record(z.string(), z.unknown())
      .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= MAX_TEST_DATA_BYTES, {
        message: `must be at most ${MAX_TEST_DATA_BYTES} bytes of JSON`,
        params: { code: "MAX_LENGTH" },
      }),
  })
  .meta({ id: "WebhookTest" });
/** The event of a test callback. */
export interface WebhookTest extends z.input<typeof testSchema> {}
export type TestInput = z.output<typeof testSchema>;

/** For an endpoint both fields are optional. */
export const endpointTestSchema = testSchema.extend({
  event: testSchema.shape.event.default("budget.created"),
  data: testSchema.shape.data.default({}),
});

const attemptViewSchema = z
  .object({
    /** 1 for the first. */
    number: z.int(),
    /** ISO 8601, in UTC. */
    startedAt: timestampView.nullable().describe("Null = unknown, as is the result: no process reported it in time."),
    /** Milliseconds. */
    durationMs: z.number().nullable().describe("Null = unknown."),
    /** Null = no answer came. */
    responseCode: z.int().nullable().describe("Null = no answer came."),
    /** Its beginning; null = no answer came. */
    responseBody: z.string().nullable(),
    /** Why it failed; null = it did not. */
    error: z.string().nullable(),
  })
  .meta({ id: "DeliveryAttempt" });

export const deliveryViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** Name of the event. */
    event: z.enum(EVENT_TYPES),
    /** Null = a test. */
    eventId: z.string().nullable().describe("Null = a test."),
    /** Where it stands in its life. */
    status: z.enum(DELIVERY_STATUSES),
    /** How many attempts were begun. */
    attemptCount: z.int(),
    /** ISO 8601, in UTC; null = no further attempt, or it waits for earlier events of its subject. */
    nextAttemptAt: timestampView.nullable(),
    /** Status of the last answer; null = none came. */
    responseCode: z.int().nullable(),
    /** The body that is sent. */
    payload: z.record(z.string(), z.unknown()),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Of the last change. ISO 8601, in UTC. */
    updatedAt: timestampView,
    /** At most the last hundred. */
    attempts: z.array(attemptViewSchema).describe("At most the last hundred."),
  })
  .meta({ id: "Delivery" });
type AttemptView = z.infer<typeof attemptViewSchema>;
export type DeliveryView = z.infer<typeof deliveryViewSchema>;

export const deliveryListSchema = z.object({
  /** The payload for the receiver, or the entries of a page. */
  data: z.array(deliveryViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
export type DeliveryList = z.infer<typeof deliveryListSchema>;

export const redeliveredSchema = z.object({ restarted: z.int() });
export type RedeliveredView = z.infer<typeof redeliveredSchema>;

/** Source: contract, Webhook test. */
export const testViewSchema = z
  .object({
    /** Id of the test delivery. */
    delivery_id: z.string(),
    /** Where it stands in its life. */
    status: z.enum(DELIVERY_STATUSES),
    /** 0 = no answer came. */
    response_code: z.int().describe("0 = no answer came."),
    /** Milliseconds. */
    response_time: z.number().describe("Milliseconds."),
    /** ISO 8601, in UTC. */
    delivered_at: timestampView,
  })
  .meta({ id: "WebhookTestResult" });
export type TestView = z.infer<typeof testViewSchema>;

export function deliveryViewOf(delivery: Delivery, attempts: readonly Attempt[]): DeliveryView {
  return {
    id: delivery.id,
    event: delivery.eventType,
    eventId: delivery.eventId,
    status: delivery.status,
    attemptCount: delivery.attempts,
    nextAttemptAt: timestampOrNull(delivery.nextAttemptAt),
    responseCode: delivery.responseCode,
    payload: JSON.parse(delivery.body),
    createdAt: toTimestamp(delivery.createdAt),
    updatedAt: toTimestamp(delivery.updatedAt),
    attempts: attemptsOf(delivery, attempts),
  };
}

const UNKNOWN: Omit<AttemptView, "number"> = {
  startedAt: null,
  durationMs: null,
  responseCode: null,
  responseBody: null,
  error: "The result is unknown: the process that made this attempt did not report it in time.",
};

/**
 * The last attempts in order: those that are recorded, and as unknown those that are only counted. The latter ended with
 * their process, or settled too late. The attempt under a lease is not listed yet.
 */
function attemptsOf({ attempts, lease }: Delivery, recorded: readonly Attempt[]): AttemptView[] {
  const byNumber = new Map(recorded.map((attempt) => [attempt.number, attempt]));
  const last = Math.max(attempts, recorded.at(-1)?.number ?? 0); // the records may be read after a further attempt
  const views: AttemptView[] = [];
  for (let number = Math.max(1, last - MAX_LISTED_ATTEMPTS + 1); number <= last; number += 1) {
    const attempt = byNumber.get(number);
    if (attempt !== undefined) views.push(attemptViewOf(attempt));
    else if (lease === null || number !== attempts) views.push({ number, ...UNKNOWN });
  }
  return views;
}

function attemptViewOf({ number, startedAt, durationMs, responseCode, responseBody, error }: Attempt): AttemptView {
  return { number, startedAt: toTimestamp(startedAt), durationMs, responseCode, responseBody, error };
}
