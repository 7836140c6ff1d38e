import { z } from "zod";
import type { EventType } from "../events/event.js";
import type { Origin } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { API_VERSION } from "../kernel/fields.js";

const SOURCE = "budgetkit";

/** The body of a callback. Later versions may add events and fields. Source: contract, Events, Payload. */
export const webhookPayloadSchema = z.looseObject({
  /** Name of the event. */
  event: z.string(),
  /** When the event occurred. ISO 8601, in UTC. */
  timestamp: z.string(),
  /** The payload of the event. */
  data: z.record(z.string(), z.unknown()),
  /** About the delivery, not the event. */
  metadata: z.looseObject({
    /** Always budgetkit. */
    source: z.string(),
    /** Version of the payload. */
    version: z.string(),
    /** The same in each attempt, so it identifies duplicates. */
    delivery_id: z.string(),
    /** Null = a test. */
    event_id: z.string().nullable(),
    /** 1, 2, 3 … within the business, in the order of the events; null = a test. */
    sequence: z.number().nullable(),
    /** 1, 2, 3 … within the subject, in the order of its events; null = a test. Absent from bodies of former releases. */
    revision: z.number().nullable().optional(),
    /** True = a replay sends the event; absent otherwise. */
    replay: z.literal(true).optional(),
  }),
});
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;

/** An event, or a test, as the receiver gets it. */
export interface Announcement {
  readonly type: EventType;
  readonly occurredAt: Instant;
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string | null; // null = a test
  readonly sequence: number | null; // null = a test
  readonly revision: number | null; // null = a test
  readonly replay?: true; // absent = no replay
  readonly origin?: Origin; // not part of the payload
}

/** The text to sign and send; identical in every attempt. */
export function payloadOf(announcement: Announcement, deliveryId: string): string {
  return payloadWriter(announcement)(deliveryId);
}

/** Writes the payloads of the deliveries of one event, which differ in the id of the delivery only. */
export function payloadWriter(announcement: Announcement): (deliveryId: string) => string {
  const { type, occurredAt, data, id, sequence, revision, replay } = announcement;
  const place = { event_id: id, sequence, revision, ...(replay === undefined ? {} : { replay }) };
  const text = JSON.stringify({
    event: type,
    timestamp: toTimestamp(occurredAt),
    data,
    metadata: { source: SOURCE, version: API_VERSION, delivery_id: "", ...place },
  } satisfies WebhookPayload);
  // The last such name is that of the metadata: within the values that follow it, quotes are escaped.
  const end = text.lastIndexOf(BEFORE_ID) + BEFORE_ID.length;
  const [before, after] = [text.slice(0, end), text.slice(end)];
  return (deliveryId) => before + deliveryId + after;
}

const BEFORE_ID = '"delivery_id":"';
