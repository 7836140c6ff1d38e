import type { CatalogStore } from "../catalog/catalog-store.js";
import type { DomainEvent } from "../events/event.js";
import type { Clock } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import type { IdSource } from "../kernel/ids.js";
import type { Random } from "../kernel/random.js";
import type { BudgetStore } from "./budget-store.js";
import type { PaymentStore } from "./payment-store.js";

export type { WriteOptions } from "../idempotency/write-options.js";

/** What budget operations work with. */
export interface BudgetContext {
  readonly store: BudgetStore & PaymentStore & CatalogStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly rounding: Rounding;
  /** `open` keeps a customer, product or package that the catalog has not; `strict` refuses it. */
  readonly references: "open" | "strict";
  /** Told of events once they are committed: whoever waits for them need not look. */
  announce(events: readonly DomainEvent[]): void;
  /** Where public links lead, without a slash at the end. */
  readonly publicBaseUrl: string;
  /** Whose budgets these are, and the IANA time zone in which it counts its days; null = nobody has told. */
  findBusiness(businessId: string): Promise<{ readonly name: string; readonly timeZone: string } | null>;
}
