import type { Call, Client, Download, Operations } from "@budgetkit/client";

type Downloads =
  | "downloadAttachment"
  | "getLogo"
  | "previewBusiness"
  | "previewDocument"
  | "readBudgetPdf"
  | "openPublicPdf";

type Calls = {
  readonly [K in keyof Operations]: (
    client: Client,
    input: Operations[K]["input"],
  ) => Call<K extends Downloads ? string : Operations[K]["answer"]> | Promise<string>;
};

const FILE = new Blob(["2.10 m by 0.95 m"], { type: "text/plain" });

const LOGO = new Blob(['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>'], { type: "image/svg+xml" });

async function textOf({ blob }: Download): Promise<string> {
  return (await blob()).text();
}

/** How each operation is called: one method each. */
const CALLS: Calls = {
  describeApi: (client) => client.describeApi(),
  getOpenApi: (client) => client.getOpenApi(),

  listBudgets: ({ budgets }, { query }) => budgets.list(query),
  getBudget: ({ budgets }, { path }) => budgets.get(path.budgetId),
  createBudget: ({ budgets }, { body }) => budgets.create(body),
  previewBudget: ({ budgets }, { body }) => budgets.preview(body),
  previewDocument: async ({ budgets }, { query, body }) => textOf(await budgets.previewDocument(body, query)),
  updateBudget: ({ budgets }, { path, body }) => budgets.update(path.budgetId, body),
  deleteBudget: ({ budgets }, { path }) => budgets.delete(path.budgetId),
  submitBudget: ({ budgets }, { path }) => budgets.submit(path.budgetId),
  withdrawBudget: ({ budgets }, { path }) => budgets.withdraw(path.budgetId),
  completeBudget: ({ budgets }, { path }) => budgets.complete(path.budgetId),
  archiveBudget: ({ budgets }, { path }) => budgets.archive(path.budgetId),
  restoreBudget: ({ budgets }, { path }) => budgets.restore(path.budgetId),
  reopenBudget: ({ budgets }, { path, body }) => budgets.reopen(path.budgetId, body),
  duplicateBudget: ({ budgets }, { path }) => budgets.duplicate(path.budgetId),
  readPublicLink: ({ budgets }, { path }) => budgets.readPublicLink(path.budgetId),
  createPublicLink: ({ budgets }, { path, body }) => budgets.createPublicLink(path.budgetId, body),
  removePublicLink: ({ budgets }, { path }) => budgets.removePublicLink(path.budgetId),
  listBudgetRevisions: ({ budgets }, { path, query }) => budgets.listRevisions(path.budgetId, query),
  getBudgetRevision: ({ budgets }, { path }) => budgets.getRevision(path.budgetId, path.revision),
  compareBudgetRevisions: ({ budgets }, { path, query }) =>
    budgets.compareRevisions(path.budgetId, path.revision, query),
  sendBudget: ({ budgets }, { path, body }) => budgets.send(path.budgetId, body),
  remindBudgets: ({ budgets }, { body }) => budgets.remind(body),
  extendBudgets: ({ budgets }, { body }) => budgets.extend(body),
  listMails: ({ budgets }, { path, query }) => budgets.listMails(path.budgetId, query),
  listPayments: ({ budgets }, { path, query }) => budgets.listPayments(path.budgetId, query),
  recordPayment: ({ budgets }, { path, body }) => budgets.recordPayment(path.budgetId, body),
  createPublicBudget: ({ budgets }, { body }) => budgets.createPublic(body),

  uploadAttachment: ({ attachments }, { path }) => attachments.upload(path.budgetId, FILE, { fileName: "plan.txt" }),
  listAttachments: ({ attachments }, { path, query }) => attachments.list(path.budgetId, query),
  downloadAttachment: async ({ attachments }, { path }) =>
    textOf(await attachments.download(path.budgetId, path.attachmentId)),
  shareAttachment: ({ attachments }, { path, body }) =>
    attachments.share(path.budgetId, path.attachmentId, body.shared),
  removeAttachment: ({ attachments }, { path }) => attachments.remove(path.budgetId, path.attachmentId),

  getEvidence: ({ budgets }, { path, query }) => budgets.evidence(path.budgetId, query),
  getSigningKeys: (client) => client.signingKeys(),
  openEvidence: ({ publicLinks }, { path }) => publicLinks.evidence(path.token),
  readBudgetPdf: async ({ budgets }, { path, query }) => textOf(await budgets.readPdf(path.budgetId, query)),
  openPublicPdf: async ({ publicLinks }, { path, query }) => textOf(await publicLinks.readPdf(path.token, query)),

  openPublicLink: ({ publicLinks }, { path }) => publicLinks.open(path.token),
  previewPublicBudget: ({ publicLinks }, { path, body }) => publicLinks.preview(path.token, body),
  readReminders: ({ publicLinks }, { path }) => publicLinks.readReminders(path.token),
  stopReminders: ({ publicLinks }, { path, query }) =>
    query?.reminders === "on" ? publicLinks.resumeReminders(path.token) : publicLinks.stopReminders(path.token),
  requestPublicChange: ({ publicLinks }, { path, body }) => publicLinks.requestChange(path.token, body),
  listLinkViews: ({ budgets }, { path, query }) => budgets.listViews(path.budgetId, query),
  listMessages: ({ budgets }, { path, query }) => budgets.listMessages(path.budgetId, query),
  sendMessage: ({ budgets }, { path, body }) => budgets.sendMessage(path.budgetId, body),
  listPublicMessages: ({ publicLinks }, { path, query }) => publicLinks.listMessages(path.token, query),
  sendPublicMessage: ({ publicLinks }, { path, body }) => publicLinks.sendMessage(path.token, body),
  listChangeRequests: ({ budgets }, { path }) => budgets.listChangeRequests(path.budgetId),
  acceptPublicBudget: ({ publicLinks }, { path, body }) => publicLinks.accept(path.token, body),
  declinePublicBudget: ({ publicLinks }, { path, body }) => publicLinks.decline(path.token, body),

  listCustomers: ({ customers }, { query }) => customers.list(query),
  getCustomer: ({ customers }, { path }) => customers.get(path.customerId),
  createCustomer: ({ customers }, { body }) => customers.create(body),
  updateCustomer: ({ customers }, { path, body }) => customers.update(path.customerId, body),
  deleteCustomer: ({ customers }, { path }) => customers.delete(path.customerId),
  restoreCustomer: ({ customers }, { path }) => customers.restore(path.customerId),
  listProducts: ({ products }, { query }) => products.list(query),
  getProduct: ({ products }, { path }) => products.get(path.productId),
  createProduct: ({ products }, { body }) => products.create(body),
  updateProduct: ({ products }, { path, body }) => products.update(path.productId, body),
  deleteProduct: ({ products }, { path }) => products.delete(path.productId),
  restoreProduct: ({ products }, { path }) => products.restore(path.productId),
  listPackages: ({ packages }, { query }) => packages.list(query),
  getPackage: ({ packages }, { path }) => packages.get(path.packageId),
  createPackage: ({ packages }, { body }) => packages.create(body),
  updatePackage: ({ packages }, { path, body }) => packages.update(path.packageId, body),
  deletePackage: ({ packages }, { path }) => packages.delete(path.packageId),
  restorePackage: ({ packages }, { path }) => packages.restore(path.packageId),

  login: ({ auth }, { body }) => auth.login(body),
  refreshSession: ({ auth }, { body }) => auth.refresh(body.refresh_token),
  logout: ({ auth }) => auth.logout(),
  getOwnAccount: ({ auth }) => auth.account(),
  changePassword: ({ auth }, { body }) => auth.changePassword(body),
  changeEmail: ({ auth }, { body }) => auth.changeEmail(body),
  requestPasswordReset: ({ auth }, { body }) => auth.requestPasswordReset(body),
  setPassword: ({ auth }, { body }) => auth.setPassword(body),
  enrolTotp: ({ auth }, { body }) => auth.enrolTotp(body),
  confirmTotp: ({ auth }, { body }) => auth.confirmTotp(body),
  disableTotp: ({ auth }, { body }) => auth.disableTotp(body),

  createApiKey: ({ keys }, { body }) => keys.create(body),
  listApiKeys: ({ keys }, { query }) => keys.list(query),
  getApiKey: ({ keys }, { path }) => keys.get(path.keyId),
  updateApiKey: ({ keys }, { path, body }) => keys.update(path.keyId, body),
  revokeApiKey: ({ keys }, { path }) => keys.revoke(path.keyId),
  regenerateApiKey: ({ keys }, { path, body }) => keys.regenerate(path.keyId, body),
  readWebhookSecret: ({ keys }, { path }) => keys.readWebhookSecret(path.keyId),
  rotateWebhookSecret: ({ keys }, { path, body }) => keys.rotateWebhookSecret(path.keyId, body),
  listDeliveriesOfApiKey: ({ keys }, { path, query }) => keys.listDeliveries(path.subscriberId, query),
  retryDeliveryOfApiKey: ({ keys }, { path }) => keys.retryDelivery(path.subscriberId, path.deliveryId),
  recoverDeliveriesOfApiKey: ({ keys }, { path, body }) => keys.recoverDeliveries(path.subscriberId, body),

  getApiKeyStatistics: ({ usage }, { path, query }) => usage.statistics(path.keyId, query),
  getDashboardStatistics: ({ usage }, { query }) => usage.dashboard(query),
  getSalesStatistics: ({ usage }, { query }) => usage.sales(query),
  listEvents: ({ events }, { query }) => events.list(query),
  getLedgerCheckpoint: ({ events }) => events.checkpoint(),
  getBusiness: ({ business }) => business.get(),
  getLogo: async ({ business }) => textOf(await business.getLogo()),
  setLogo: ({ business }) => business.setLogo(LOGO),
  removeLogo: ({ business }) => business.removeLogo(),
  previewBusiness: async ({ business }, { query, body }) => textOf(await business.preview(body, query)),
  updateBusiness: ({ business }, { body }) => business.update(body),
  listUsers: ({ users }, { query }) => users.list(query),
  getUser: ({ users }, { path }) => users.get(path.userId),
  inviteUser: ({ users }, { body }) => users.invite(body),
  updateUser: ({ users }, { path, body }) => users.update(path.userId, body),
  removeUser: ({ users }, { path }) => users.remove(path.userId),
  endUserSessions: ({ users }, { path }) => users.endSessions(path.userId),
  removeUserSecondFactor: ({ users }, { path }) => users.removeSecondFactor(path.userId),
  resendInvitation: ({ users }, { path }) => users.resendInvitation(path.userId),
  listIntegrations: ({ integrations }, { query }) => integrations.list(query),
  getIntegration: ({ integrations }, { path }) => integrations.get(path.integrationId),
  createIntegration: ({ integrations }, { body }) => integrations.create(body),
  updateIntegration: ({ integrations }, { path, body }) => integrations.update(path.integrationId, body),
  deleteIntegration: ({ integrations }, { path }) => integrations.delete(path.integrationId),

  testWebhookUrl: ({ webhooks }, { body }) => webhooks.testUrl(body),
  createWebhook: ({ webhooks }, { body }) => webhooks.create(body),
  listWebhooks: ({ webhooks }, { query }) => webhooks.list(query),
  getWebhook: ({ webhooks }, { path }) => webhooks.get(path.webhookId),
  updateWebhook: ({ webhooks }, { path, body }) => webhooks.update(path.webhookId, body),
  deleteWebhook: ({ webhooks }, { path }) => webhooks.delete(path.webhookId),
  testWebhook: ({ webhooks }, { path, body }) => webhooks.test(path.webhookId, body),
  testWebhookFilter: ({ webhooks }, { body }) => webhooks.testFilter(body),
  startWebhookReplay: ({ webhooks }, { path, body }) => webhooks.startReplay(path.webhookId, body),
  getWebhookReplay: ({ webhooks }, { path }) => webhooks.getReplay(path.webhookId),
  cancelWebhookReplay: ({ webhooks }, { path }) => webhooks.cancelReplay(path.webhookId),
  readWebhookEndpointSecret: ({ webhooks }, { path }) => webhooks.readSecret(path.webhookId),
  rotateWebhookEndpointSecret: ({ webhooks }, { path, body }) => webhooks.rotateSecret(path.webhookId, body),
  listDeliveriesOfWebhook: ({ webhooks }, { path, query }) => webhooks.listDeliveries(path.subscriberId, query),
  retryDeliveryOfWebhook: ({ webhooks }, { path }) => webhooks.retryDelivery(path.subscriberId, path.deliveryId),
  recoverDeliveriesOfWebhook: ({ webhooks }, { path, body }) => webhooks.recoverDeliveries(path.subscriberId, body),
};

/** Calls the client's method for an operation with what a request brings. Throws for one that has no method. */
export function callMethod(client: Client, operationId: string, input: unknown): Promise<unknown> {
  return Object(CALLS)[operationId](client, input);
}
