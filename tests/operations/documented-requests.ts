import { CHAIR, OWNER } from "./documented-world.js";

type Named = (name: string) => string;

/** A request that is shown in the description of the interface, and answered with success in the documented world. */
export interface DocumentedRequest {
  /** The name behind a parameter of the path, where it is not the parameter's own; or, with =, the value itself. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown | ((named: Named) => unknown);
}

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 20L12 4L20 20Z"></path></svg>';
const item = { productId: "table", description: "Oak table", quantity: 2, unitPrice: 450 };
const linked = { path: { budgetId: "linkedId" } };
const draft = { path: { budgetId: "draftId" } };
const approved = { path: { budgetId: "approvedId" } };
const customer = { path: { customerId: "=ana" } };
const product = { path: { productId: "=table" } };
const bundle = { path: { packageId: "=dining-set" } };
const revision = { path: { revision: "=2" } };
const page = { query: { page: 1, limit: 2 } };
const ofWebhook = { subscriberId: "webhookId" };
const ofKey = { subscriberId: "keyId", deliveryId: "keyDeliveryId" };
const records = { query: { search: "a", sort: "name", order: "asc", limit: 2 } };
const test = { event: "budget.created", data: { id: "1042", total: 544.5 } };

/** One request an operation, by operationId. */
export const DOCUMENTED_REQUESTS: Readonly<Record<string, DocumentedRequest>> = {
  describeApi: {},
  getOpenApi: {},

  listBudgets: { query: { status: "PENDING", createdAfter: "2026-03-01", minTotal: 100, limit: 2 } },
  getBudget: {},
  createBudget: {
    body: {
      customer: { name: "Carla Gómez", email: "carla@example.com", address: "San Martín 25, Salta" },
      items: [item, { description: "Delivery", quantity: 1, unitPrice: 35 }],
      taxRate: 0.21,
      discountAmount: 50,
      validUntil: "2099-12-31",
      notes: "Delivery in two weeks",
      metadata: { order: "4711" },
    },
  },
  previewDocument: {
    query: { as: "pdf", language: "en" },
    body: {
      items: [
        { productId: "table", description: "Oak table, oiled", quantity: 3, unitPrice: 460 },
        { description: "Delivery", quantity: 1, unitPrice: 35 },
      ],
      taxRate: 0.21,
      notes: "Delivery in two weeks",
    },
  },
  previewBudget: {
    body: {
      items: [
        { ...item, unitCost: 290 },
        { kind: "choice", key: "top", description: "Table top" },
        { description: "Oiled", quantity: 2, unitPrice: 35, choice: "top", selected: true },
        { description: "Lacquered", quantity: 2, unitPrice: 48, choice: "top" },
        { description: "Bench", quantity: 1, unitPrice: 240, optional: true },
        {
          description: "Linen, per metre",
          quantity: 12,
          unitPrice: 27.35,
          quantityRange: { minimum: 1, maximum: 40, step: 0.5 },
          priceTiers: [{ from: 10, unitPrice: 24 }],
          taxes: ["vat"],
        },
        { description: "Care, each year", quantity: 1, unitPrice: 60, recurring: { interval: "year", cycles: 3 } },
      ],
      taxes: [
        { id: "vat", name: "VAT", rate: 0.21 },
        { id: "retention", name: "Retention", rate: 0.02, kind: "withholding" },
      ],
      discountAmount: 50,
      deposit: { rate: 0.3 },
    },
  },
  updateBudget: {
    body: (named: Named) => ({ items: [{ id: named("itemId"), quantity: 3 }], discountAmount: 25 }),
  },
  deleteBudget: {},
  submitBudget: draft,
  withdrawBudget: {},
  completeBudget: approved,
  archiveBudget: { path: { budgetId: "completedId" } },
  restoreBudget: { path: { budgetId: "deletedId" } },
  reopenBudget: { ...approved, body: { reason: "The customer wants another wood" } },
  duplicateBudget: {},
  readPublicLink: linked,
  createPublicLink: { body: { rotate: true } },
  removePublicLink: linked,

  listBudgetRevisions: page,
  getBudgetRevision: revision,
  compareBudgetRevisions: { ...revision, query: { from: 1 } },

  sendBudget: { body: { to: "ana@example.com", message: "As we discussed on the phone.", lang: "en" } },
  remindBudgets: {
    body: (named: Named) => ({
      budgetIds: [named("budgetId"), named("approvedId")],
      message: "The oak is reserved until Friday.",
    }),
  },
  extendBudgets: {
    body: (named: Named) => ({ budgetIds: [named("endingId"), named("approvedId")], validUntil: "2099-12-31" }),
  },
  listMails: page,
  readReminders: {},
  stopReminders: {},
  listChangeRequests: {},
  listLinkViews: { ...linked, ...page },
  listMessages: { ...linked, ...page },
  sendMessage: { body: { message: "Delivery is included." } },
  listPublicMessages: page,
  sendPublicMessage: { body: { name: "Ana Ruiz", message: "Is delivery included?" } },

  listPayments: page,
  recordPayment: { body: { amount: 150, reference: "transfer 89", paidAt: "2026-03-02" } },

  uploadAttachment: { body: { file: "2.10 m by 0.95 m" } },
  listAttachments: page,
  downloadAttachment: {},
  shareAttachment: { body: { shared: true } },
  removeAttachment: {},

  readBudgetPdf: { query: { lang: "es" } },
  openPublicPdf: {},

  createPublicBudget: {
    body: {
      currency: "ARS",
      issueDate: "2026-03-01",
      expirationDate: "2099-12-31",
      customerId: 501,
      sellerId: 7,
      minimumPaymentToConfirm: 100,
      subtotal: 1_000,
      total: 1_210,
      iva: 210,
      comments: "Prices without delivery",
      items: [{ productId: 700, quantity: 2, unitPrice: 500 }],
    },
  },
  getEvidence: approved,
  getSigningKeys: {},
  openPublicLink: {},
  openEvidence: {},
  previewPublicBudget: {
    path: { token: "kitchenToken" },
    body: (named: Named) => ({
      selection: [
        { itemId: named("graniteId"), selected: true },
        { itemId: named("islandId"), selected: true },
        { itemId: named("tilesId"), quantity: 42.5 },
      ],
    }),
  },
  acceptPublicBudget: { body: (named: Named) => ({ version: 1, hash: named("shownHash"), name: "Ana Ruiz" }) },
  declinePublicBudget: {
    body: (named: Named) => ({ version: 1, hash: named("shownHash"), name: "Ana Ruiz", reason: "Too late for us" }),
  },

  requestPublicChange: { body: { version: 1, name: "Ana Ruiz", message: "Could it be pine instead of oak?" } },

  listCustomers: records,
  getCustomer: customer,
  createCustomer: {
    body: {
      id: "carla",
      name: "Carla Paz",
      email: "carla@example.com",
      phone: "+54 11 5555 0102",
      cuit: "20-30123456-3",
      metadata: { source: "fair" },
    },
  },
  updateCustomer: { ...customer, body: { phone: "+54 11 5555 0199" } },
  deleteCustomer: customer,
  restoreCustomer: { path: { customerId: "=bruno" } },
  listProducts: records,
  getProduct: product,
  createProduct: { body: CHAIR },
  updateProduct: { ...product, body: { unitPrice: 460.5 } },
  deleteProduct: product,
  restoreProduct: { path: { productId: "=stool" } },
  listPackages: records,
  getPackage: bundle,
  createPackage: {
    body: { name: "Six chairs", price: 540, items: [{ productId: "chair", variantId: "chair-pine", quantity: 6 }] },
  },
  updatePackage: { ...bundle, body: { price: 430 } },
  deletePackage: bundle,
  restorePackage: { path: { packageId: "=small-set" } },

  login: { body: OWNER },
  refreshSession: { body: (named: Named) => ({ refresh_token: named("refreshToken") }) },
  logout: {},
  getOwnAccount: {},
  changePassword: { body: { currentPassword: OWNER.password, newPassword: "a much better password" } },
  changeEmail: { body: { password: OWNER.password, email: "olga@example.org" } },
  requestPasswordReset: { body: { email: OWNER.email } },
  setPassword: { body: (named: Named) => ({ token: named("oneTimeToken"), password: "a much better password" }) },
  enrolTotp: { body: { password: OWNER.password } },
  confirmTotp: { body: (named: Named) => ({ code: named("totpCode") }) },
  disableTotp: { body: (named: Named) => ({ password: OWNER.password, code: named("recoveryCode") }) },

  createApiKey: {
    body: {
      name: "Warehouse",
      scopes: ["READ_BUDGETS", "READ_PRODUCTS", "WEBHOOKS"],
      rateLimitPerHour: 2_000,
      expiresAt: "2099-12-31",
      webhookUrl: "https://warehouse.example/hooks",
    },
  },
  listApiKeys: page,
  getApiKey: {},
  updateApiKey: { body: { name: "Web shop 2", rateLimitPerHour: 5_000, allowedIps: ["203.0.113.0/24"] } },
  revokeApiKey: {},
  regenerateApiKey: { body: { gracePeriodSeconds: 3_600 } },
  readWebhookSecret: {},
  rotateWebhookSecret: { body: { webhookSecret: "a secret of my own making" } },
  getApiKeyStatistics: { query: { period: "24h" } },
  getDashboardStatistics: { query: { period: "24h" } },
  getSalesStatistics: { query: { weeks: 2 } },

  getBusiness: {},
  getLogo: {},
  setLogo: { body: { file: LOGO } },
  removeLogo: {},
  previewBusiness: {
    query: { as: "pdf" },
    body: { name: "Carpintería del Norte", accentColor: "#8a4a1c", locale: "es-AR" },
  },
  updateBusiness: {
    body: {
      legalName: "Carpintería Norte S.R.L.",
      taxId: "30-71234567-1",
      address: "Av. Belgrano 1200\nSalta, Argentina",
      email: "sales@norte.example",
      website: "https://norte.example",
      paymentUrl: "https://pay.example/norte",
      linkPreview: { showsName: true, showsTotal: false },
      accentColor: "#0b6e4f",
      timeZone: "America/Argentina/Salta",
      locale: "es-AR",
      currency: "ARS",
    },
  },

  listUsers: page,
  getUser: {},
  inviteUser: { body: { email: "carla@example.com", displayName: "Carla Gómez", role: "ADMIN" } },
  updateUser: { body: { role: "ADMIN", disabled: true } },
  endUserSessions: {},
  removeUserSecondFactor: {},
  resendInvitation: {},
  removeUser: {},

  listIntegrations: page,
  getIntegration: {},
  createIntegration: { body: { name: "Accounting", description: "Books the offers", config: { ledger: "4000" } } },
  updateIntegration: {
    body: (named: Named) => ({
      apiKeyId: named("keyId"),
      webhookIds: [named("webhookId")],
      status: "INACTIVE",
    }),
  },
  deleteIntegration: {},
  listEvents: { query: { event: "budget.approved", since: "2026-03-01", limit: 1 } },
  getLedgerCheckpoint: {},

  testWebhookUrl: { body: test },
  createWebhook: {
    body: {
      url: "https://books.example/hooks",
      events: ["budget.*"],
      filter: { status: ["APPROVED"], minimumTotal: { amount: 1000, currency: "USD" } },
      retryPolicy: { delaysSeconds: [0, 60, 600] },
      ordering: "subject",
    },
  },
  listWebhooks: page,
  getWebhook: {},
  updateWebhook: { body: { description: "The CRM", status: "DISABLED" } },
  deleteWebhook: {},
  testWebhook: { body: test },
  testWebhookFilter: { body: { events: ["budget.*"], filter: { status: ["APPROVED"] }, limit: 2 } },
  startWebhookReplay: { body: { fromSequence: 1, events: ["budget.*"] } },
  getWebhookReplay: {},
  cancelWebhookReplay: {},
  readWebhookEndpointSecret: {},
  rotateWebhookEndpointSecret: { body: { secret: "a secret of my own making" } },
  listDeliveriesOfWebhook: { path: ofWebhook, query: { status: "delivered", limit: 1 } },
  retryDeliveryOfWebhook: { path: ofWebhook, body: {} },
  recoverDeliveriesOfWebhook: { path: ofWebhook, body: { since: "2026-03-01" } },
  listDeliveriesOfApiKey: { path: ofKey, query: { status: "delivered", limit: 1 } },
  retryDeliveryOfApiKey: { path: ofKey, body: {} },
  recoverDeliveriesOfApiKey: { path: ofKey, body: { since: "2026-03-01" } },
};
