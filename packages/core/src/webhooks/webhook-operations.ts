import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import type { Subscriber } from "./delivery.js";
import { endpointTestSchema, listDeliveriesSchema, recoverSchema, testSchema } from "./delivery-view.js";
import type { Dispatcher } from "./dispatcher.js";
import { createEndpointSchema, rotateEndpointSecretSchema, updateEndpointSchema } from "./endpoint-view.js";
import { listDeliveries, recoverDeliveries, retryDelivery } from "./manage-deliveries.js";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  readEndpointSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from "./manage-endpoints.js";
import { testEndpoint, testKey } from "./test-delivery.js";
import type { WebhookContext } from "./webhook-context.js";

/**
 * Webhook endpoints and deliveries as a host manages them without HTTP. Deliveries of an API key are named by
 * `{ kind: "key", id }`, those of an endpoint by its id alone.
 */
export function createWebhookOperations(context: WebhookContext, dispatcher: Dispatcher, call: Call) {
  return {
    create: (actor: Actor, input: z.input<typeof createEndpointSchema>) =>
      call.with(actor, createEndpointSchema, input, (parsed) => createEndpoint(context, actor, parsed)),
    list: (actor: Actor, query: Query<typeof pageQuerySchema> = {}) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) => listEndpoints(context, actor, parsed)),
    get: (actor: Actor, id: string) => call.plain(actor, () => getEndpoint(context, actor, id)),
    update: (actor: Actor, id: string, input: z.input<typeof updateEndpointSchema>) =>
      call.with(actor, updateEndpointSchema, input, (parsed) => updateEndpoint(context, actor, id, parsed)),
    delete: (actor: Actor, id: string) => call.plain(actor, () => deleteEndpoint(context, actor, id)),
    readSecret: (actor: Actor, id: string) => call.plain(actor, () => readEndpointSecret(context, actor, id)),
    rotateSecret: (actor: Actor, id: string, input: z.input<typeof rotateEndpointSecretSchema> = {}) =>
      call.with(actor, rotateEndpointSecretSchema, input, (parsed) => rotateEndpointSecret(context, actor, id, parsed)),
    test: (actor: Actor, id: string, input: z.input<typeof endpointTestSchema> = {}) =>
      call.with(actor, endpointTestSchema, input, (parsed) => testEndpoint(context, actor, id, parsed)),
    /** Calls the webhookUrl of the key that `actor` is. */
    testKey: (actor: Actor, input: z.input<typeof testSchema>) =>
      call.with(actor, testSchema, input, (parsed) => testKey(context, actor, parsed)),
    deliveries: (actor: Actor, of: string | Subscriber, query: Query<typeof listDeliveriesSchema> = {}) =>
      call.with(actor, listDeliveriesSchema, asQueryText(query), (parsed) =>
        listDeliveries(context, actor, subscriberOf(of), parsed),
      ),
    retry: (actor: Actor, of: string | Subscriber, deliveryId: string) =>
      call.plain(actor, () => retryDelivery(context, actor, subscriberOf(of), deliveryId)),
    recover: (actor: Actor, of: string | Subscriber, input: z.input<typeof recoverSchema>) =>
      call.with(actor, recoverSchema, input, (parsed) => recoverDeliveries(context, actor, subscriberOf(of), parsed)),
    /** One bounded round of fan-out, deliveries and pruning: for tests, and for hosts with a scheduler of their own. */
    tick: () => call.plain(null, () => dispatcher.tick()),
  };
}
export type WebhookOperations = ReturnType<typeof createWebhookOperations>;

function subscriberOf(of: string | Subscriber): Subscriber {
  return typeof of === "string" ? { kind: "endpoint", id: of } : of;
}
