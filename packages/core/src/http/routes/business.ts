import { businessViewSchema, updateBusinessSchema } from "../../access/business-view.js";
import { getBusiness, updateBusiness } from "../../access/own-business.js";
import { byAdministrator, byUser, defineRoute, jsonBody, noInput, nothing, type Route } from "../route.js";
import { expectedVersionOf } from "./expected-version.js";

const paths = ["/api/developer/business"] as const;
const success = { status: 200, schema: businessViewSchema, headers: ["etag"] } as const;

/** The profile of the caller's business. */
export const businessRoutes: readonly Route[] = [
  defineRoute({
    ...byUser,
    ...noInput,
    operationId: "getBusiness",
    summary: "Get the business and its profile",
    method: "GET",
    paths,
    params: nothing,
    success,
    refusals: [],
    handler: async ({ context, actor }) =>
      (await getBusiness(context.access, actor)).map((body) => ({ body, version: body.version })),
  }),
  defineRoute({
    ...byAdministrator,
    operationId: "updateBusiness",
    summary: "Change the given fields of the business; null clears one",
    method: "PUT",
    paths,
    params: nothing,
    query: nothing,
    body: jsonBody(updateBusinessSchema),
    success,
    refusals: [409, 412, 422],
    handler: async (call) => {
      const { context, actor, body } = call;
      const expectedVersion = await expectedVersionOf(call, async () => {
        const current = await getBusiness(context.access, actor);
        return current.isOk() ? current.value.version : null;
      });
      return (await updateBusiness(context.access, actor, body, expectedVersion)).map((view) => ({
        body: view,
        version: view.version,
      }));
    },
  }),
];
