import { actCases } from "./acts.js";
import { apiKeyCases } from "./api-keys.js";
import { attachmentFormCases } from "./attachment-forms.js";
import { attachmentLimitCases } from "./attachment-limits.js";
import { attachmentCases } from "./attachments.js";
import { auditCases } from "./audit.js";
import { authenticationCases } from "./authentication.js";
import { bodyCases } from "./bodies.js";
import { budgetNumberCases } from "./budget-numbers.js";
import { budgetSizeCases } from "./budget-sizes.js";
import { budgetCases } from "./budgets.js";
import { businessCases } from "./business.js";
import { casesOn, type HttpSuiteRunner } from "./cases.js";
import { catalogCases } from "./catalog.js";
import { catalogAccessCases } from "./catalog-access.js";
import { catalogBudgetCases } from "./catalog-budgets.js";
import { catalogEventCases } from "./catalog-events.js";
import { catalogListCases } from "./catalog-lists.js";
import { catalogRuleCases } from "./catalog-rules.js";
import { customerPageCases } from "./customer-page.js";
import { dashboardCases } from "./dashboard.js";
import { dateCases } from "./dates.js";
import { developerPathCases } from "./developer-paths.js";
import { errorCases } from "./errors.js";
import { evidenceCases } from "./evidence.js";
import type { StartHost } from "./host.js";
import { idempotencyCases } from "./idempotency.js";
import { integrationCases } from "./integrations.js";
import { limitCases } from "./limits.js";
import { lineCases } from "./lines.js";
import { listCases } from "./lists.js";
import { loginThrottlingCases } from "./login-throttling.js";
import { logoCases } from "./logo.js";
import { mailCases } from "./mails.js";
import { memberReadCases } from "./member-reads.js";
import { ownAccountCases } from "./own-accounts.js";
import { paymentCases } from "./payments.js";
import { pdfCases } from "./pdfs.js";
import { peopleCases } from "./people.js";
import { preconditionCases } from "./preconditions.js";
import { previewCases } from "./previews.js";
import { publicBudgetCases } from "./public-budgets.js";
import { publicLinkCases } from "./public-links.js";
import { revisionCases } from "./revisions.js";
import { routingCases } from "./routing.js";
import { sessionCases } from "./sessions.js";
import { storageQuotaCases } from "./storage-quotas.js";
import { tenantCases } from "./tenants.js";
import { usageCases } from "./usage.js";
import { webhookCases } from "./webhooks.js";
import type { WorldOptions } from "./world.js";

/**
 * The HTTP interface as cases that any host of it can be held to:
 *
 * ```ts
 * httpSuite({ describe, it }, async (service) => {
 *   const server = await listen(myAdapter(service)); // answers under /v1
 *   return { send: overSocket(server.origin), close: () => server.close() };
 * });
 * ```
 *
 * `options.makeStore` runs it on another store than the one in memory, `options.service` with further options.
 */
export function httpSuite(
  runner: HttpSuiteRunner,
  start: StartHost,
  options: Pick<WorldOptions, "makeStore" | "service"> = {},
): void {
  const cases = casesOn(runner, start, options);
  routingCases(cases);
  bodyCases(cases);
  authenticationCases(cases);
  budgetCases(cases);
  budgetSizeCases(cases);
  lineCases(cases);
  listCases(cases);
  dateCases(cases);
  actCases(cases);
  previewCases(cases);
  revisionCases(cases);
  publicBudgetCases(cases);
  evidenceCases(cases);
  paymentCases(cases);
  mailCases(cases);
  preconditionCases(cases);
  idempotencyCases(cases);
  limitCases(cases);
  errorCases(cases);
  sessionCases(cases);
  loginThrottlingCases(cases);
  auditCases(cases);
  ownAccountCases(cases);
  peopleCases(cases);
  memberReadCases(cases);
  apiKeyCases(cases);
  catalogCases(cases);
  catalogRuleCases(cases);
  catalogListCases(cases);
  catalogAccessCases(cases);
  catalogBudgetCases(cases);
  catalogEventCases(cases);
  tenantCases(cases);
  usageCases(cases);
  dashboardCases(cases);
  webhookCases(cases);
  businessCases(cases);
  budgetNumberCases(cases);
  integrationCases(cases);
  developerPathCases(cases);
  attachmentCases(cases);
  customerPageCases(cases);
  logoCases(cases);
  publicLinkCases(cases);
  attachmentFormCases(cases);
  attachmentLimitCases(cases);
  pdfCases(cases);
  storageQuotaCases(cases);
}
