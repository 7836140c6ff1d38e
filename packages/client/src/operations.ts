// Written by tests/client/types.test.ts from the description of the interface.
import type {
  Account,
  ApiKey,
  Attachment,
  Budget,
  BudgetDeletion,
  BudgetEntry,
  BudgetPreview,
  BudgetResults,
  Business,
  BusinessEvent,
  ChangeRequest,
  CompareBudgetRevisionsQuery,
  CreateApiKey,
  CreateBudget,
  CreateCustomer,
  CreateIntegration,
  CreatePackage,
  CreateProduct,
  CreatePublicBudget,
  CreatePublicLink,
  CreateWebhook,
  CreatedApiKey,
  CreatedWebhook,
  CursorPage,
  Customer,
  Dashboard,
  Delivery,
  EmailChange,
  EventFilter,
  EventPattern,
  Evidence,
  ExtendBudgets,
  FilterTest,
  GetEvidenceQuery,
  Integration,
  Invitation,
  InviteUser,
  KeyStatistics,
  LedgerCheckpoint,
  LinkView,
  ListBudgetsQuery,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListRecordsQuery,
  Login,
  LoginAnswer,
  LoginUser,
  Mail,
  Message,
  NewPassword,
  OpenPublicLinkQuery,
  OwnAccount,
  Package,
  Page,
  PageQuery,
  PasswordChange,
  PasswordResetRequest,
  Payment,
  PreviewBudget,
  PreviewDocument,
  PreviewDocumentQuery,
  Product,
  PublicAnswer,
  PublicBudget,
  PublicCreation,
  PublicLink,
  PublicMessage,
  PublicPreview,
  ReadBudgetPdfQuery,
  ReadRemindersQuery,
  RecordDeletion,
  RecordPayment,
  RecoveryCodes,
  RegeneratedApiKey,
  RemindBudgets,
  Reminders,
  ReopenBudget,
  RequestChange,
  Revision,
  RevisionDifference,
  RevisionEntry,
  RevokedApiKey,
  Sales,
  SalesQuery,
  SendBudget,
  SendMessage,
  SendPublicMessage,
  ShareAttachment,
  StatisticsQuery,
  StopRemindersQuery,
  TotpConfirmation,
  TotpEnrolment,
  TotpRemoval,
  TotpSecret,
  UpdateApiKey,
  UpdateBudget,
  UpdateBusiness,
  UpdateCustomer,
  UpdateIntegration,
  UpdatePackage,
  UpdateProduct,
  UpdateUser,
  UpdateWebhook,
  UploadAttachmentQuery,
  Webhook,
  WebhookReplay,
  WebhookTest,
  WebhookTestResult,
} from "./schemas.js";

