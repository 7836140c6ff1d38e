import { accessCases } from "./access.js";
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
import { bulkActCases } from "./bulk-acts.js";
import { businessCases } from "./business.js";
import { businessPreviewCases } from "./business-previews.js";
import { casesOn, type HttpCases, type HttpSuiteRunner } from "./cases.js";
import { catalogCases } from "./catalog.js";
import { catalogBudgetCases } from "./catalog-budgets.js";
import { catalogEventCases } from "./catalog-events.js";
import { catalogRuleCases } from "./catalog-rules.js";
import { configuredBudgetCases } from "./configured-budgets.js";
import { configuredOfferCases } from "./configured-offers.js";
import { customerPageCases } from "./customer-page.js";
import { dashboardCases } from "./dashboard.js";
import { dateCases } from "./dates.js";
import { demandedFactorCases } from "./demanded-factors.js";
import { developerPathCases } from "./developer-paths.js";
import { documentPreviewCases } from "./document-previews.js";
import { errorCases } from "./errors.js";
import { evidenceCases } from "./evidence.js";
import { formerOfferCases } from "./former-offers.js";
import type { StartHost } from "./host.js";
import { idempotencyCases } from "./idempotency.js";
import { inlineCustomerCases } from "./inline-customers.js";
import { integrationCases } from "./integrations.js";
import { limitCases } from "./limits.js";
import { lineCases } from "./lines.js";
import { linkViewCases } from "./link-views.js";
import { listCases } from "./lists.js";
import { loginThrottlingCases } from "./login-throttling.js";
import { logoCases } from "./logo.js";
import { mailCases } from "./mails.js";
import { memberReadCases } from "./member-reads.js";
import { messageCases } from "./messages.js";
import { namedTaxCases } from "./named-taxes.js";
import { ownAccountCases } from "./own-accounts.js";
import { paymentLinkCases } from "./payment-links.js";
import { paymentCases } from "./payments.js";
import { pdfCases } from "./pdfs.js";
import { peopleCases } from "./people.js";
import { preconditionCases } from "./preconditions.js";
import { previewCases } from "./previews.js";
import { publicBudgetCases } from "./public-budgets.js";
import { publicLinkCases } from "./public-links.js";
import { revisionCases } from "./revisions.js";
import { routingCases } from "./routing.js";
import { salesCases } from "./sales.js";
import { sessionCases } from "./sessions.js";
import { storageQuotaCases } from "./storage-quotas.js";
import { tenantCases } from "./tenants.js";
import { usageCases } from "./usage.js";
import { userCases } from "./users.js";
import { webhookCapCases } from "./webhook-caps.js";
import { webhookDeliveryCases } from "./webhook-deliveries.js";
import { webhookEndpointCases } from "./webhook-endpoints.js";
import { webhookFilterCases } from "./webhook-filters.js";
import { webhookReplayCases } from "./webhook-replays.js";
import { webhookSecretCases } from "./webhook-secrets.js";
import { webhookTestCases } from "./webhook-tests.js";
import type { WorldOptions } from "./world.js";

/** The cases of each subject, in the order of the run. */
const SUBJECTS: Readonly<Record<string, (cases: HttpCases) => void>> = {
  routing: routingCases,
  bodies: bodyCases,
  authentication: authenticationCases,
  access: accessCases,
  budgets: budgetCases,
  "budget sizes": budgetSizeCases,
  lines: lineCases,
  "configured budgets": configuredBudgetCases,
  "configured offers": configuredOfferCases,
  "named taxes": namedTaxCases,
  lists: listCases,
  dates: dateCases,
  acts: actCases,
  previews: previewCases,
  "document previews": documentPreviewCases,
  "business previews": businessPreviewCases,
  revisions: revisionCases,
  "public budgets": publicBudgetCases,
  "inline customers": inlineCustomerCases,
  evidence: evidenceCases,
  payments: paymentCases,
  messages: messageCases,
  "former offers": formerOfferCases,
  "payment links": paymentLinkCases,
  mails: mailCases,
  "bulk acts": bulkActCases,
  preconditions: preconditionCases,
  idempotency: idempotencyCases,
  limits: limitCases,
  errors: errorCases,
  sessions: sessionCases,
  "login throttling": loginThrottlingCases,
  audit: auditCases,
  "own accounts": ownAccountCases,
  "demanded factors": demandedFactorCases,
  people: peopleCases,
  users: userCases,
  "member reads": memberReadCases,
  "api keys": apiKeyCases,
  catalog: catalogCases,
  "catalog rules": catalogRuleCases,
  "catalog budgets": catalogBudgetCases,
  "catalog events": catalogEventCases,
  tenants: tenantCases,
  usage: usageCases,
  dashboard: dashboardCases,
  sales: salesCases,
  "link views": linkViewCases,
  "webhook endpoints": webhookEndpointCases,
  "webhook filters": webhookFilterCases,
  "webhook replays": webhookReplayCases,
  "webhook secrets": webhookSecretCases,
  "webhook tests": webhookTestCases,
  "webhook deliveries": webhookDeliveryCases,
  "webhook caps": webhookCapCases,
  business: businessCases,
  "budget numbers": budgetNumberCases,
  integrations: integrationCases,
  "developer paths": developerPathCases,
  attachments: attachmentCases,
  "customer page": customerPageCases,
  logo: logoCases,
  "public links": publicLinkCases,
  "attachment forms": attachmentFormCases,
  "attachment limits": attachmentLimitCases,
  pdfs: pdfCases,
  "storage quotas": storageQuotaCases,
};

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
  for (const [subject, addCases] of Object.entries(SUBJECTS)) cases.describe(subject, () => addCases(cases));
}
