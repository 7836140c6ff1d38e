import type { Business } from "../access/business.js";
import type { CatalogWrite, CustomerEmailFree } from "../catalog/catalog-commits.js";
import type { CatalogStore } from "../catalog/catalog-store.js";
import type { RunCommit } from "../commit/run-commit.js";
import type { Actor } from "../kernel/actor.js";
import type { Clock } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import type { IdSource } from "../kernel/ids.js";
import type { Random } from "../kernel/random.js";
import type { SecretBox } from "../kernel/secret-box.js";
import type { RateLimitStore } from "../limits/rate-limit-store.js";
import type { StorageQuota, StorageStore } from "../limits/storage-quota.js";
import type { FlattenedJws } from "../signing/signing-keys.js";
import type { BudgetCondition, BudgetWrite } from "./budget-commits.js";
import type { BudgetStore } from "./budget-store.js";
import type { LinkViewStore } from "./link-view-store.js";
import type { MailStore } from "./mail-store.js";
import type { MessageStore } from "./message-store.js";
import type { PaymentStore } from "./payment-store.js";

export type { WriteOptions } from "../idempotency/write-options.js";

/** What budgets need of their business. */
export type Seller = Pick<Business, "name" | "timeZone" | "profile">;

/** What the operations need to queue mails. */
interface Mailing {
  readonly limits: RateLimitStore;
  readonly perHour: number; // mails to customers that callers send or acts cause, of each business
  /** Called after a mail is queued. */
  wake(): void;
  /** The address of a user who may log in; null = none. */
  findUserEmail(businessId: string, userId: string): Promise<string | null>;
  /** The characters that the PDF of a mail cannot show. Empty = none, or the mail has no PDF. Never rejects. */
  undrawableIn(context: BudgetContext, actor: Actor, budgetId: string, lang: string | null): Promise<readonly string[]>;
  /** Receives what kept a mail from being queued. */
  onError(error: unknown): void;
}

/** A file of a budget that its customer may download. */
export interface SharedFile {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number; // bytes
  readonly sha256: string;
}

export interface BudgetContext {
  readonly store: BudgetStore & PaymentStore & CatalogStore & MailStore & MessageStore & StorageStore & LinkViewStore;
  readonly commit: RunCommit<BudgetWrite | CatalogWrite, BudgetCondition | CustomerEmailFree>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly box: SecretBox; // encrypts the tokens of public links
  readonly rounding: Rounding;
  /** `open` keeps ids that the catalog does not have; `strict` refuses them. */
  readonly references: "open" | "strict";
  /** The most that each business may store. */
  readonly quota: StorageQuota;
  /** Spaces the entries of those who read links again and again; null = in a transaction of the host, which may not commit. */
  readonly linkReadings: RateLimitStore | null;
  readonly mailing: Mailing | null; // null = no mailer for budgets
  /** Base URL of public links, without a trailing slash. */
  readonly publicBaseUrl: string;
  /** Signs the canonical JSON of `value` with the key of the service. */
  sign(value: unknown): Promise<FlattenedJws>;
  /** The files of a budget that its customer may download, newest first. */
  listShared(businessId: string, budgetId: string): Promise<readonly SharedFile[]>;
  /** The seller; null = unknown. */
  findBusiness(businessId: string): Promise<Seller | null>;
}
