import { eventListSchema, listEvents, listEventsSchema } from "../../events/list-events.js";
import { defineRoute, noBody, nothing, type Route } from "../route.js";

export const developerRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listEvents",
    summary: "What happened in the business, newest first",
    method: "GET",
    paths: ["/api/developer/events"],
    surface: "management",
    auth: { kind: "user" },
    params: nothing,
    query: listEventsSchema,
    body: noBody,
    success: { status: 200, schema: eventListSchema },
    refusals: [],
    handler: async ({ context, actor, query }) =>
      (await listEvents({ store: context.events }, actor, query)).map((body) => ({ body })),
  }),
];
