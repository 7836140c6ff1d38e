import {
  type Attempt,
  DAY_MS,
  type Delivery,
  type DeliveryQuery,
  type Replay,
  type WebhookEndpoint,
} from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

/** An ACTIVE endpoint that is sent every event and has not failed. */
export function anEndpoint(overrides: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "60",
    version: 1,
    url: "https://receiver.example/hooks",
    description: null,
    events: null,
    status: "ACTIVE",
    disabledReason: null,
    allowedIps: null,
    retryDelaysSeconds: [0, 60, 300],
    sealedSecret: "v1.sealed",
    previousSealedSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    healthRound: 1,
    createdAt: FIXTURE_TIME,
    updatedAt: FIXTURE_TIME,
    ...overrides,
  };
}

/** A replay to {@link anEndpoint} that has begun with the first event. */
export function aReplay(overrides: Partial<Replay> = {}): Replay {
  return {
    businessId: FIXTURE_BUSINESS,
    endpointId: "60",
    id: "50",
    version: 1,
    status: "running",
    events: null,
    firstSequence: 1,
    nextSequence: 1,
    untilSequence: 200,
    sent: 0,
    createdAt: FIXTURE_TIME,
    updatedAt: FIXTURE_TIME,
    ...overrides,
  };
}

/** A delivery to {@link anEndpoint} that has not been tried and is due at once. */
export function aDelivery(overrides: Partial<Delivery> = {}): Delivery {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "70",
    subscriber: { kind: "endpoint", id: "60" },
    eventId: "90",
    eventType: "budget.created",
    body: '{"event":"budget.created"}',
    origin: null,
    status: "pending",
    attempts: 0,
    attemptsSinceRestart: 0,
    nextAttemptAt: FIXTURE_TIME,
    deadlineAt: FIXTURE_TIME + DAY_MS,
    lease: null,
    responseCode: null,
    createdAt: FIXTURE_TIME,
    updatedAt: FIXTURE_TIME,
    ...overrides,
  };
}

/** The first attempt of {@link aDelivery}, which the receiver accepted. */
export function anAttempt(overrides: Partial<Attempt> = {}): Attempt {
  return {
    businessId: FIXTURE_BUSINESS,
    deliveryId: "70",
    number: 1,
    startedAt: FIXTURE_TIME,
    durationMs: 120,
    responseCode: 200,
    responseBody: "ok",
    error: null,
    ...overrides,
  };
}

/** All deliveries on one large page. */
export function aDeliveryQuery(overrides: Partial<DeliveryQuery> = {}): DeliveryQuery {
  return { subscriber: null, status: null, eventType: null, limit: 100, offset: 0, ...overrides };
}