export interface Operations {
  /** Get the name and version of the interface. Needs no credential. */
  describeApi: { input: Record<never, never>; answer: {
    name: string;
    version: string;
  } };
  /** Get the OpenAPI 3.1 document. Needs no credential. */
  getOpenApi: { input: Record<never, never>; answer: {
    openapi: string;
    info: {
      title: string;
      version: string;
    };
    paths: Record<string, unknown>;
  } };
  /** List budgets, with filters and sorting. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listBudgets: { input: { query?: ListBudgetsQuery | undefined }; answer: CursorPage<BudgetEntry> };
  /** Create a budget. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  createBudget: { input: { body: CreateBudget }; answer: Budget };
  /** Get a budget with its customer and products. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  getBudget: { input: { path: { budgetId: string } }; answer: Budget };
  /** Change a budget's content, its status, or both. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  updateBudget: { input: { path: { budgetId: string }; body: UpdateBudget }; answer: Budget };
  /** Delete a budget; it can be restored. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  deleteBudget: { input: { path: { budgetId: string } }; answer: BudgetDeletion };
  /** Submit a draft: it becomes pending. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  submitBudget: { input: { path: { budgetId: string } }; answer: Budget };
  /** Withdraw a pending budget: it becomes a draft. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  withdrawBudget: { input: { path: { budgetId: string } }; answer: Budget };
  /** Complete an approved budget. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  completeBudget: { input: { path: { budgetId: string } }; answer: Budget };
  /** Archive a completed budget. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  archiveBudget: { input: { path: { budgetId: string } }; answer: Budget };
  /** Restore a deleted budget. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  restoreBudget: { input: { path: { budgetId: string } }; answer: Budget };
  /** Reopen an approved budget, with a reason. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  reopenBudget: { input: { path: { budgetId: string }; body: ReopenBudget }; answer: Budget };
  /** Copy a budget to a new draft. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  duplicateBudget: { input: { path: { budgetId: string } }; answer: Budget };
  /** Mail a reminder of each budget to its customer now. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  remindBudgets: { input: { body: RemindBudgets }; answer: BudgetResults };
  /** Set a later validity of pending and expired budgets. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  extendBudgets: { input: { body: ExtendBudgets }; answer: BudgetResults };
  /** List the newest views of the public link of a budget, newest first. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listLinkViews: { input: { path: { budgetId: string }; query?: PageQuery | undefined }; answer: Page<LinkView> };
  /** Get the public link of a budget again. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  readPublicLink: { input: { path: { budgetId: string } }; answer: PublicLink };
  /** Get the public link of a budget, made if there is none; `rotate` replaces it. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  createPublicLink: { input: { path: { budgetId: string }; body?: CreatePublicLink | undefined }; answer: PublicLink };
  /** End the public link of a budget. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  removePublicLink: { input: { path: { budgetId: string } }; answer: {
    budgetId: string;
    /** ISO 8601, in UTC. */
    removedAt: string;
  } };
  /** Calculate a budget step by step without creating it. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  previewBudget: { input: { body: PreviewBudget }; answer: BudgetPreview };
  /** Show a budget that is not saved as its customer would see it: as page, mail or PDF. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  previewDocument: { input: { query?: PreviewDocumentQuery | undefined; body: PreviewDocument }; answer: Response };
  /** List the revisions of a budget, newest first. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listBudgetRevisions: { input: { path: { budgetId: string }; query?: PageQuery | undefined }; answer: Page<RevisionEntry> };
  /** Get a revision of a budget. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  getBudgetRevision: { input: { path: { budgetId: string; revision: number } }; answer: Revision };
  /** Compare two revisions of a budget. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  compareBudgetRevisions: { input: { path: { budgetId: string; revision: number }; query?: CompareBudgetRevisionsQuery | undefined }; answer: RevisionDifference };
  /** List the payments of a budget, newest first. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listPayments: { input: { path: { budgetId: string }; query?: PageQuery | undefined }; answer: Page<Payment> };
  /** Record a payment towards a budget, once per reference. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  recordPayment: { input: { path: { budgetId: string }; body: RecordPayment }; answer: Payment };
  /** Create a budget with a public link. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  createPublicBudget: { input: { body: CreatePublicBudget }; answer: PublicCreation };
  /** Get the evidence of the acceptance of a budget. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  getEvidence: { input: { path: { budgetId: string }; query?: GetEvidenceQuery | undefined }; answer: Evidence };
  /** Get the public keys that verify evidence, as a JSON Web Key Set. Needs no credential. */
  getSigningKeys: { input: Record<never, never>; answer: {
    keys: {
      alg: "EdDSA";
      crv: "Ed25519";
      kid: string;
      kty: "OKP";
      use: "sig";
      x: string;
    }[];
  } };
  /** List customers, with search and sorting. Needs an API key with the scope `READ_CUSTOMERS`, or the login of a user whose role has it. */
  listCustomers: { input: { query?: ListRecordsQuery | undefined }; answer: CursorPage<Customer> };
  /** Create a customer. Needs an API key with the scope `WRITE_CUSTOMERS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  createCustomer: { input: { body: CreateCustomer }; answer: Customer };
  /** Get a customer. Needs an API key with the scope `READ_CUSTOMERS`, or the login of a user whose role has it. */
  getCustomer: { input: { path: { customerId: string } }; answer: Customer };
  /** Change the given fields of a customer. Needs an API key with the scope `WRITE_CUSTOMERS`, or the login of a user whose role has it. */
  updateCustomer: { input: { path: { customerId: string }; body: UpdateCustomer }; answer: Customer };
  /** Delete a customer; it can be restored. Needs an API key with the scope `WRITE_CUSTOMERS`, or the login of a user whose role has it. */
  deleteCustomer: { input: { path: { customerId: string } }; answer: RecordDeletion };
  /** Restore a deleted customer. Needs an API key with the scope `WRITE_CUSTOMERS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  restoreCustomer: { input: { path: { customerId: string } }; answer: Customer };
  /** List products, with search and sorting. Needs an API key with the scope `READ_PRODUCTS`, or the login of a user whose role has it. */
  listProducts: { input: { query?: ListRecordsQuery | undefined }; answer: CursorPage<Product> };
  /** Create a product. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  createProduct: { input: { body: CreateProduct }; answer: Product };
  /** Get a product. Needs an API key with the scope `READ_PRODUCTS`, or the login of a user whose role has it. */
  getProduct: { input: { path: { productId: string } }; answer: Product };
  /** Change the given fields of a product. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. */
  updateProduct: { input: { path: { productId: string }; body: UpdateProduct }; answer: Product };
  /** Delete a product; it can be restored. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. */
  deleteProduct: { input: { path: { productId: string } }; answer: RecordDeletion };
  /** Restore a deleted product. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  restoreProduct: { input: { path: { productId: string } }; answer: Product };
  /** List packages, with search and sorting. Needs an API key with the scope `READ_PRODUCTS`, or the login of a user whose role has it. */
  listPackages: { input: { query?: ListRecordsQuery | undefined }; answer: CursorPage<Package> };
  /** Create a package. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  createPackage: { input: { body: CreatePackage }; answer: Package };
  /** Get a package. Needs an API key with the scope `READ_PRODUCTS`, or the login of a user whose role has it. */
  getPackage: { input: { path: { packageId: string } }; answer: Package };
  /** Change the given fields of a package. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. */
  updatePackage: { input: { path: { packageId: string }; body: UpdatePackage }; answer: Package };
  /** Delete a package; it can be restored. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. */
  deletePackage: { input: { path: { packageId: string } }; answer: RecordDeletion };
  /** Restore a deleted package. Needs an API key with the scope `WRITE_PRODUCTS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  restorePackage: { input: { path: { packageId: string } }; answer: Package };
  /** Log in with email and password. Needs no credential. */
  login: { input: { body: Login }; answer: LoginAnswer };
  /** Exchange a refresh token for new tokens. Needs no credential. */
  refreshSession: { input: { body: {
    refresh_token: string;
  } }; answer: LoginAnswer };
  /** End the session immediately. Needs the login of any user. */
  logout: { input: Record<never, never>; answer: {
    message: string;
  } };
  /** Get the own account. Needs the login of any user. */
  getOwnAccount: { input: Record<never, never>; answer: OwnAccount };
  /** Change the own password; the other sessions end. Needs the login of any user. */
  changePassword: { input: { body: PasswordChange }; answer: {
    message: string;
  } };
  /** Change the email of the own login. Needs the login of any user. */
  changeEmail: { input: { body: EmailChange }; answer: LoginUser };
  /** Request a mail with a token that sets a new password. Needs no credential. */
  requestPasswordReset: { input: { body: PasswordResetRequest }; answer: {
    message: string;
  } };
  /** Set a password with the token of an invitation or a reset. Needs no credential. */
  setPassword: { input: { body: NewPassword }; answer: {
    message: string;
  } };
  /** Make the secret of a generator of codes; only this response contains it. Needs the login of any user. */
  enrolTotp: { input: { body: TotpEnrolment }; answer: TotpSecret };
  /** Turn the second factor on with a code; only this response contains the recovery codes. Needs the login of any user. */
  confirmTotp: { input: { body: TotpConfirmation }; answer: RecoveryCodes };
  /** Remove the own second factor. Needs the login of any user. */
  disableTotp: { input: { body: TotpRemoval }; answer: {
    message: string;
  } };
  /** Create an API key; only this response contains it. Needs the login of an OWNER or ADMIN. Accepts an Idempotency-Key. */
  createApiKey: { input: { body: CreateApiKey }; answer: CreatedApiKey };
  /** List API keys, newest first. Needs the login of any user. */
  listApiKeys: { input: { query?: PageQuery | undefined }; answer: Page<ApiKey> };
  /** Get an API key. Needs the login of any user. */
  getApiKey: { input: { path: { keyId: string } }; answer: ApiKey };
  /** Change an API key's settings or status. Needs the login of an OWNER or ADMIN. */
  updateApiKey: { input: { path: { keyId: string }; body: UpdateApiKey }; answer: ApiKey };
  /** Revoke an API key permanently. Needs the login of an OWNER or ADMIN. */
  revokeApiKey: { input: { path: { keyId: string } }; answer: RevokedApiKey };
  /** Replace an API key by a new one with the same id. Needs the login of an OWNER or ADMIN. */
  regenerateApiKey: { input: { path: { keyId: string }; body?: {
    /** Default: 0. */
    gracePeriodSeconds?: number | undefined;
  } | undefined }; answer: RegeneratedApiKey };
  /** Get the signing secret of the key's webhooks. Needs the login of an OWNER or ADMIN. */
  readWebhookSecret: { input: { path: { keyId: string } }; answer: {
    webhookSecret: string;
  } };
  /** Replace the signing secret of the key's webhooks. Needs the login of an OWNER or ADMIN. */
  rotateWebhookSecret: { input: { path: { keyId: string }; body?: {
    webhookSecret?: string | null | undefined;
  } | undefined }; answer: {
    webhookSecret: string;
    /** ISO 8601, in UTC. */
    previousSecretUntil: string;
  } };
  /** Get the business and its profile. Needs the login of any user. */
  getBusiness: { input: Record<never, never>; answer: Business };
  /** Change the given fields of the business; null clears one. Needs the login of an OWNER or ADMIN. */
  updateBusiness: { input: { body: UpdateBusiness }; answer: Business };
  /** Show a sample budget as page, mail or PDF after a change of the business that is not saved. Needs the login of an OWNER or ADMIN. */
  previewBusiness: { input: { query?: PreviewDocumentQuery | undefined; body: UpdateBusiness }; answer: Response };
  /** Download the logo of the business. Needs the login of any user. */
  getLogo: { input: Record<never, never>; answer: Response };
  /** Set the logo of the business, by a form with the part `file`: PNG, JPEG or SVG. Needs the login of an OWNER or ADMIN. */
  setLogo: { input: Record<never, never>; answer: Business };
  /** Remove the logo of the business. Needs the login of an OWNER or ADMIN. */
  removeLogo: { input: Record<never, never>; answer: Business };
  /** List the users of the business, in the order of their creation. Needs the login of an OWNER or ADMIN. */
  listUsers: { input: { query?: PageQuery | undefined }; answer: Page<Account> };
  /** Invite a user, who sets a password by the link; only this response contains it. Needs the login of an OWNER or ADMIN. Accepts an Idempotency-Key. */
  inviteUser: { input: { body: InviteUser }; answer: Invitation };
  /** Get a user of the business. Needs the login of an OWNER or ADMIN. */
  getUser: { input: { path: { userId: string } }; answer: Account };
  /** Change a user's name or role, or disable or enable the user. Needs the login of an OWNER or ADMIN. */
  updateUser: { input: { path: { userId: string }; body: UpdateUser }; answer: Account };
  /** Delete a user; the sessions end immediately. Needs the login of an OWNER or ADMIN. */
  removeUser: { input: { path: { userId: string } }; answer: Account };
  /** End all sessions of a user, who may log in again. Needs the login of an OWNER or ADMIN. */
  endUserSessions: { input: { path: { userId: string } }; answer: Account };
  /** Remove the second factor of a user who lost it; the sessions end. Needs the login of an OWNER or ADMIN. */
  removeUserSecondFactor: { input: { path: { userId: string } }; answer: Account };
  /** Replace the invitation of a user who has not joined yet; only this response contains the link. Needs the login of an OWNER or ADMIN. */
  resendInvitation: { input: { path: { userId: string } }; answer: Invitation };
  /** List the events of the business, newest first. Needs the login of any user. */
  listEvents: { input: { query?: ListEventsQuery | undefined }; answer: Page<BusinessEvent> };
  /** Get a signed checkpoint of the ledger: its last entry, by sequence and hash, and the time. Needs the login of any user. */
  getLedgerCheckpoint: { input: Record<never, never>; answer: LedgerCheckpoint };
  /** Get the usage of an API key in a period that ends now. Needs the login of any user. */
  getApiKeyStatistics: { input: { path: { keyId: string }; query?: StatisticsQuery | undefined }; answer: KeyStatistics };
  /** Get figures on requests, keys, webhooks and budgets of the business. Needs the login of any user. */
  getDashboardStatistics: { input: { query?: StatisticsQuery | undefined }; answer: Dashboard };
  /** Get the value of sent budgets by week, currency and outcome, and what is open. Needs the login of any user. */
  getSalesStatistics: { input: { query?: SalesQuery | undefined }; answer: Sales };
  /** List integrations, newest first. Needs the login of any user. */
  listIntegrations: { input: { query?: PageQuery | undefined }; answer: Page<Integration> };
  /** Create an integration: a record of a connected system with its key and webhooks. Needs the login of an OWNER or ADMIN. */
  createIntegration: { input: { body: CreateIntegration }; answer: Integration };
  /** Get an integration. Needs the login of any user. */
  getIntegration: { input: { path: { integrationId: string } }; answer: Integration };
  /** Change an integration; `config` is replaced as a whole. Needs the login of an OWNER or ADMIN. */
  updateIntegration: { input: { path: { integrationId: string }; body: UpdateIntegration }; answer: Integration };
  /** Delete an integration; its key and webhooks remain. Needs the login of an OWNER or ADMIN. */
  deleteIntegration: { input: { path: { integrationId: string } }; answer: {
    id: string;
    /** ISO 8601, in UTC. */
    deletedAt: string;
  } };
  /** Send a signed test callback to the key's webhookUrl. Needs an API key with the scope `WEBHOOKS`. */
  testWebhookUrl: { input: { body: WebhookTest }; answer: WebhookTestResult };
  /** Create a webhook endpoint; the response contains its secret. Needs the login of an OWNER or ADMIN. */
  createWebhook: { input: { body: CreateWebhook }; answer: CreatedWebhook };
  /** List webhook endpoints, newest first. Needs the login of any user. */
  listWebhooks: { input: { query?: PageQuery | undefined }; answer: Page<Webhook> };
  /** Get a webhook endpoint. Needs the login of any user. */
  getWebhook: { input: { path: { webhookId: string } }; answer: Webhook };
  /** Change a webhook endpoint's settings or status. Needs the login of an OWNER or ADMIN. */
  updateWebhook: { input: { path: { webhookId: string }; body: UpdateWebhook }; answer: Webhook };
  /** Delete a webhook endpoint and cancel its pending deliveries. Needs the login of an OWNER or ADMIN. */
  deleteWebhook: { input: { path: { webhookId: string } }; answer: {
    id: string;
    /** ISO 8601, in UTC. */
    deletedAt: string;
  } };
  /** Send a signed test callback to a webhook endpoint. Needs the login of an OWNER or ADMIN. */
  testWebhook: { input: { path: { webhookId: string }; body?: {
    /** Default: "budget.created". */
    event?: "budget.created" | "budget.updated" | "budget.approved" | "budget.rejected" | "budget.expired" | "budget.deleted" | "budget.viewed" | "budget.change_requested" | "budget.message_sent" | "customer.created" | "customer.updated" | "customer.deleted" | "product.created" | "product.updated" | "product.deleted" | undefined;
    /** Default: {}. */
    data?: Record<string, unknown> | undefined;
  } | undefined }; answer: WebhookTestResult };
  /** Show which of the last events a filter selects; sends nothing. Needs the login of an OWNER or ADMIN. */
  testWebhookFilter: { input: { body?: {
    webhookId?: string | undefined;
    /** As in an endpoint. Null, and none without `webhookId`, is every event. */
    events?: readonly EventPattern[] | null | undefined;
    filter?: EventFilter | null | undefined;
    /** Default: 20. */
    limit?: number | undefined;
  } | undefined }; answer: FilterTest };
  /** Send stored events to a webhook endpoint again, or for the first time. Needs the login of an OWNER or ADMIN. */
  startWebhookReplay: { input: { path: { webhookId: string }; body: {
    /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
    since?: string | undefined;
    fromSequence?: number | undefined;
    /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
    until?: string | undefined;
    /** As in an endpoint. Default: every event that the endpoint receives. */
    events?: readonly EventPattern[] | null | undefined;
  } }; answer: WebhookReplay };
  /** Get the last replay to a webhook endpoint, and how far it is. Needs the login of any user. */
  getWebhookReplay: { input: { path: { webhookId: string } }; answer: WebhookReplay };
  /** End the running replay to a webhook endpoint; the deliveries that it has made stay. Needs the login of an OWNER or ADMIN. */
  cancelWebhookReplay: { input: { path: { webhookId: string } }; answer: WebhookReplay };
  /** Get the signing secret of a webhook endpoint. Needs the login of an OWNER or ADMIN. */
  readWebhookEndpointSecret: { input: { path: { webhookId: string } }; answer: {
    secret: string;
  } };
  /** Replace the signing secret of a webhook endpoint. Needs the login of an OWNER or ADMIN. */
  rotateWebhookEndpointSecret: { input: { path: { webhookId: string }; body?: {
    secret?: string | null | undefined;
  } | undefined }; answer: {
    secret: string;
    /** ISO 8601, in UTC. */
    previousSecretUntil: string;
  } };
  /** List the deliveries of a webhook endpoint with their attempts, newest first. Needs the login of any user. */
  listDeliveriesOfWebhook: { input: { path: { subscriberId: string }; query?: ListDeliveriesQuery | undefined }; answer: Page<Delivery> };
  /** Retry a finished delivery of a webhook endpoint. Needs the login of an OWNER or ADMIN. */
  retryDeliveryOfWebhook: { input: { path: { subscriberId: string; deliveryId: string }; body?: Record<string, never> | undefined }; answer: Delivery };
  /** Redeliver every failed or cancelled delivery of a webhook endpoint since a time. Needs the login of an OWNER or ADMIN. */
  recoverDeliveriesOfWebhook: { input: { path: { subscriberId: string }; body: {
    /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
    since: string;
  } }; answer: {
    restarted: number;
  } };
  /** List the deliveries of an API key's webhookUrl with their attempts, newest first. Needs the login of any user. */
  listDeliveriesOfApiKey: { input: { path: { subscriberId: string }; query?: ListDeliveriesQuery | undefined }; answer: Page<Delivery> };
  /** Retry a finished delivery of an API key's webhookUrl. Needs the login of an OWNER or ADMIN. */
  retryDeliveryOfApiKey: { input: { path: { subscriberId: string; deliveryId: string }; body?: Record<string, never> | undefined }; answer: Delivery };
  /** Redeliver every failed or cancelled delivery of an API key's webhookUrl since a time. Needs the login of an OWNER or ADMIN. */
  recoverDeliveriesOfApiKey: { input: { path: { subscriberId: string }; body: {
    /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
    since: string;
  } }; answer: {
    restarted: number;
  } };
  /** Get the budget of a public link, as JSON or as a page. Needs no credential. */
  openPublicLink: { input: { path: { token: string }; query?: OpenPublicLinkQuery | undefined }; answer: PublicBudget };
  /** Get the evidence of the customer's acceptance. Needs no credential. */
  openEvidence: { input: { path: { token: string } }; answer: Evidence };
  /** Calculate the offer of a public link with what the customer sets of it, without an answer. Needs no credential. */
  previewPublicBudget: { input: { path: { token: string }; query?: OpenPublicLinkQuery | undefined; body: PublicPreview }; answer: PublicBudget };
  /** Accept the budget of a public link. Needs no credential. */
  acceptPublicBudget: { input: { path: { token: string }; query?: OpenPublicLinkQuery | undefined; body: PublicAnswer }; answer: PublicBudget };
  /** Decline the budget of a public link. Needs no credential. */
  declinePublicBudget: { input: { path: { token: string }; query?: OpenPublicLinkQuery | undefined; body: PublicAnswer }; answer: PublicBudget };
  /** Send a budget to its customer by mail; a draft becomes pending. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  sendBudget: { input: { path: { budgetId: string }; body?: SendBudget | undefined }; answer: Mail };
  /** List the mails of a budget, newest first. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listMails: { input: { path: { budgetId: string }; query?: PageQuery | undefined }; answer: Page<Mail> };
  /** Get whether the customer of a public link gets reminders, as JSON or as a page. Needs no credential. */
  readReminders: { input: { path: { token: string }; query?: ReadRemindersQuery | undefined }; answer: Reminders };
  /** End the reminders to the customer of a public link, by one click (RFC 8058), or let them come again. Needs no credential. */
  stopReminders: { input: { path: { token: string }; query?: StopRemindersQuery | undefined }; answer: Reminders };
  /** Get a budget as PDF, as its customer sees it. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  readBudgetPdf: { input: { path: { budgetId: string }; query?: ReadBudgetPdfQuery | undefined }; answer: Response };
  /** Get the budget of a public link as PDF. Needs no credential. */
  openPublicPdf: { input: { path: { token: string }; query?: ReadBudgetPdfQuery | undefined }; answer: Response };
  /** Ask for a change of the budget of a public link. Needs no credential. */
  requestPublicChange: { input: { path: { token: string }; query?: OpenPublicLinkQuery | undefined; body: RequestChange }; answer: PublicBudget };
  /** List what the customer asked to change, newest first. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listChangeRequests: { input: { path: { budgetId: string } }; answer: ChangeRequest[] };
  /** List the messages and requests for changes of a budget, newest first. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listMessages: { input: { path: { budgetId: string }; query?: PageQuery | undefined }; answer: Page<Message> };
  /** Send a message to the customer of a budget. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. Accepts an Idempotency-Key. */
  sendMessage: { input: { path: { budgetId: string }; body: SendMessage }; answer: Message };
  /** List the messages and requests for changes of a public link, newest first. Needs no credential. */
  listPublicMessages: { input: { path: { token: string }; query?: PageQuery | undefined }; answer: Page<PublicMessage> };
  /** Send a message to the business of a public link. Needs no credential. */
  sendPublicMessage: { input: { path: { token: string }; query?: OpenPublicLinkQuery | undefined; body: SendPublicMessage }; answer: PublicMessage };
  /** Attach a file to a budget, by a form with the part `file`. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  uploadAttachment: { input: { path: { budgetId: string }; query?: UploadAttachmentQuery | undefined }; answer: Attachment };
  /** List the attachments of a budget, newest first. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  listAttachments: { input: { path: { budgetId: string }; query?: PageQuery | undefined }; answer: Page<Attachment> };
  /** Download an attachment. Needs an API key with the scope `READ_BUDGETS`, or the login of a user whose role has it. */
  downloadAttachment: { input: { path: { budgetId: string; attachmentId: string } }; answer: Response };
  /** Let the customer download an attachment, or end that. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  shareAttachment: { input: { path: { budgetId: string; attachmentId: string }; body: ShareAttachment }; answer: Attachment };
  /** Remove an attachment permanently. Needs an API key with the scope `WRITE_BUDGETS`, or the login of a user whose role has it. */
  removeAttachment: { input: { path: { budgetId: string; attachmentId: string } }; answer: {
    id: string;
    /** ISO 8601, in UTC. */
    deletedAt: string;
  } };
}

