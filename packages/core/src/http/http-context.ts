import type { AccessContext } from "../access/access-context.js";
import type { AttachmentContext } from "../attachments/attachment-context.js";
import type { BudgetContext } from "../budgets/budget-context.js";
import type { CatalogContext } from "../catalog/catalog-context.js";
import type { EventStore } from "../events/event-store.js";
import type { ClaimRelease } from "../idempotency/claim-release.js";
import type { IdempotencyStore } from "../idempotency/idempotency-store.js";
import type { IntegrationContext } from "../integrations/integration-context.js";
import type { Role } from "../kernel/actor.js";
import type { Clock } from "../kernel/clock.js";
import type { Random } from "../kernel/random.js";
import type { SecretBox } from "../kernel/secret-box.js";
import type { Logger } from "../telemetry/logger.js";
import type { UsageContext } from "../usage/usage-context.js";
import type { WebhookContext } from "../webhooks/webhook-context.js";
import type { ApiRequest } from "./message.js";
import type { PublicDocument } from "./public-document.js";
import type { ReferencePage } from "./reference-page.js";

/** What the HTTP interface works with. */
export interface HttpContext {
  readonly access: AccessContext;
  readonly attachments: AttachmentContext;
  readonly budgets: BudgetContext;
  readonly catalog: CatalogContext;
  readonly events: EventStore;
  readonly idempotency: IdempotencyStore;
  readonly claims: ClaimRelease;
  readonly webhooks: WebhookContext;
  readonly usage: UsageContext;
  readonly integrations: IntegrationContext;
  readonly box: SecretBox; // seals the answers that wait to be replayed
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves when the store can be used; rejects when it cannot be made ready. */
  ready(): Promise<void>;
  /** Canonical CIDR ranges of the proxies whose X-Forwarded-For is believed; empty = none. */
  readonly trustedProxies: readonly string[];
  /** The description of the interface, which is written when it is first asked for. */
  describe(): Promise<PublicDocument>;
  /** Shows the interface to people at `/docs`; absent = nothing is there. */
  readonly reference?: ReferencePage;
  /** Told of every request; null = nobody asked for lines. */
  readonly logger: Logger | null;
  /** Whether a request that is part of no trace begins one. */
  readonly startTraces: boolean;
  /** Told of every throw that became a 500 or 503, with the id that the client was given. */
  onError(error: unknown, requestId: string): void;
  /** The host's own login: when given, it alone says who calls the management routes. */
  readonly resolveUser?: ResolveUser;
}

/** Who the host says is calling; null = nobody that may (401). */
export type ResolveUser = (request: ApiRequest) => Promise<ResolvedUser | null>;

export interface ResolvedUser {
  readonly businessId: string;
  readonly userId: string;
  readonly role: Role;
}
