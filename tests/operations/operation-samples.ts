/** Looks up what a business has under a name: `budgetId`, `email`, `mark`. Throws for a name that it does not have. */
export type Names = (name: string) => string;

/**
 * How to call one operation as a business that has everything. Whatever a sample takes from `named` is what the test
 * of tenant isolation replaces by what another business has, and by what nobody has.
 */
export interface Sample {
  /** The name behind each parameter of the path, where it is not the parameter's own. */
  readonly params?: Readonly<Record<string, string>>;
  /** Queries worth asking beside none; those of lists name everything that can be filtered by. */
  readonly queries?: (named: Names) => readonly string[];
  /** A valid body: an object is sent as JSON, text and bytes as they are. Every text in it carries `own("mark")`. */
  readonly body?: (own: Names, named: Names) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** For statistics, which name nothing that a business has. */
  readonly numbersAlone?: true;
  /** For operations whose success needs a secret that is shown once: the status of their refusal. */
  readonly refusedWith?: number;
  /** For operations that take away the credential they are called with: they come after all others. */
  readonly last?: true;
}

const testBody = (own: Names) => ({ event: "budget.created", data: { text: own("mark") } });
const ofKey = { subscriberId: "keyId", deliveryId: "keyDeliveryId" };
const ofWebhook = { subscriberId: "webhookId" };
const periods = () => ["1h", "24h", "7d", "30d", "90d"].map((period) => `period=${period}`);
const sinceBody = () => ({ since: "2026-01-01" });
const deliveryQueries = () => ["limit=100", "status=delivered", "event=budget.created"];
const answerBody = (own: Names) => ({ version: 1, name: own("mark") });

/** Filters that every list of the catalog has. */
const recordQueries = (named: Names) => [
  "limit=100&includeDeleted=true",
  `search=${named("mark")}`,
  "sort=name&order=asc",
];

