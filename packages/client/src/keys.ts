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

/** API keys and the callbacks to their `webhookUrl`. Needs a login. */
export interface Keys {
  /** Creates a key. The answer alone shows it. */
  create(input: CreateApiKey, options?: OnceOptions): Call<CreatedApiKey>;
  get(id: string, options?: CallOptions): Call<ApiKey>;
  /** One page, newest first. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<ApiKey>>;
  /** All keys, newest first, fetched as they are asked for. */
  each(query?: PageQuery, options?: CallOptions): AsyncGenerator<ApiKey, void, undefined>;
  /** Changes the settings that are given, or the status. */
  update(id: string, changes: UpdateApiKey, options?: CallOptions): Call<ApiKey>;
  /** Revokes a key for good. */
  revoke(id: string, options?: CallOptions): Call<RevokedApiKey>;
  /** Puts a new key in the place of the old one, under the same id. The answer alone shows it. */
  regenerate(
    id: string,
    input?: Operations["regenerateApiKey"]["input"]["body"],
    options?: CallOptions,
  ): Call<RegeneratedApiKey>;
  /** The secret that the key's callbacks are signed with. */
  readWebhookSecret(id: string, options?: CallOptions): Call<Operations["readWebhookSecret"]["answer"]>;
  /** Puts a new secret in the place of the key's; the old one signs too for a while. */
  rotateWebhookSecret(
    id: string,
    input?: Operations["rotateWebhookSecret"]["input"]["body"],
    options?: CallOptions,
  ): Call<Operations["rotateWebhookSecret"]["answer"]>;
  /** One page of the callbacks to the key's `webhookUrl`, newest first. */
  listDeliveries(id: string, query?: ListDeliveriesQuery, options?: CallOptions): Call<Page<Delivery>>;
  /** All of these, newest first, fetched as they are asked for. */
  eachDelivery(
    id: string,
    query?: ListDeliveriesQuery,
    options?: CallOptions,
  ): AsyncGenerator<Delivery, void, undefined>;
  /** Sends a callback that failed once more. */
  retryDelivery(id: string, deliveryId: string, options?: CallOptions): Call<Delivery>;
  /** Sends all that failed since a time once more. */
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
