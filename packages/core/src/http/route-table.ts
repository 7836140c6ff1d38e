import type { Route, Surface } from "./route.js";
import { accessRoutes } from "./routes/access.js";
import { apiKeyRoutes } from "./routes/api-keys.js";
import { attachmentRoutes } from "./routes/attachments.js";
import { budgetActRoutes } from "./routes/budget-acts.js";
import { budgetPdfRoutes } from "./routes/budget-pdf.js";
import { budgetPreviewRoutes } from "./routes/budget-previews.js";
import { budgetRevisionRoutes } from "./routes/budget-revisions.js";
import { budgetRoutes } from "./routes/budgets.js";
import { bulkActRoutes } from "./routes/bulk-acts.js";
import { businessRoutes } from "./routes/business.js";
import { catalogRoutes } from "./routes/catalog.js";
import { changeRequestRoutes } from "./routes/change-requests.js";
import { deliveryRoutes } from "./routes/deliveries.js";
import { developerRoutes } from "./routes/developer.js";
import { businessPreviewRoutes, documentPreviewRoutes } from "./routes/document-previews.js";
import { evidenceRoutes } from "./routes/evidence.js";
import { integrationRoutes } from "./routes/integrations.js";
import { logoRoutes } from "./routes/logo.js";
import { mailRoutes } from "./routes/mails.js";
import { managedLinkRoutes } from "./routes/managed-links.js";
import { messageRoutes } from "./routes/messages.js";
import { metaRoutes } from "./routes/meta.js";
import { ownAccountRoutes } from "./routes/own-account.js";
import { paymentRoutes } from "./routes/payments.js";
import { publicBudgetRoutes } from "./routes/public-budgets.js";
import { publicLinkRoutes } from "./routes/public-link.js";
import { userRoutes } from "./routes/users.js";
import { webhookRoutes } from "./routes/webhooks.js";

/** Every route of the interface. */
export const routes: readonly Route[] = [
  ...metaRoutes,
  ...budgetRoutes,
  ...budgetActRoutes,
  ...bulkActRoutes,
  ...managedLinkRoutes,
  ...budgetPreviewRoutes,
  ...documentPreviewRoutes,
  ...budgetRevisionRoutes,
  ...paymentRoutes,
  ...publicBudgetRoutes,
  ...evidenceRoutes,
  ...catalogRoutes,
  ...accessRoutes,
  ...ownAccountRoutes,
  ...apiKeyRoutes,
  ...businessRoutes,
  ...businessPreviewRoutes,
  ...logoRoutes,
  ...userRoutes,
  ...developerRoutes,
  ...integrationRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...publicLinkRoutes,
  ...mailRoutes,
  ...budgetPdfRoutes,
  ...changeRequestRoutes,
  ...messageRoutes,
  ...attachmentRoutes,
];

const SURFACES: readonly (readonly [string, Surface])[] = [
  ["/api/public/", "public"],
  ["/api/budgets/", "public"],
  ["/budgets/", "public"],
  ["/auth/", "management"],
  ["/api-keys/", "management"],
  ["/api/developer/", "management"],
  ["/p/", "link"],
];

/** The surface of a path that may belong to no route. */
export function surfaceOf(path: string): Surface {
  return SURFACES.find(([prefix]) => `${path}/`.startsWith(prefix))?.[1] ?? "meta";
}
