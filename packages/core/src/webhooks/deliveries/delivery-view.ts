import { z } from "zod";
import { EVENT_TYPES } from "../../events/event.js";
import { timestampOrNull, toTimestamp } from "../../kernel/clock.js";
import { pageQuery, paginationSchema, timestampView, wireDate } from "../../kernel/fields.js";
import { type Attempt, DELIVERY_STATUSES, type Delivery } from "../delivery.js";

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

/** For an endpoint both fields are optional. */
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

export const redeliveredSchema = z.object({ restarted: z.int() });
export type RedeliveredView = z.infer<typeof redeliveredSchema>;

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
    nextAttemptAt: timestampOrNull(delivery.nextAttemptAt),
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
