import type { AccessContext } from "../access/access-context.js";
import type { AttachmentContext } from "../attachments/attachment-context.js";
import type { BudgetContext } from "../budgets/budget-context.js";
import type { CountView } from "../budgets/sharing/count-view.js";
import type { CatalogContext } from "../catalog/resource.js";
import type { EventStore } from "../events/event-store.js";
import type { IdempotencyStore } from "../idempotency/idempotency-store.js";
import type { IntegrationContext } from "../integrations/manage-integrations.js";
import type { Role, Scope } from "../kernel/actor.js";
import type { Clock } from "../kernel/clock.js";
import type { TimeZones } from "../kernel/dates.js";
import type { Random } from "../kernel/random.js";
import type { SecretBox } from "../kernel/secret-box.js";
import type { CheckpointContext } from "../ledger/ledger-checkpoint.js";
import type { UserRateLimit } from "../limits/rate-limiter.js";
import type { SigningKeys } from "../signing/signing-keys.js";
import type { Logger } from "../telemetry/logger.js";
import type { UsageContext } from "../usage/statistics.js";
import type { WebhookContext } from "../webhooks/webhook-context.js";
import type { BudgetReplies } from "./budget-replies.js";
import type { ApiRequest } from "./message.js";
import type { PublicPageOptions } from "./pages/page-options.js";
import type { PdfContext } from "./pdf/pdf-context.js";
import type { ReferencePage } from "./reference-page.js";

/** The dependencies of the HTTP interface. */
export interface HttpContext {
  readonly access: AccessContext;
  readonly attachments: AttachmentContext;
  readonly budgets: BudgetContext;
  readonly budgetReplies: BudgetReplies;
  readonly catalog: CatalogContext;
  readonly countView: CountView;
  readonly events: EventStore & TimeZones;
  readonly ledger: CheckpointContext;
  readonly idempotency: IdempotencyStore;
  readonly webhooks: WebhookContext;
  readonly usage: UsageContext;
  readonly integrations: IntegrationContext;
  readonly signingKeys: SigningKeys;
  readonly box: SecretBox; // encrypts the responses kept for replay
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves when the store is ready; rejects when its migration fails. */
  ready(): Promise<void>;
  /** Draws further ids from blocks that are reserved anew. */
  dropIds(): void;
  /** Canonical CIDR ranges of the proxies whose X-Forwarded-For is trusted; empty = none. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may write with the user's cookie, and read; empty = that of the service alone. */
  readonly trustedOrigins: readonly string[];
  /** The windows of a user. */
  readonly userRateLimit: UserRateLimit;
  /** The OpenAPI document, written at its first request. */
  describe(): Promise<PublicDocument>;
  /** Served at `/docs`; null = no page. */
  readonly reference: ReferencePage | null;
  readonly pdf: PdfContext;
  /** Changes of the customer's page. */
  readonly publicPage: PublicPageOptions;
  /** Logs every request; null = no log. */
  readonly logger: Logger | null;
  /** Whether a request without a trace starts one. */
  readonly startTraces: boolean;
  /** Receives every throw that became a 500 or 503, with the request id of the response. */
  onError(error: unknown, requestId: string): void;
  /** The host's own login; null = the service's login. */
  readonly resolveUser: ResolveUser | null;
  /** What users with the role MEMBER may do on the public routes. */
  readonly memberScopes: readonly Scope[];
}

/** A JSON document that is the same for every caller. */
export interface PublicDocument {
  readonly text: string;
  readonly etag: string;
}

/** Returns the user of the host's own login; null or undefined, as of a look-up in a Map = not logged in (401). */
export type ResolveUser = (request: ApiRequest) => MaybeUser | Promise<MaybeUser>;

type MaybeUser = ResolvedUser | null | undefined;

export interface ResolvedUser {
  /** Id of the business. */
  readonly businessId: string;
  /** Id of the user in the host's system. */
  readonly userId: string;
  /** What the user may do in the business. */
  readonly role: Role;
}
