import { z } from "zod";
import { EVENT_TYPES } from "../events/event.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { pageQuery, paginationSchema, timestampView, wireDate } from "../kernel/fields.js";
import { type Attempt, DELIVERY_STATUSES, type Delivery } from "./delivery.js";

/** Query parameters of the delivery list, as text. */
export const listDeliveriesSchema = z.object({
  ...pageQuery,
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: z.enum(EVENT_TYPES).optional(),
});
export type ListDeliveriesInput = z.output<typeof listDeliveriesSchema>;

/** What was made since then and failed or was cancelled is begun anew; a plain date is a day in UTC. */
export const recoverSchema = z.object({ since: wireDate });
export type RecoverInput = z.output<typeof recoverSchema>;

const MAX_TEST_DATA_BYTES = 64 * 1024;

/** Source: contract, Webhook test. */
export const testSchema = z
  .object({
    event: z.enum(EVENT_TYPES),
    data: z
      .record(z.string(), z.unknown())
      .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= MAX_TEST_DATA_BYTES, {
        message: `must be at most ${MAX_TEST_DATA_BYTES} bytes of JSON`,
        params: { code: "MAX_LENGTH" },
      }),
  })
  .meta({ id: "WebhookTest" });
export type TestInput = z.output<typeof testSchema>;

/** The same for an endpoint, whose owner may leave both to the service. */
export const endpointTestSchema = testSchema.extend({
  event: testSchema.shape.event.default("budget.created"),
  data: testSchema.shape.data.default({}),
});

const attemptViewSchema = z
  .object({
    number: z.int(),
    startedAt: timestampView,
    durationMs: z.number(),
    responseCode: z.int().nullable().describe("Null = no answer came."),
    responseBody: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "DeliveryAttempt" });

export const deliveryViewSchema = z
  .object({
    id: z.string(),
    event: z.enum(EVENT_TYPES),
    eventId: z.string().nullable().describe("Null = a test."),
    status: z.enum(DELIVERY_STATUSES),
    attemptCount: z.int(),
    nextAttemptAt: timestampView.nullable(),
    responseCode: z.int().nullable(),
    payload: z.record(z.string(), z.unknown()),
    createdAt: timestampView,
    updatedAt: timestampView,
    attempts: z.array(attemptViewSchema).describe("At most the last hundred."),
  })
  .meta({ id: "Delivery" });
export type DeliveryView = z.infer<typeof deliveryViewSchema>;

export const deliveryListSchema = z.object({ data: z.array(deliveryViewSchema), pagination: paginationSchema });
export type DeliveryList = z.infer<typeof deliveryListSchema>;

export const recoveredSchema = z.object({ restarted: z.int() });
export type RecoveredView = z.infer<typeof recoveredSchema>;

/** Source: contract, Webhook test. */
export const testViewSchema = z
  .object({
    delivery_id: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    response_code: z.int().describe("0 = no answer came."),
    response_time: z.number().describe("Milliseconds."),
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
    nextAttemptAt: timestampOf(delivery.nextAttemptAt),
    responseCode: delivery.responseCode,
    payload: JSON.parse(delivery.body),
    createdAt: toTimestamp(delivery.createdAt),
    updatedAt: toTimestamp(delivery.updatedAt),
    attempts: attempts.map(({ number, startedAt, durationMs, responseCode, responseBody, error }) => ({
      number,
      startedAt: toTimestamp(startedAt),
      durationMs,
      responseCode,
      responseBody,
      error,
    })),
  };
}

function timestampOf(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
