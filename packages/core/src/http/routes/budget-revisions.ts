import type { Route } from "../route.js";

export const budgetRevisionRoutes: readonly Route[] = [];
