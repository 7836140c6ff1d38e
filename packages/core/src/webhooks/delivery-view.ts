import { z } from "zod";
import { EVENT_TYPES } from "../events/event.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { pageQuery, wireDate } from "../kernel/fields.js";
import { type Attempt, DELIVERY_STATUSES, type Delivery } from "./delivery.js";
import type {
  deliveryListSchema,
  deliveryViewSchema,
  recoveredSchema,
  testViewSchema,
} from "./delivery-view-schema.js";

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
export type DeliveryView = z.infer<typeof deliveryViewSchema>;
export type DeliveryList = z.infer<typeof deliveryListSchema>;
export type RecoveredView = z.infer<typeof recoveredSchema>;
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
