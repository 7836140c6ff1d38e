import { z } from "zod";
import type { Subscriber } from "../../events/event.js";
import {
  deliveryListSchema,
  deliveryViewSchema,
  listDeliveriesSchema,
  redeliveredSchema,
  redeliverSchema,
} from "../../webhooks/deliveries/delivery-view.js";
import { listDeliveries, redeliverSince, retryDelivery } from "../../webhooks/deliveries/manage-deliveries.js";
import {
  byAdministrator,
  byUser,
  defineRoute,
  jsonBody,
  nothing,
  optionalJsonBody,
  type Route,
  withoutBody,
} from "../route.js";

/** The kind of subscriber that the routes are for, and their paths. */
interface Family {
  readonly kind: Subscriber["kind"];
  readonly of: string; // suffix of the operation ids
  readonly whose: string;
  readonly paths: readonly [string, ...string[]];
}

const subscriberParams = z.object({ subscriberId: z.string() });
const deliveryParams = z.object({ subscriberId: z.string(), deliveryId: z.string() });

/** The same three routes for endpoints and for API keys. */
function deliveryRoutesOf(family: Family): Route[] {
  return [listRoute(family), retryRoute(family), recoverRoute(family)];
}

function pathsOf([first, ...others]: Family["paths"], rest: string): [string, ...string[]] {
  return [`${first}/{subscriberId}${rest}`, ...others.map((path) => `${path}/{subscriberId}${rest}`)];
}

function listRoute({ kind, of, whose, paths }: Family): Route {
  return defineRoute({
    operationId: `listDeliveriesOf${of}`,
    summary: `List the deliveries of ${whose} with their attempts, newest first`,
    method: "GET",
    paths: pathsOf(paths, "/deliveries"),
    ...byUser,
    params: subscriberParams,
    query: listDeliveriesSchema,
    body: withoutBody,
    success: { status: 200, schema: deliveryListSchema },
    refusals: [404],
    handler: async ({ context, actor, params, query, now }) => {
      const subscriber = { kind, id: params.subscriberId };
      return (await listDeliveries(context.webhooks, actor, subscriber, query, now)).map((body) => ({ body }));
    },
  });
}

function retryRoute({ kind, of, whose, paths }: Family): Route {
  return defineRoute({
    operationId: `retryDeliveryOf${of}`,
    summary: `Retry a finished delivery of ${whose}`,
    method: "POST",
    paths: pathsOf(paths, "/deliveries/{deliveryId}/retry"),
    ...byAdministrator,
    params: deliveryParams,
    query: nothing,
    body: optionalJsonBody(nothing),
    success: { status: 200, schema: z.object({ data: deliveryViewSchema, message: z.string() }) },
    refusals: [404, 422, 429],
    handler: async ({ context, actor, params, now }) => {
      const subscriber = { kind, id: params.subscriberId };
      const restarted = await retryDelivery(context.webhooks, actor, subscriber, params.deliveryId, now);
      return restarted.map((data) => ({ body: { data, message: "The delivery was scheduled again." } }));
    },
  });
}

function recoverRoute({ kind, of, whose, paths }: Family): Route {
  return defineRoute({
    operationId: `recoverDeliveriesOf${of}`,
    summary: `Redeliver every failed or cancelled delivery of ${whose} since a time`,
    method: "POST",
    paths: pathsOf(paths, "/recover"),
    ...byAdministrator,
    params: subscriberParams,
    query: nothing,
    body: jsonBody(redeliverSchema),
    success: { status: 200, schema: z.object({ data: redeliveredSchema, message: z.string() }) },
    refusals: [404, 422, 429],
    handler: async ({ context, actor, params, body, now }) => {
      const subscriber = { kind, id: params.subscriberId };
      const recovered = await redeliverSince(context.webhooks, actor, subscriber, body, now);
      return recovered.map((data) => {
        const message =
          data.restarted === 0 ? "There are no deliveries to retry." : "The deliveries were scheduled again.";
        return { body: { data, message } };
      });
    },
  });
}

export const deliveryRoutes: readonly Route[] = [
  ...deliveryRoutesOf({
    kind: "endpoint",
    of: "Webhook",
    whose: "a webhook endpoint",
    paths: ["/api/developer/webhooks"],
  }),
  ...deliveryRoutesOf({
    kind: "key",
    of: "ApiKey",
    whose: "an API key's webhookUrl",
    paths: ["/api-keys", "/api/developer/api-keys"],
  }),
];
