import { z } from "zod";
import { EVENT_TYPES } from "../events/event.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { DELIVERY_STATUSES } from "./delivery.js";

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

export const deliveryListSchema = z.object({ data: z.array(deliveryViewSchema), pagination: paginationSchema });

export const recoveredSchema = z.object({ restarted: z.int() });

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