/** [method, path, credential, whether it takes an Idempotency-Key] */
type Operation = readonly [string, string, "apiKey" | "accessToken" | null, boolean];

export const OPERATIONS: Readonly<Record<keyof Operations, Operation>> = {
  describeApi: ["GET", "/",null,false],
  getOpenApi: ["GET", "/openapi.json",null,false],
  listBudgets: ["GET", "/api/public/budgets", "apiKey",false],
  createBudget: ["POST", "/api/public/budgets", "apiKey",true],
  getBudget: ["GET", "/api/public/budgets/{budgetId}", "apiKey",false],
  updateBudget: ["PUT", "/api/public/budgets/{budgetId}", "apiKey",false],
  deleteBudget: ["DELETE", "/api/public/budgets/{budgetId}", "apiKey",false],
  submitBudget: ["POST", "/api/public/budgets/{budgetId}/submit", "apiKey",true],
  withdrawBudget: ["POST", "/api/public/budgets/{budgetId}/withdraw", "apiKey",true],
  completeBudget: ["POST", "/api/public/budgets/{budgetId}/complete", "apiKey",true],
  archiveBudget: ["POST", "/api/public/budgets/{budgetId}/archive", "apiKey",true],
  restoreBudget: ["POST", "/api/public/budgets/{budgetId}/restore", "apiKey",true],
  reopenBudget: ["POST", "/api/public/budgets/{budgetId}/reopen", "apiKey",true],
  duplicateBudget: ["POST", "/api/public/budgets/{budgetId}/duplicate", "apiKey",true],
  remindBudgets: ["POST", "/api/public/budgets/remind", "apiKey",true],
  extendBudgets: ["POST", "/api/public/budgets/extend", "apiKey",true],
  listLinkViews: ["GET", "/api/public/budgets/{budgetId}/views", "apiKey",false],
  readPublicLink: ["GET", "/api/public/budgets/{budgetId}/public-link", "apiKey",false],
  createPublicLink: ["POST", "/api/public/budgets/{budgetId}/public-link", "apiKey",true],
  removePublicLink: ["DELETE", "/api/public/budgets/{budgetId}/public-link", "apiKey",true],
  previewBudget: ["POST", "/api/public/budgets/preview", "apiKey",false],
  previewDocument: ["POST", "/api/public/budgets/preview/document", "apiKey",false],
  listBudgetRevisions: ["GET", "/api/public/budgets/{budgetId}/revisions", "apiKey",false],
  getBudgetRevision: ["GET", "/api/public/budgets/{budgetId}/revisions/{revision}", "apiKey",false],
  compareBudgetRevisions: ["GET", "/api/public/budgets/{budgetId}/revisions/{revision}/difference", "apiKey",false],
  listPayments: ["GET", "/api/public/budgets/{budgetId}/payments", "apiKey",false],
  recordPayment: ["POST", "/api/public/budgets/{budgetId}/payments", "apiKey",true],
  createPublicBudget: ["POST", "/api/budgets/public", "apiKey",true],
  getEvidence: ["GET", "/api/public/budgets/{budgetId}/evidence", "apiKey",false],
  getSigningKeys: ["GET", "/.well-known/jwks.json",null,false],
  listCustomers: ["GET", "/api/public/customers", "apiKey",false],
  createCustomer: ["POST", "/api/public/customers", "apiKey",true],
  getCustomer: ["GET", "/api/public/customers/{customerId}", "apiKey",false],
  updateCustomer: ["PUT", "/api/public/customers/{customerId}", "apiKey",false],
  deleteCustomer: ["DELETE", "/api/public/customers/{customerId}", "apiKey",false],
  restoreCustomer: ["POST", "/api/public/customers/{customerId}/restore", "apiKey",true],
  listProducts: ["GET", "/api/public/products", "apiKey",false],
  createProduct: ["POST", "/api/public/products", "apiKey",true],
  getProduct: ["GET", "/api/public/products/{productId}", "apiKey",false],
  updateProduct: ["PUT", "/api/public/products/{productId}", "apiKey",false],
  deleteProduct: ["DELETE", "/api/public/products/{productId}", "apiKey",false],
  restoreProduct: ["POST", "/api/public/products/{productId}/restore", "apiKey",true],
  listPackages: ["GET", "/api/public/packages", "apiKey",false],
  createPackage: ["POST", "/api/public/packages", "apiKey",true],
  getPackage: ["GET", "/api/public/packages/{packageId}", "apiKey",false],
  updatePackage: ["PUT", "/api/public/packages/{packageId}", "apiKey",false],
  deletePackage: ["DELETE", "/api/public/packages/{packageId}", "apiKey",false],
  restorePackage: ["POST", "/api/public/packages/{packageId}/restore", "apiKey",true],
  login: ["POST", "/auth/login",null,false],
  refreshSession: ["POST", "/auth/refresh",null,false],
  logout: ["POST", "/auth/logout", "accessToken",false],
  getOwnAccount: ["GET", "/auth/account", "accessToken",false],
  changePassword: ["POST", "/auth/password", "accessToken",false],
  changeEmail: ["POST", "/auth/email", "accessToken",false],
  requestPasswordReset: ["POST", "/auth/password-reset",null,false],
  setPassword: ["POST", "/auth/set-password",null,false],
  enrolTotp: ["POST", "/auth/totp", "accessToken",false],
  confirmTotp: ["POST", "/auth/totp/confirm", "accessToken",false],
  disableTotp: ["POST", "/auth/totp/disable", "accessToken",false],
  createApiKey: ["POST", "/api-keys", "accessToken",true],
  listApiKeys: ["GET", "/api-keys", "accessToken",false],
  getApiKey: ["GET", "/api-keys/{keyId}", "accessToken",false],
  updateApiKey: ["PUT", "/api-keys/{keyId}", "accessToken",false],
  revokeApiKey: ["DELETE", "/api-keys/{keyId}", "accessToken",false],
  regenerateApiKey: ["POST", "/api-keys/{keyId}/regenerate", "accessToken",false],
  readWebhookSecret: ["GET", "/api-keys/{keyId}/webhook-secret", "accessToken",false],
  rotateWebhookSecret: ["POST", "/api-keys/{keyId}/webhook-secret/rotate", "accessToken",false],
  getBusiness: ["GET", "/api/developer/business", "accessToken",false],
  updateBusiness: ["PUT", "/api/developer/business", "accessToken",false],
  previewBusiness: ["POST", "/api/developer/business/preview", "accessToken",false],
  getLogo: ["GET", "/api/developer/business/logo", "accessToken",false],
  setLogo: ["PUT", "/api/developer/business/logo", "accessToken",false],
  removeLogo: ["DELETE", "/api/developer/business/logo", "accessToken",false],
  listUsers: ["GET", "/api/developer/users", "accessToken",false],
  inviteUser: ["POST", "/api/developer/users", "accessToken",true],
  getUser: ["GET", "/api/developer/users/{userId}", "accessToken",false],
  updateUser: ["PUT", "/api/developer/users/{userId}", "accessToken",false],
  removeUser: ["DELETE", "/api/developer/users/{userId}", "accessToken",false],
  endUserSessions: ["POST", "/api/developer/users/{userId}/end-sessions", "accessToken",false],
  removeUserSecondFactor: ["POST", "/api/developer/users/{userId}/remove-second-factor", "accessToken",false],
  resendInvitation: ["POST", "/api/developer/users/{userId}/invitation", "accessToken",false],
  listEvents: ["GET", "/api/developer/events", "accessToken",false],
  getLedgerCheckpoint: ["GET", "/api/developer/business/ledger/checkpoint", "accessToken",false],
  getApiKeyStatistics: ["GET", "/api-keys/{keyId}/stats", "accessToken",false],
  getDashboardStatistics: ["GET", "/api/developer/dashboard/stats", "accessToken",false],
  getSalesStatistics: ["GET", "/api/developer/sales", "accessToken",false],
  listIntegrations: ["GET", "/api/developer/integrations", "accessToken",false],
  createIntegration: ["POST", "/api/developer/integrations", "accessToken",false],
  getIntegration: ["GET", "/api/developer/integrations/{integrationId}", "accessToken",false],
  updateIntegration: ["PUT", "/api/developer/integrations/{integrationId}", "accessToken",false],
  deleteIntegration: ["DELETE", "/api/developer/integrations/{integrationId}", "accessToken",false],
  testWebhookUrl: ["POST", "/api/public/webhooks/test", "apiKey",false],
  createWebhook: ["POST", "/api/developer/webhooks", "accessToken",false],
  listWebhooks: ["GET", "/api/developer/webhooks", "accessToken",false],
  getWebhook: ["GET", "/api/developer/webhooks/{webhookId}", "accessToken",false],
  updateWebhook: ["PUT", "/api/developer/webhooks/{webhookId}", "accessToken",false],
  deleteWebhook: ["DELETE", "/api/developer/webhooks/{webhookId}", "accessToken",false],
  testWebhook: ["POST", "/api/developer/webhooks/{webhookId}/test", "accessToken",false],
  testWebhookFilter: ["POST", "/api/developer/webhooks/test-filter", "accessToken",false],
  startWebhookReplay: ["POST", "/api/developer/webhooks/{webhookId}/replay", "accessToken",false],
  getWebhookReplay: ["GET", "/api/developer/webhooks/{webhookId}/replay", "accessToken",false],
  cancelWebhookReplay: ["DELETE", "/api/developer/webhooks/{webhookId}/replay", "accessToken",false],
  readWebhookEndpointSecret: ["GET", "/api/developer/webhooks/{webhookId}/secret", "accessToken",false],
  rotateWebhookEndpointSecret: ["POST", "/api/developer/webhooks/{webhookId}/secret/rotate", "accessToken",false],
  listDeliveriesOfWebhook: ["GET", "/api/developer/webhooks/{subscriberId}/deliveries", "accessToken",false],
  retryDeliveryOfWebhook: ["POST", "/api/developer/webhooks/{subscriberId}/deliveries/{deliveryId}/retry", "accessToken",false],
  recoverDeliveriesOfWebhook: ["POST", "/api/developer/webhooks/{subscriberId}/recover", "accessToken",false],
  listDeliveriesOfApiKey: ["GET", "/api-keys/{subscriberId}/deliveries", "accessToken",false],
  retryDeliveryOfApiKey: ["POST", "/api-keys/{subscriberId}/deliveries/{deliveryId}/retry", "accessToken",false],
  recoverDeliveriesOfApiKey: ["POST", "/api-keys/{subscriberId}/recover", "accessToken",false],
  openPublicLink: ["GET", "/p/{token}",null,false],
  openEvidence: ["GET", "/p/{token}/evidence.json",null,false],
  previewPublicBudget: ["POST", "/p/{token}/preview",null,false],
  acceptPublicBudget: ["POST", "/p/{token}/accept",null,false],
  declinePublicBudget: ["POST", "/p/{token}/decline",null,false],
  sendBudget: ["POST", "/api/public/budgets/{budgetId}/send", "apiKey",true],
  listMails: ["GET", "/api/public/budgets/{budgetId}/mails", "apiKey",false],
  readReminders: ["GET", "/p/{token}/unsubscribe",null,false],
  stopReminders: ["POST", "/p/{token}/unsubscribe",null,false],
  readBudgetPdf: ["GET", "/api/public/budgets/{budgetId}/pdf", "apiKey",false],
  openPublicPdf: ["GET", "/p/{token}.pdf",null,false],
  requestPublicChange: ["POST", "/p/{token}/request-change",null,false],
  listChangeRequests: ["GET", "/api/public/budgets/{budgetId}/change-requests", "apiKey",false],
  listMessages: ["GET", "/api/public/budgets/{budgetId}/messages", "apiKey",false],
  sendMessage: ["POST", "/api/public/budgets/{budgetId}/messages", "apiKey",true],
  listPublicMessages: ["GET", "/p/{token}/messages",null,false],
  sendPublicMessage: ["POST", "/p/{token}/messages",null,false],
  uploadAttachment: ["POST", "/api/public/budgets/{budgetId}/attachments", "apiKey",false],
  listAttachments: ["GET", "/api/public/budgets/{budgetId}/attachments", "apiKey",false],
  downloadAttachment: ["GET", "/api/public/budgets/{budgetId}/attachments/{attachmentId}", "apiKey",false],
  shareAttachment: ["PUT", "/api/public/budgets/{budgetId}/attachments/{attachmentId}", "apiKey",false],
  removeAttachment: ["DELETE", "/api/public/budgets/{budgetId}/attachments/{attachmentId}", "apiKey",false],
};