/** One sample an operation, by operationId. A route without one fails the test. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  describeApi: {},
  getOpenApi: {},

  listBudgets: {
    queries: (named) => [
      "limit=100&includeDeleted=true",
      `customerId=${named("customerId")}`,
      `search=${named("mark")}`,
      "status=APPROVED",
      "minTotal=1&maxTotal=1000000&sort=total&order=asc",
      "createdAfter=2026-01-01&createdBefore=2026-12-31&sort=status",
    ],
  },
  getBudget: {},
  createBudget: {
    body: (own, named) => ({
      customerId: named("customerId"),
      notes: own("mark"),
      items: [{ productId: named("productId"), description: own("mark"), quantity: 3, unitPrice: 73_113.37 }],
      taxRate: 0.21,
      discountAmount: 11.01,
      validUntil: "2026-12-31",
      metadata: { [own("mark")]: own("mark") },
    }),
  },
  previewBudget: {
    body: (own, named) => ({
      customerId: named("customerId"),
      items: [{ productId: named("productId"), description: own("mark"), quantity: 3, unitPrice: 73_113.37 }],
      taxRate: 0.21,
    }),
  },
  previewDocument: {
    queries: () => ["as=page&language=es", "as=mail", "as=pdf"],
    body: (own, named) => ({
      budgetId: named("budgetId"),
      items: [{ id: named("itemId"), description: own("mark"), quantity: 3, unitPrice: 73_113.37 }],
      notes: own("mark"),
    }),
  },
  listBudgetRevisions: { queries: () => ["limit=100"] },
  getBudgetRevision: {},
  compareBudgetRevisions: {},
  updateBudget: {
    body: (own, named) => ({
      notes: own("mark"),
      items: [{ id: named("itemId"), description: own("mark"), quantity: 1, unitPrice: 5 }],
    }),
  },
  deleteBudget: {},
  submitBudget: {},
  withdrawBudget: {},
  completeBudget: {},
  archiveBudget: {},
  restoreBudget: {},
  reopenBudget: { body: (own) => ({ reason: own("mark") }) },
  duplicateBudget: {},
  readPublicLink: { params: { budgetId: "offerId" } },
  createPublicLink: { body: () => ({ rotate: true }) },
  removePublicLink: {},

  sendBudget: { body: (own) => ({ to: "buyer@example.com", message: own("mark"), lang: "es" }) },
  remindBudgets: { body: (own, named) => ({ budgetIds: [named("budgetId")], message: own("mark") }) },
  extendBudgets: { body: (_, named) => ({ budgetIds: [named("budgetId")], validUntil: "2027-12-31" }) },
  listMails: { queries: () => ["limit=100"] },
  listPayments: {},
  recordPayment: { body: (own) => ({ amount: 7.5, reference: own("mark"), paidAt: "2026-03-01" }) },

  uploadAttachment: {
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: (own) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${own("mark")}.txt"\r\n\r\n${own("mark")}\r\n--b--\r\n`,
  },
  requestPublicChange: { body: (own) => ({ ...answerBody(own), message: own("mark") }) },
  listChangeRequests: { params: { budgetId: "acceptedId" } },
  listLinkViews: { queries: () => ["limit=100"], numbersAlone: true },
  listMessages: { queries: () => ["limit=100"] },
  sendMessage: { body: (own) => ({ message: own("mark") }) },
  listPublicMessages: { queries: () => ["limit=100"] },
  sendPublicMessage: { body: (own) => ({ name: own("mark"), message: own("mark") }) },
  getLogo: {},
  setLogo: {
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: (own) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="logo.svg"\r\n\r\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${own("mark")}</title></svg>\r\n--b--\r\n`,
  },
  removeLogo: {},
  listAttachments: { queries: () => ["limit=100"] },
  downloadAttachment: {},
  shareAttachment: { body: () => ({ shared: true }) },
  removeAttachment: {},

  readBudgetPdf: {},
  openPublicPdf: {},

  createPublicBudget: {
    body: (own, named) => ({
      currency: "USD",
      issueDate: "2026-03-01",
      expirationDate: "2026-12-31",
      customerId: Number(named("customerId")),
      sellerId: Number(named("sellerId")),
      businessId: Number(named("businessId")),
      minimumPaymentToConfirm: 100,
      subtotal: 1_000,
      total: 1_210,
      iva: 210,
      comments: own("mark"),
      items: [{ productId: Number(named("productId")), quantity: 2, unitPrice: 500 }],
    }),
  },
  getEvidence: { params: { budgetId: "approvedId" } },
  getSigningKeys: {},
  openPublicLink: {},
  readReminders: {},
  stopReminders: {},
  openEvidence: { params: { token: "acceptedToken" } },
  previewPublicBudget: { body: () => ({ selection: [] }) },
  acceptPublicBudget: { body: answerBody },
  declinePublicBudget: { body: (own) => ({ ...answerBody(own), reason: own("mark") }) },

  listCustomers: { queries: recordQueries },
  getCustomer: {},
  createCustomer: {
    body: (own) => ({
      name: own("mark"),
      email: `customer-${own("mark")}@example.com`,
      phone: own("mark"),
      dni: "30123456",
      cuit: "20-30123456-3",
      taxCondition: own("mark"),
      address: own("mark"),
      externalId: own("mark"),
      metadata: { [own("mark")]: own("mark") },
    }),
  },
  updateCustomer: { body: (own) => ({ name: own("mark") }) },
  deleteCustomer: {},
  restoreCustomer: {},
  listProducts: { queries: recordQueries },
  getProduct: {},
  createProduct: {
    body: (own) => ({
      name: own("mark"),
      sku: "SKU-1", // of both businesses: it is unique in each
      description: own("mark"),
      unitPrice: 12.5,
      options: [{ name: own("mark"), values: [own("mark")] }],
      variants: [{ name: own("mark"), sku: "SKU-2", options: { [own("mark")]: own("mark") } }],
    }),
  },
  updateProduct: { body: (own) => ({ name: own("mark") }) },
  deleteProduct: {},
  restoreProduct: {},
  listPackages: { queries: recordQueries },
  getPackage: {},
  createPackage: {
    body: (own, named) => ({ name: own("mark"), price: 99.5, items: [{ productId: named("productId"), quantity: 2 }] }),
  },
  updatePackage: {
    body: (own, named) => ({ items: [{ productId: named("productId"), quantity: 3 }], name: own("mark") }),
  },
  deletePackage: {},
  restorePackage: {},

  login: { body: (own, named) => ({ email: named("email"), password: own("password") }) },
  refreshSession: { body: (own) => ({ refresh_token: own("refreshToken") }) },
  logout: { last: true },
  getOwnAccount: {},
  changePassword: { body: (own) => ({ currentPassword: own("password"), newPassword: own("password") }) },
  changeEmail: { body: (own) => ({ password: own("password"), email: `${own("mark")}@example.com` }) },
  requestPasswordReset: { body: (_, named) => ({ email: named("email") }) },
  setPassword: { body: (own) => ({ token: own("mark"), password: own("password") }), refusedWith: 422 },
  enrolTotp: { body: (own) => ({ password: own("password") }) },
  confirmTotp: { body: (own) => ({ code: own("mark") }), refusedWith: 422 },
  disableTotp: { body: (own) => ({ password: own("password"), code: own("mark") }) },

  createApiKey: {
    body: (own) => ({
      name: own("mark"),
      description: own("mark"),
      scopes: ["READ_BUDGETS", "WRITE_BUDGETS"],
      allowedIps: ["10.0.0.0/8"],
      expiresAt: "2026-12-31",
      webhookUrl: `https://${own("mark")}.example/key`,
      webhookSecret: `${own("mark")} secret`,
    }),
  },
  listApiKeys: { queries: () => ["limit=100"] },
  getApiKey: {},
  updateApiKey: { body: (own) => ({ name: own("mark"), webhookUrl: `https://${own("mark")}.example/key` }) },
  revokeApiKey: {},
  regenerateApiKey: { body: () => ({ gracePeriodSeconds: 60 }) },
  readWebhookSecret: {},
  rotateWebhookSecret: { body: () => ({}) },

  getBusiness: {},
  previewBusiness: {
    queries: () => ["as=page", "as=mail&appearance=dark", "as=pdf"],
    body: (own) => ({ legalName: own("mark"), footer: own("mark") }),
  },
  updateBusiness: { body: (own) => ({ legalName: own("mark"), footer: own("mark") }) },

  listUsers: { queries: () => ["limit=100"] },
  getUser: {},
  inviteUser: {
    body: (own) => ({ email: `guest-${own("mark")}@example.com`, displayName: own("mark"), role: "MEMBER" }),
  },
  updateUser: { body: (own) => ({ displayName: own("mark"), role: "ADMIN" }) },
  endUserSessions: {},
  removeUserSecondFactor: {},
  resendInvitation: {},
  removeUser: {},

  listIntegrations: { queries: () => ["limit=100"] },
  getIntegration: {},
  createIntegration: {
    body: (own, named) => ({
      name: own("mark"),
      description: own("mark"),
      apiKeyId: named("keyId"),
      webhookIds: [named("webhookId")],
      config: { [own("mark")]: own("mark") },
    }),
  },
  updateIntegration: {
    body: (_own, named) => ({ apiKeyId: named("keyId"), webhookIds: [named("webhookId")] }),
  },
  deleteIntegration: {},

  listEvents: {
    queries: (named) => ["limit=100", `subjectId=${named("budgetId")}`, "type=budget.created&since=2026-01-01"],
  },

  getLedgerCheckpoint: {},

  getApiKeyStatistics: { params: { keyId: "usedKeyId" }, queries: periods, numbersAlone: true },
  getDashboardStatistics: { queries: periods, numbersAlone: true },
  getSalesStatistics: { queries: () => ["", "weeks=1", "weeks=53"], numbersAlone: true },

  testWebhookUrl: { body: testBody },
  createWebhook: {
    body: (own, named) => ({
      url: `https://${own("mark")}.example/endpoint`,
      description: own("mark"),
      events: ["budget.created", "budget.approved"],
      filter: { customerId: [named("customerId")] },
      secret: `${own("mark")} secret`,
      allowedIps: ["192.0.2.0/24"],
      retryPolicy: { delaysSeconds: [0, 60] },
      ordering: "subject",
    }),
  },
  listWebhooks: { queries: () => ["limit=100"] },
  getWebhook: {},
  updateWebhook: { body: (own) => ({ description: own("mark") }) },
  deleteWebhook: {},
  testWebhook: { body: testBody },
  testWebhookFilter: { body: (_own, named) => ({ webhookId: named("webhookId"), events: null }) },
  startWebhookReplay: { body: () => ({ fromSequence: 1 }) },
  getWebhookReplay: {},
  cancelWebhookReplay: {},
  readWebhookEndpointSecret: {},
  rotateWebhookEndpointSecret: { body: () => ({}) },

  listDeliveriesOfWebhook: { params: ofWebhook, queries: deliveryQueries },
  retryDeliveryOfWebhook: { params: ofWebhook, body: () => ({}) },
  recoverDeliveriesOfWebhook: { params: ofWebhook, body: sinceBody },
  listDeliveriesOfApiKey: { params: ofKey, queries: deliveryQueries },
  retryDeliveryOfApiKey: { params: ofKey, body: () => ({}) },
  recoverDeliveriesOfApiKey: { params: ofKey, body: sinceBody },
};
