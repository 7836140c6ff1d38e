import type { Budget } from "../budgets/budget.js";
import type { NamedBudget } from "../budgets/budget-store.js";
import type { ViewSum } from "../budgets/link-view-store.js";
import { isOverdue } from "../budgets/overdue.js";
import { budgetReadOf } from "../budgets/reading/read-budgets.js";
import { availableActionsOf } from "../budgets/transitions.js";
import type { CustomerSummary } from "../catalog/customer.js";
import type { ProductSummary } from "../catalog/product-summary.js";
import type { Actor } from "../kernel/actor.js";
import { BusinessCache } from "../kernel/business-cache.js";
import type { Instant } from "../kernel/clock.js";
import { readTagOf } from "./headers/preconditions.js";
import { JSON_TYPE } from "./message.js";

/** In characters. A longer reply is written each time. */
const LONGEST_CACHED = 8_192;
const CACHED = { total: 8 * 1_024 * 1_024, share: 2 * 1_024 * 1_024, ofBusiness: 2_000 };

/** What a read shows of one version of a budget, beside the content that the version has for ever. */
interface Shown {
  readonly version: number;
  readonly updatedAt: Instant;
  readonly customer: CustomerSummary | null;
  readonly products: readonly ProductSummary[];
  readonly views: number; // of its link: the last one comes with the count
  readonly state: string; // the status at the time, and the actions of the caller
}

/** The content of a reply, with its headers. */
interface ReadContent {
  readonly headers: { readonly "content-type": string; readonly etag: string };
  readonly body: string;
}

interface CachedReply {
  readonly shown: Shown;
  readonly content: ReadContent;
  readonly characters: number;
}

/**
 * Writes the replies to reads of one budget, and caches them: to write one takes longer than the rest of a read. A reply
 * is sent again as long as nothing that it shows has changed, so a cached one has the bytes, and the ETag, of a new one.
 */
export class BudgetReplies {
  readonly #cached = new BusinessCache<CachedReply>({ ...CACHED, sizeOf: ({ characters }) => characters });

  contentOf(found: NamedBudget, actor: Actor, now: Instant, views?: ViewSum): ReadContent {
    const { budget, customer, products } = found;
    const { businessId, id, version, updatedAt } = budget;
    const state = stateOf(budget, actor, now);
    const shown = { version, updatedAt, customer, products, views: views?.views ?? 0, state };
    const known = this.#cached.get(businessId, id);
    if (known !== undefined && isSame(known.shown, shown)) return known.content;
    const data = budgetReadOf(found, actor, now, views);
    const body = JSON.stringify({ data });
    const content = { headers: { "content-type": JSON_TYPE, etag: readTagOf(data.version, body) }, body };
    const characters = body.length;
    if (characters <= LONGEST_CACHED) this.#cached.set(businessId, id, { shown, content, characters });
    return content;
  }

  /** After lost commits, a version may be written again with another content. */
  forget(): void {
    this.#cached.clear();
  }
}

/** All that a read shows of the time and of the caller. */
function stateOf(budget: Budget, actor: Actor, now: Instant): string {
  const status = isOverdue(budget, now) ? "EXPIRED" : budget.status;
  return `${status} ${availableActionsOf(status, actor).join()}`;
}

function isSame(a: Shown, b: Shown): boolean {
  return (
    a.version === b.version &&
    a.updatedAt === b.updatedAt &&
    a.state === b.state &&
    a.views === b.views &&
    isSameCustomer(a.customer, b.customer) &&
    a.products.length === b.products.length &&
    a.products.every((product, index) => isSameProduct(product, b.products[index]))
  );
}

function isSameCustomer(a: CustomerSummary | null, b: CustomerSummary | null): boolean {
  return a?.name === b?.name && a?.email === b?.email && a?.phone === b?.phone;
}

function isSameProduct(a: ProductSummary, b: ProductSummary | undefined): boolean {
  return a.productId === b?.productId && a.variantId === b.variantId && a.name === b.name && a.sku === b.sku;
}
