import type { Call, CallOptions } from "./call.js";
import { entriesOf } from "./entries.js";
import type { Operations } from "./operations.js";
import type {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  FilterTest,
  ListDeliveriesQuery,
  Page,
  PageQuery,
  UpdateWebhook,
  Webhook,
  WebhookReplay,
  WebhookTest,
  WebhookTestResult,
} from "./schemas.js";
import type { Transport } from "./transport.js";

/** Webhook endpoints and their deliveries. Needs a login; `testUrl` needs an API key. */
export interface Webhooks {
  /** Creates an endpoint. The response contains its secret. */
  create(input: CreateWebhook, options?: CallOptions): Call<CreatedWebhook>;
  get(id: string, options?: CallOptions): Call<Webhook>;
  /** One page, newest first. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<Webhook>>;
  /** All endpoints, newest first; fetches the pages on demand. */
  each(query?: PageQuery, options?: CallOptions): AsyncGenerator<Webhook, void, undefined>;
  /** Changes the given settings, or the status. */
  update(id: string, changes: UpdateWebhook, options?: CallOptions): Call<Webhook>;
  /** Deletes an endpoint and cancels its pending deliveries. */
  delete(id: string, options?: CallOptions): Call<Operations["deleteWebhook"]["answer"]>;
  /** Sends a signed test callback to an endpoint. */
  test(id: string, input?: Operations["testWebhook"]["input"]["body"], options?: CallOptions): Call<WebhookTestResult>;
  /** Shows which of the last events a filter selects. Sends nothing. */
  testFilter(input?: Operations["testWebhookFilter"]["input"]["body"], options?: CallOptions): Call<FilterTest>;
  /** Sends stored events to the endpoint again, or for the first time. The service continues in the background. */
  startReplay(
    id: string,
    input: Operations["startWebhookReplay"]["input"]["body"],
    options?: CallOptions,
  ): Call<WebhookReplay>;
  /** The last replay to the endpoint, and how far it is. */
  getReplay(id: string, options?: CallOptions): Call<WebhookReplay>;
  /** Ends the running replay. The deliveries that it has made are still sent. */
  cancelReplay(id: string, options?: CallOptions): Call<WebhookReplay>;
  /** Sends a signed test callback to the `webhookUrl` of the API key that calls. */
  testUrl(input: WebhookTest, options?: CallOptions): Call<WebhookTestResult>;
  /** The signing secret of the endpoint. */
  readSecret(id: string, options?: CallOptions): Call<Operations["readWebhookEndpointSecret"]["answer"]>;
  /** Replaces the signing secret; for a while the previous secret signs as well. */
  rotateSecret(
    id: string,
    input?: Operations["rotateWebhookEndpointSecret"]["input"]["body"],
    options?: CallOptions,
  ): Call<Operations["rotateWebhookEndpointSecret"]["answer"]>;
  /** One page of the deliveries to the endpoint, newest first. */
  listDeliveries(id: string, query?: ListDeliveriesQuery, options?: CallOptions): Call<Page<Delivery>>;
  /** All deliveries, newest first; fetches the pages on demand. */
  eachDelivery(
    id: string,
    query?: ListDeliveriesQuery,
    options?: CallOptions,
  ): AsyncGenerator<Delivery, void, undefined>;
  /** Retries a finished delivery. */
  retryDelivery(id: string, deliveryId: string, options?: CallOptions): Call<Delivery>;
  /** Redelivers every failed or cancelled delivery since a time. */
  recoverDeliveries(
    id: string,
    input: Operations["recoverDeliveriesOfWebhook"]["input"]["body"],
    options?: CallOptions,
  ): Call<Operations["recoverDeliveriesOfWebhook"]["answer"]>;
}

export function createWebhooks({ send }: Transport): Webhooks {
  const of = (webhookId: string) => ({ path: { webhookId } });
  const list: Webhooks["list"] = (query, options) => send("listWebhooks", { query }, options);
  const listDeliveries: Webhooks["listDeliveries"] = (subscriberId, query, options) =>
    send("listDeliveriesOfWebhook", { path: { subscriberId }, query }, options);
  return {
    create: (body, options) => send("createWebhook", { body }, options),
    get: (id, options) => send("getWebhook", of(id), options),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updateWebhook", { ...of(id), body }, options),
    delete: (id, options) => send("deleteWebhook", of(id), options),
    test: (id, body, options) => send("testWebhook", { ...of(id), body }, options),
    testFilter: (body, options) => send("testWebhookFilter", { body }, options),
    startReplay: (id, body, options) => send("startWebhookReplay", { ...of(id), body }, options),
    getReplay: (id, options) => send("getWebhookReplay", of(id), options),
    cancelReplay: (id, options) => send("cancelWebhookReplay", of(id), options),
    testUrl: (body, options) => send("testWebhookUrl", { body }, options),
    readSecret: (id, options) => send("readWebhookEndpointSecret", of(id), options),
    rotateSecret: (id, body, options) => send("rotateWebhookEndpointSecret", { ...of(id), body }, options),
    listDeliveries,
    eachDelivery: (id, query = {}, options) => entriesOf((page) => listDeliveries(id, page, options), query),
    retryDelivery: (subscriberId, deliveryId, options) =>
      send("retryDeliveryOfWebhook", { path: { subscriberId, deliveryId } }, options),
    recoverDeliveries: (subscriberId, body, options) =>
      send("recoverDeliveriesOfWebhook", { path: { subscriberId }, body }, options),
  };
}
