/** The entry for applications. Stores import `/store`, adapters `/http`, and tests `@budgetkit/testing`. */

export type { InviteUser, IssuedToken } from "../access/account/invite-user.js";
export type { UpdateUser } from "../access/administer-users.js";
export type { Business, BusinessProfile, LinkPreview } from "../access/business.js";
export { TIERS, type Tier } from "../access/business.js";
export type { BusinessView, UpdateBusiness } from "../access/business-view.js";
export type { CreateApiKey, UpdateApiKey } from "../access/keys/key-input.js";
export type { ApiKeyView, CreatedKeyView } from "../access/keys/key-view.js";
export type { Login } from "../access/login/login.js";
export type { LoginToken } from "../access/login/login-link.js";
export type { LoginView, RefreshRace } from "../access/login/session.js";
export type { MailAttachment, MailedPurpose, Mailer, MailMessage, UserMail } from "../access/mailer.js";
export type { CreateBusiness } from "../access/manage-businesses.js";
export type { CreateUser, UserList } from "../access/manage-users.js";
export { HasherOverloaded, type HashPriority, type PasswordHasher, scryptHasher } from "../access/password.js";
export { MIN_PASSWORD_LENGTH } from "../access/password-rules.js";
export type { StorageView } from "../access/storage-view.js";
export type { AccountView, UserView } from "../access/user-view.js";
export type { IncomingFile } from "../attachments/add-attachment.js";
export type { AttachmentList, AttachmentView } from "../attachments/attachment-view.js";
export type { BlobStore, BlobsFound } from "../attachments/blob-store.js";
export { directoryBlobStore } from "../attachments/directory-blob-store.js";
export type { OpenAttachment } from "../attachments/read-attachments.js";
export { BUDGET_STATUSES, type BudgetStatus } from "../budgets/budget.js";
export type { BudgetList, BudgetListEntry, BudgetView } from "../budgets/budget-view.js";
export type { CreateBudget, PreviewBudget } from "../budgets/create-budget.js";
export type { InlineCustomer } from "../budgets/inline-customer.js";
export type { ReopenBudget } from "../budgets/lifecycle/move-budget.js";
export type { RecordPayment } from "../budgets/lifecycle/record-payment.js";
export type { MailList, MailView } from "../budgets/mail.js";
export type { SendBudget } from "../budgets/mailing/send-budget.js";
export type { MessageList, MessageView, PublicMessageList, PublicMessageView } from "../budgets/message-view.js";
export type { SendMessage } from "../budgets/messages/send-message.js";
export type { PublicBudgetView } from "../budgets/offer/public-view.js";
export type { PaymentList, PaymentView } from "../budgets/payment.js";
export type { CreatePublicBudget, PublicCreationView } from "../budgets/sharing/create-public-budget.js";
export { TRANSITIONS, type Transition } from "../budgets/transitions.js";
export type { PreviewDocument } from "../budgets/unsaved/unsaved-offer.js";
export type { UpdateBudget } from "../budgets/update-budget.js";
export type { CreateCustomer, CustomerView, UpdateCustomer } from "../catalog/manage-customers.js";
export type { CreatePackage, PackageView, UpdatePackage } from "../catalog/manage-packages.js";
export type { CreateProduct, ProductView, UpdateProduct } from "../catalog/manage-products.js";
export { type BudgetService, createBudgetService } from "../create-service.js";
export { type DomainEvent, EVENT_TYPES, type EventType } from "../events/event.js";
export type { EventPattern } from "../events/event-pattern.js";
export { EventsRefused } from "../events/follow-events.js";
export type { EventView } from "../events/list-events.js";
export { canonicalOrigin } from "../http/headers/trusted-origins.js";
export type { ResolvedUser, ResolveUser } from "../http/http-context.js";
export type {
  BudgetDocument,
  DocumentColumns,
  DocumentRow,
  DocumentSeller,
  DocumentSum,
} from "../http/pages/document-parts.js";
export type {
  PublicPageContext,
  PublicPageOptions,
  PublicPageStyle,
  RenderedPage,
  RenderPublicBudget,
} from "../http/pages/page-options.js";
export type { PageTexts } from "../http/pages/page-words.js";
export type { BudgetPdf } from "../http/pdf/budget-pdf.js";
export type { PdfOptions } from "../http/pdf/pdf-operations.js";
export type { PdfDetails, PdfRenderer } from "../http/pdf/pdf-renderer.js";
export type { ShownDocument } from "../http/previews/preview-document.js";
export type { PreviewOptions } from "../http/previews/preview-wishes.js";
export type { CompressedContent, ReferenceContent, ReferenceFile, ReferencePage } from "../http/reference-page.js";
export type { ServiceSite, SignedInUser } from "../http/service-site.js";
export type {
  CreateIntegration,
  IntegrationList,
  IntegrationView,
  UpdateIntegration,
} from "../integrations/integration-view.js";
export type { Origin } from "../kernel/actor.js";
export { type Actor, ROLES, type Role, SCOPES, type Scope } from "../kernel/actor.js";
export type { CallOptions, HostConnection } from "../kernel/call.js";
export { canonicalJson } from "../kernel/canonical-json.js";
export { type Clock, systemClock } from "../kernel/clock.js";
export type { Rounding } from "../kernel/decimal.js";
export { isEmailAddress } from "../kernel/email-address.js";
export { canonicalRange } from "../kernel/ip-allow-list.js";
export type { Pagination } from "../kernel/page.js";
export { type FieldError, type Problem, StoreUnavailable } from "../kernel/problem.js";
export { type Random, systemRandom } from "../kernel/random.js";
export type { TraceContext } from "../kernel/trace-context.js";
export type { SignedBeginning } from "../ledger/chain-beginning.js";
export type { KnownEntry, LedgerCheck } from "../ledger/check-ledger.js";
export type { LedgerOperations } from "../ledger/ledger-operations.js";
export type { LedgerPosition } from "../ledger/ledger-store.js";
export type { LedgerFault } from "../ledger/verify-ledger.js";
export { createMemoryRateLimitStore } from "../limits/memory-rate-limit-store.js";
export type { RateLimitStore } from "../limits/rate-limit-store.js";
export type { StorageQuota } from "../limits/storage-quota.js";
export type { LoggedEvent, LoggedEvents, ServiceEventLog } from "../service-event-log.js";
export type {
  BudgetChangedData,
  BudgetEventData,
  DeletedEventData,
  EventDataByType,
  ServiceEvent,
  ServiceEventHandler,
} from "../service-events.js";
export type {
  BudgetServiceOptions,
  MailOptions,
  UsageOptions,
  UserRateLimitOptions,
  WebhookOptions,
} from "../service-options.js";
export type { WebhookPayload } from "../signing/payload.js";
export type { FlattenedJws, SigningKeyView } from "../signing/signing-keys.js";
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  type WebhookVerification,
} from "../signing/verify-webhook.js";
export type { Store } from "../store.js";
export { type Attributes, CHANNELS, type Observation } from "../telemetry/channels.js";
export type { Logger } from "../telemetry/logger.js";
export type { DashboardStatistics, KeyStatistics } from "../usage/statistics-view.js";
export type { DeliveryList, DeliveryView, TestView, WebhookTest } from "../webhooks/deliveries/delivery-view.js";
export type { TickSummary } from "../webhooks/dispatch/run-tick.js";
export type {
  CreatedEndpointView,
  CreateWebhook,
  EndpointView,
  UpdateWebhook,
} from "../webhooks/endpoints/endpoint-view.js";
export type { FilterTestView } from "../webhooks/endpoints/test-filter.js";
export type { EventFilter } from "../webhooks/filters/filter-schema.js";
export type { ReplayView, StartReplay } from "../webhooks/replays/replay-view.js";
export type { SendOutcome, SendRequest, WebhookSender } from "../webhooks/transport/sender.js";
export { type UndiciSenderOptions, undiciSender } from "../webhooks/transport/undici-sender.js";
export type { Backlog } from "../webhooks/webhook-store.js";
