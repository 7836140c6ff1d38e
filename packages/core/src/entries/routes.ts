/** The entry "@budgetkit/core/routes": the route table and its schemas, for tools and tests that derive from it. */
export { eventSchemas } from "../event-schemas.js";
export { errorSchemaOf, problemDetailsSchema, statusesOf } from "../http/error-schemas.js";
export type { Route } from "../http/route.js";
export { routes, surfaceOf } from "../http/route-table.js";
export { createRouter, withoutVersion } from "../http/router.js";
