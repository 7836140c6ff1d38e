import { z } from "zod";
import type { Subscriber } from "../../webhooks/delivery.js";
import { listDeliveriesSchema, recoverSchema } from "../../webhooks/delivery-view.js";
import { deliveryListSchema, deliveryViewSchema, recoveredSchema } from "../../webhooks/delivery-view-schema.js";
import { listDeliveries, recoverDeliveries, retryDelivery } from "../../webhooks/manage-deliveries.js";
import { defineRoute, jsonBody, noBody, nothing, optionalJsonBody, type Route } from "../route.js";

/** Whose deliveries the routes are about, and where those routes are. */
interface Family {
  readonly kind: Subscriber["kind"];
  readonly of: string; // ends the operation ids
  readonly whose: string;
  readonly paths: readonly [string, ...string[]];
}

const subscriberParams = z.object({ subscriberId: z.string() });
const deliveryParams = z.object({ subscriberId: z.string(), deliveryId: z.string() });

/** The same three routes for endpoints and for API keys. */
function deliveryRoutesOf({ kind, of, whose, paths: [first, ...others] }: Family): Route[] {
  const paths = (rest: string): [string, ...string[]] => [
    `${first}/{subscriberId}${rest}`,
    ...others.map((path) => `${path}/{subscriberId}${rest}`),
  ];
  return [
    defineRoute({
      operationId: `listDeliveriesOf${of}`,
      summary: `List the deliveries of ${whose} with their attempts, newest first`,
      method: "GET",
      paths: paths("/deliveries"),
      surface: "management",
      auth: { kind: "user" },
      params: subscriberParams,
      query: listDeliveriesSchema,
      body: noBody,
      success: { status: 200, schema: deliveryListSchema },
      refusals: [404],
      handler: async ({ context, actor, params, query, now }) => {
        const subscriber = { kind, id: params.subscriberId };
        return (await listDeliveries(context.webhooks, actor, subscriber, query, now)).map((body) => ({ body }));
      },
    }),
    defineRoute({
      operationId: `retryDeliveryOf${of}`,
      summary: `Begin a finished delivery of ${whose} anew`,
      method: "POST",
      paths: paths("/deliveries/{deliveryId}/retry"),
      surface: "management",
      auth: { kind: "user" },
      role: "administrator",
      params: deliveryParams,
      query: nothing,
      body: optionalJsonBody(nothing),
      success: { status: 200, schema: z.object({ data: deliveryViewSchema, message: z.string() }) },
      refusals: [404, 422, 429],
      handler: async ({ context, actor, params, now }) => {
        const subscriber = { kind, id: params.subscriberId };
        const restarted = await retryDelivery(context.webhooks, actor, subscriber, params.deliveryId, now);
        return restarted.map((data) => ({ body: { data, message: "The delivery begins anew." } }));
      },
    }),
    defineRoute({
      operationId: `recoverDeliveriesOf${of}`,
      summary: `Begin every delivery of ${whose} anew that was made since a time and failed or was cancelled`,
      method: "POST",
      paths: paths("/recover"),
      surface: "management",
      auth: { kind: "user" },
      role: "administrator",
      params: subscriberParams,
      query: nothing,
      body: jsonBody(recoverSchema),
      success: { status: 200, schema: z.object({ data: recoveredSchema, message: z.string() }) },
      refusals: [404, 422, 429],
      handler: async ({ context, actor, params, body, now }) => {
        const subscriber = { kind, id: params.subscriberId };
        const recovered = await recoverDeliveries(context.webhooks, actor, subscriber, body, now);
        return recovered.map((data) => {
          const message =
            data.restarted === 0 ? "There was nothing to bring back." : "What was not delivered begins anew.";
          return { body: { data, message } };
        });
      },
    }),
  ];
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
