import type { Call, CallOptions, OnceOptions } from "./call.js";
import { entriesOf } from "./entries.js";
import type { Operations } from "./operations.js";
import type {
  ApiKey,
  CreateApiKey,
  CreatedApiKey,
  Delivery,
  ListDeliveriesQuery,
  Page,
  PageQuery,
  RegeneratedApiKey,
  RevokedApiKey,
  UpdateApiKey,
} from "./schemas.js";
import type { Transport } from "./transport.js";

/** API keys and the deliveries to their `webhookUrl`. Needs a login. */
export interface Keys {
  /** Creates a key. Only this response contains it. */
  create(input: CreateApiKey, options?: OnceOptions): Call<CreatedApiKey>;
  get(id: string, options?: CallOptions): Call<ApiKey>;
  /** One page, newest first. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<ApiKey>>;
  /** All keys, newest first; fetches the pages on demand. */
  each(query?: PageQuery, options?: CallOptions): AsyncGenerator<ApiKey, void, undefined>;
  /** Changes the given settings, or the status. */
  update(id: string, changes: UpdateApiKey, options?: CallOptions): Call<ApiKey>;
  /** Revokes a key permanently. */
  revoke(id: string, options?: CallOptions): Call<RevokedApiKey>;
  /** Replaces a key by a new one with the same id. Only this response contains it. */
  regenerate(
    id: string,
    input?: Operations["regenerateApiKey"]["input"]["body"],
    options?: CallOptions,
  ): Call<RegeneratedApiKey>;
  /** The signing secret of the key's webhooks. */
  readWebhookSecret(id: string, options?: CallOptions): Call<Operations["readWebhookSecret"]["answer"]>;
  /** Replaces the signing secret; for a while the previous secret signs as well. */
  rotateWebhookSecret(
    id: string,
    input?: Operations["rotateWebhookSecret"]["input"]["body"],
    options?: CallOptions,
  ): Call<Operations["rotateWebhookSecret"]["answer"]>;
  /** One page of the deliveries to the key's `webhookUrl`, newest first. */
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
    input: Operations["recoverDeliveriesOfApiKey"]["input"]["body"],
    options?: CallOptions,
  ): Call<Operations["recoverDeliveriesOfApiKey"]["answer"]>;
}

export function createKeys({ send }: Transport): Keys {
  const of = (keyId: string) => ({ path: { keyId } });
  const list: Keys["list"] = (query, options) => send("listApiKeys", { query }, options);
  const listDeliveries: Keys["listDeliveries"] = (subscriberId, query, options) =>
    send("listDeliveriesOfApiKey", { path: { subscriberId }, query }, options);
  return {
    create: (body, options) => send("createApiKey", { body }, options),
    get: (id, options) => send("getApiKey", of(id), options),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updateApiKey", { ...of(id), body }, options),
    revoke: (id, options) => send("revokeApiKey", of(id), options),
    regenerate: (id, body, options) => send("regenerateApiKey", { ...of(id), body }, options),
    readWebhookSecret: (id, options) => send("readWebhookSecret", of(id), options),
    rotateWebhookSecret: (id, body, options) => send("rotateWebhookSecret", { ...of(id), body }, options),
    listDeliveries,
    eachDelivery: (id, query = {}, options) => entriesOf((page) => listDeliveries(id, page, options), query),
    retryDelivery: (subscriberId, deliveryId, options) =>
      send("retryDeliveryOfApiKey", { path: { subscriberId, deliveryId } }, options),
    recoverDeliveries: (subscriberId, body, options) =>
      send("recoverDeliveriesOfApiKey", { path: { subscriberId }, body }, options),
  };
}
