import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Broken } from "../components/error-boundary.js";
import { readBudgetSearch } from "../screens/budget/budget-search.js";
import { readBudgetsSearch } from "../screens/budgets/budgets-search.js";
import { readBusinessSearch } from "../screens/business/business-search.js";
import { readCatalogSearch } from "../screens/catalog/catalog-search.js";
import { readCustomersSearch } from "../screens/customers/customers-search.js";
import { readEditorSearch } from "../screens/editor/editor-search.js";
import { readEventsSearch } from "../screens/events/events-search.js";
import { readKeySearch } from "../screens/keys/key-search.js";
import { readOverviewSearch } from "../screens/overview/overview-search.js";
import { readUsageSearch } from "../screens/usage/usage-search.js";
import { readWebhookSearch } from "../screens/webhooks/webhook-search.js";
import { NotFound } from "../shell/not-found.js";
import { Shell } from "../shell/shell.js";
import { mount } from "./mount.js";

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** "narrow": icons alone, for a screen that needs the width. */
    readonly sidebar?: "narrow";
  }
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Broken });
const getParentRoute = () => root;

const overview = createRoute({
  getParentRoute,
  path: "/",
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import("../screens/overview/overview-screen.js"), "OverviewScreen"),
});
const budgets = createRoute({
  getParentRoute,
  path: "/budgets",
  validateSearch: readBudgetsSearch,
  component: lazyRouteComponent(() => import("../screens/budgets/budgets-screen.js"), "BudgetsScreen"),
});
const newBudget = createRoute({
  getParentRoute,
  path: "/budgets/new",
  validateSearch: readEditorSearch,
  staticData: { sidebar: "narrow" },
  component: lazyRouteComponent(() => import("../screens/editor/editor-screen.js"), "EditorScreen"),
});
const budget = createRoute({
  getParentRoute,
  path: "/budgets/$budgetId",
  validateSearch: readBudgetSearch,
  component: lazyRouteComponent(() => import("../screens/budget/budget-screen.js"), "BudgetScreen"),
});
const editBudget = createRoute({
  getParentRoute,
  path: "/budgets/$budgetId/edit",
  staticData: { sidebar: "narrow" },
  component: lazyRouteComponent(() => import("../screens/editor/editor-screen.js"), "EditorScreen"),
});
const customers = createRoute({
  getParentRoute,
  path: "/customers",
  validateSearch: readCustomersSearch,
  component: lazyRouteComponent(() => import("../screens/customers/customers-screen.js"), "CustomersScreen"),
});
const customer = createRoute({
  getParentRoute,
  path: "/customers/$customerId",
  component: lazyRouteComponent(() => import("../screens/customers/customer-screen.js"), "CustomerScreen"),
});
const catalog = createRoute({
  getParentRoute,
  path: "/catalog",
  validateSearch: readCatalogSearch,
  component: lazyRouteComponent(() => import("../screens/catalog/catalog-screen.js"), "CatalogScreen"),
});
const keys = createRoute({
  getParentRoute,
  path: "/keys",
  component: lazyRouteComponent(() => import("../screens/keys/keys-screen.js"), "KeysScreen"),
});
const key = createRoute({
  getParentRoute,
  path: "/keys/$keyId",
  validateSearch: readKeySearch,
  component: lazyRouteComponent(() => import("../screens/keys/key-screen.js"), "KeyScreen"),
});
const usage = createRoute({
  getParentRoute,
  path: "/usage",
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import("../screens/usage/usage-screen.js"), "UsageScreen"),
});
const webhooks = createRoute({
  getParentRoute,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../screens/webhooks/webhooks-screen.js"), "WebhooksScreen"),
});
const webhook = createRoute({
  getParentRoute,
  path: "/webhooks/$webhookId",
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import("../screens/webhooks/webhook-screen.js"), "WebhookScreen"),
});
const integrations = createRoute({
  getParentRoute,
  path: "/integrations",
  component: lazyRouteComponent(() => import("../screens/integrations/integrations-screen.js"), "IntegrationsScreen"),
});
const events = createRoute({
  getParentRoute,
  path: "/events",
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import("../screens/events/events-screen.js"), "EventsScreen"),
});
const reference = createRoute({
  getParentRoute,
  path: "/reference",
  component: lazyRouteComponent(() => import("../screens/reference/reference-screen.js"), "ReferenceScreen"),
});
const business = createRoute({
  getParentRoute,
  path: "/business",
  validateSearch: readBusinessSearch,
  component: lazyRouteComponent(() => import("../screens/business/business-screen.js"), "BusinessScreen"),
});
const people = createRoute({
  getParentRoute,
  path: "/people",
  component: lazyRouteComponent(() => import("../screens/people/people-screen.js"), "PeopleScreen"),
});
const account = createRoute({
  getParentRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("../screens/account/account-screen.js"), "AccountScreen"),
});

const routeTree = root.addChildren([
  overview,
  budgets,
  newBudget,
  budget,
  editBudget,
  customers,
  customer,
  catalog,
  keys,
  key,
  usage,
  webhooks,
  webhook,
  integrations,
  events,
  reference,
  business,
  people,
  account,
]);

/** Every screen is a part of its own, loaded when it is opened or when its link is pointed at. */
export const router = createRouter({
  routeTree,
  basepath: mount.base === "" ? "/" : mount.base,
  defaultPreload: "intent",
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});
