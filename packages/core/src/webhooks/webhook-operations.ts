import type { z } from "zod";
import type { Subscriber } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import {
  endpointTestSchema,
  listDeliveriesSchema,
  redeliverSchema,
  testSchema,
  type WebhookTest,
} from "./deliveries/delivery-view.js";
import { listDeliveries, redeliverSince, retryDelivery } from "./deliveries/manage-deliveries.js";
import type { Dispatcher } from "./dispatch/dispatcher.js";
import { testEndpoint, testKey } from "./dispatch/test-delivery.js";
import {
  type CreateWebhook,
  createEndpointSchema,
  rotateEndpointSecretSchema,
  type UpdateWebhook,
  updateEndpointSchema,
} from "./endpoints/endpoint-view.js";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  readEndpointSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from "./endpoints/manage-endpoints.js";
import type { testFilterSchema } from "./endpoints/test-filter.js";
import type { StartReplay } from "./replays/replay-view.js";
import type { WebhookContext } from "./webhook-context.js";

/**
 * The host's operations for webhook endpoints and deliveries. `of` names the subscriber: `{ kind: "key", id }` for an API
 * key, the id for an endpoint.
 */
export function createWebhookOperations(context: WebhookContext, dispatcher: Dispatcher, call: Call) {
  return {
    create: (actor: Actor, input: CreateWebhook) =>
      call.with(actor, createEndpointSchema, input, (parsed) => createEndpoint(context, actor, parsed)),
    list: (actor: Actor, query: Query<typeof pageQuerySchema> = {}) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) => listEndpoints(context, actor, parsed)),
    get: (actor: Actor, id: string) => call.plain(actor, () => getEndpoint(context, actor, id)),
    update: (actor: Actor, id: string, input: UpdateWebhook) =>
      call.with(actor, updateEndpointSchema, input, (parsed) => updateEndpoint(context, actor, id, parsed)),
    delete: (actor: Actor, id: string) => call.plain(actor, () => deleteEndpoint(context, actor, id)),
    readSecret: (actor: Actor, id: string) => call.plain(actor, () => readEndpointSecret(context, actor, id)),
    rotateSecret: (actor: Actor, id: string, input: z.input<typeof rotateEndpointSecretSchema> = {}) =>
      call.with(actor, rotateEndpointSecretSchema, input, (parsed) => rotateEndpointSecret(context, actor, id, parsed)),
    test: (actor: Actor, id: string, input: z.input<typeof endpointTestSchema> = {}) =>
      call.with(actor, endpointTestSchema, input, (parsed) => testEndpoint(context, actor, id, parsed)),
    /** Shows which of the last events a filter selects. Sends nothing. */
    testFilter: async (actor: Actor, input: z.input<typeof testFilterSchema> = {}) => {
      const { testFilter, testFilterSchema } = await import("./endpoints/test-filter.js");
      return call.with(actor, testFilterSchema, input, (parsed) => testFilter(context, actor, parsed));
    },
    /** Sends stored events to an endpoint, in the background. */
    replay: async (actor: Actor, id: string, input: StartReplay) => {
      const [{ startReplay }, { startReplaySchema }] = await Promise.all([
        import("./replays/manage-replays.js"),
        import("./replays/replay-view.js"),
      ]);
      return call.with(actor, startReplaySchema, input, (parsed) => startReplay(context, actor, id, parsed));
    },
    /** The last replay to the endpoint, and how far it is. */
    getReplay: async (actor: Actor, id: string) => {
      const { getReplay } = await import("./replays/manage-replays.js");
      return call.plain(actor, () => getReplay(context, actor, id));
    },
    cancelReplay: async (actor: Actor, id: string) => {
      const { cancelReplay } = await import("./replays/manage-replays.js");
      return call.plain(actor, () => cancelReplay(context, actor, id));
    },
    /** Calls the webhookUrl of the actor's key. */
    testKey: (actor: Actor, input: WebhookTest) =>
      call.with(actor, testSchema, input, (parsed) => testKey(context, actor, parsed)),
    deliveries: (actor: Actor, of: string | Subscriber, query: Query<typeof listDeliveriesSchema> = {}) =>
      call.with(actor, listDeliveriesSchema, asQueryText(query), (parsed) =>
        listDeliveries(context, actor, subscriberOf(of), parsed),
      ),
    retry: (actor: Actor, of: string | Subscriber, deliveryId: string) =>
      call.plain(actor, () => retryDelivery(context, actor, subscriberOf(of), deliveryId)),
    recover: (actor: Actor, of: string | Subscriber, input: z.input<typeof redeliverSchema>) =>
      call.with(actor, redeliverSchema, input, (parsed) => redeliverSince(context, actor, subscriberOf(of), parsed)),
    /** One bounded round of fan-out, deliveries and pruning, for tests and for hosts with their own scheduler. */
    tick: () => call.plain(null, () => dispatcher.tick()),
  };
}
export type WebhookOperations = ReturnType<typeof createWebhookOperations>;

function subscriberOf(of: string | Subscriber): Subscriber {
  return typeof of === "string" ? { kind: "endpoint", id: of } : of;
}
