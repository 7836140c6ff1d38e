import { z } from "zod";
import type { Customer } from "../../catalog/customer.js";
import { customerNameIn } from "../../kernel/actor.js";
import { timestampOrNull, toTimestamp } from "../../kernel/clock.js";
import { timestampView } from "../../kernel/fields.js";
import { fromMinor } from "../../kernel/money.js";
import { isConfigurable } from "../../pricing/selection.js";
import { acceptanceView, acceptanceViewOf } from "../acceptance-view.js";
import { BUDGET_STATUSES, type Budget, type BudgetItem } from "../budget.js";
import type { BudgetContext, Seller, SharedFile } from "../budget-context.js";
import type { Summaries } from "../budget-view.js";
import { dueToConfirm } from "../lifecycle/confirm-budget.js";
import { itemExtras, itemKind, unpricedLineOf, unpricedLines, withExtras } from "../line-view.js";
import type { BudgetMessage } from "../message.js";
import { threadOf } from "../message-thread.js";
import { publicMessageOf } from "../message-view.js";
import { minimumPaymentOf } from "../price-figures.js";
import { depositFigures, depositFiguresOf, taxFigures, taxFiguresOf } from "../price-view.js";
import { TRANSITIONS } from "../transitions.js";
import { type PageParts, pagePartsOf, pagePartsSchema } from "./page-parts.js";
import { sellerViewOf, sellerViewSchema } from "./seller-view.js";
import { contentHashOf, shownContentOf } from "./shown-content.js";

/** The view behind a link. It holds no catalog ids, no metadata and no users of the business. */
export const publicBudgetViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** For people, by the pattern of the business; absent = none. */
    number: z.string().optional(),
    /** An answer names it, so that no one accepts what they have not seen. */
    version: z.int(),
    /** Grows when what is offered changes. */
    revision: z.int(),
    /** SHA-256 of what is offered, as canonical JSON. An answer may name it beside the version. */
    hash: z
      .string()
      .describe("SHA-256 of what is offered, as canonical JSON. An answer may name it beside the version."),
    /** Where it stands in its life. */
    status: z.enum(BUDGET_STATUSES),
    /** An ISO 4217 code. */
    currency: z.string(),
    /** Before tax and discount, in the currency's major unit. */
    subtotal: z.number(),
    /** Amount of discount, in the currency's major unit. */
    discount: z.number(),
    /** Amount of tax, in the currency's major unit. */
    tax: z.number(),
    /** A fraction: 0.21 is 21 %. */
    taxRate: z.number().nullable().describe("Null: there are taxes, or the tax was given as an amount."),
    ...taxFigures,
    /** With tax, in the currency's major unit. */
    total: z.number(),
    /** Half to the even unit. Of an offer that the customer can set alone; absent = half up. */
    rounding: z
      .literal("half-even")
      .optional()
      .describe("Half to the even unit. Of an offer that the customer can set alone; absent = half up."),
    /** Free text; null = none. */
    notes: z.string().nullable(),
    /** Until when the offer holds. ISO 8601, in UTC; null = without an end. */
    validUntil: timestampView.nullable(),
    /** When the offer was made. ISO 8601. */
    issueDate: timestampView,
    /** What must be paid before an acceptance counts, in the currency's major unit; null = nothing. */
    minimumPaymentToConfirm: z.number().nullable(),
    /** Sum of the payments, in the currency's major unit. */
    paid: z.number(),
    /** A part of the total, or an amount; absent = none, or that of the public creation. */
    deposit: depositFigures.deposit,
    /** What is payable less what is paid; absent = there is no deposit. */
    balance: depositFigures.balance,
    /** What an acceptance waits for; null = nothing is to be confirmed. */
    dueToConfirm: z.number().nullable().describe("What an acceptance waits for; null = nothing is to be confirmed."),
    /** Null = none waits for payments. */
    acceptance: acceptanceView.nullable().describe("Null = none waits for payments."),
    /** The acceptance that confirmed the budget. */
    approval: acceptanceView.nullable().describe("The acceptance that confirmed the budget; null = none has."),
    /** Who makes the offer. */
    business: sellerViewSchema,
    /** The customer, in short. */
    customer: z.object({
      /** Null = not known. */
      name: z.string().nullable(),
      /** Postal address; absent = not known. */
      address: z.string().optional().describe("Postal address; absent = not known."),
      /** Number of the tax authority; absent = not known. */
      taxId: z.string().optional().describe("Number of the tax authority; absent = not known."),
    }),
    /** The lines. */
    items: z.array(
      z.union([
        z
          .object({
            /** Absent: a line without a kind is an item. */
            kind: itemKind,
            /** A selection names it; absent = the customer has nothing to set of it. */
            id: z.string().optional().describe("A selection names it; absent = the customer has nothing to set of it."),
            /** What is offered. */
            description: z.string(),
            /** How many units. */
            quantity: z.number(),
            /** Price of one unit, in the currency's major unit. */
            unitPrice: z.number(),
            ...itemExtras,
            /** quantity × unitPrice less the item's own discount, in the currency's major unit. */
            total: z.number(),
          })
          .meta({ id: "PublicItem" }),
        ...unpricedLines,
      ]),
    ),
    /** What the customer can answer now. */
    availableActions: z.array(z.enum(["accept", "decline", "requestChange"])),
    ...pagePartsSchema,
    /** Where to pay: of the budget, or else of the business; absent = none. No part of what is offered. */
    paymentUrl: z
      .url()
      .optional()
      .describe("Where to pay: of the budget, or else of the business; absent = none. No part of what is offered."),
    /** The link by which the customer opens the budget, without a credential. */
    publicUrl: z.url(),
    /** The evidence of the customer's acceptance. Absent without one. */
    evidenceUrl: z.url().optional().describe("The evidence of the customer's acceptance. Absent without one."),
  })
  .meta({ id: "PublicBudget" });
export type PublicBudgetView = z.infer<typeof publicBudgetViewSchema>;

/** What a view shows besides the budget. */
export interface Surroundings {
  readonly seller: Seller | null;
  readonly customer: Customer | null; // null = unknown
  readonly files: readonly SharedFile[];
  readonly publicUrl: string; // empty = not shown
  readonly messages?: readonly BudgetMessage[]; // the last ones, newest first; absent = the view has no conversation
  readonly former?: Pick<PageParts, "revised" | "acceptedBefore">; // absent = the view does not show what was before
}

/** Messages and requests for changes in a view at most. */
export const SHOWN_MESSAGES = 50;

export async function surroundingsOf(
  context: BudgetContext,
  { businessId, id, customerId }: Budget,
  publicUrl = "",
): Promise<Surroundings> {
  const [seller, customer, files] = await Promise.all([
    context.findBusiness(businessId),
    context.store.findRecord("customer", businessId, customerId),
    context.listShared(businessId, id),
  ]);
  return { seller, customer, files, publicUrl };
}

export function publicViewOf(
  budget: Budget,
  summaries: Summaries,
  { seller, customer, files, publicUrl, messages, former = {} }: Surroundings,
): PublicBudgetView {
  const major = (minor: number) => fromMinor(minor, budget.currency);
  const least = minimumPaymentOf(budget);
  const minimum = least === null ? null : major(least);
  const isOpen = TRANSITIONS.some((move) => move.from === budget.status && move.by.includes("link"));
  const due = dueToConfirm(budget);
  const view = {
    id: budget.id,
    ...(budget.number === undefined ? {} : { number: budget.number }),
    version: budget.version,
    revision: budget.revision,
    status: budget.status,
    currency: budget.currency,
    subtotal: major(budget.subtotal),
    discount: major(budget.discount),
    tax: major(budget.tax),
    taxRate: budget.taxRate,
    ...taxFiguresOf(budget),
    total: major(budget.total),
    ...roundingOf(budget),
    notes: budget.notes,
    validUntil: timestampOrNull(budget.validUntil),
    issueDate: toTimestamp(budget.publicOffer?.issueDate ?? budget.createdAt),
    minimumPaymentToConfirm: minimum,
    paid: major(budget.paid),
    ...depositOf(budget),
    dueToConfirm: minimum === null || !isOpen ? null : major(due),
    acceptance: acceptanceViewOf(budget.acceptance),
    approval: approvalOf(budget),
    business: sellerViewOf(seller, budget.terms),
    customer: { name: summaries.customers.get(budget.customerId)?.name ?? null, ...detailsOf(customer) },
    items: budget.items.map((item) => publicLineOf(item, budget.currency)),
    availableActions: isOpen ? answersTo(budget, due) : [],
    publicUrl,
    ...pagePartsOf(budget, files),
    ...declinedOf(budget),
    ...paymentOf(budget, seller),
    ...(messages === undefined ? {} : conversationOf(budget, messages, seller)),
    ...formerPartsOf(budget, former),
    ...(hasOwnEvidence(budget) ? { evidenceUrl: `${publicUrl}/evidence.json` } : {}),
  };
  return { ...view, hash: contentHashOf(shownContentOf(view)) };
}

/** What a program needs beside the lines to compute the total of a selection. */
function roundingOf({ items, pricing }: Budget): Pick<PublicBudgetView, "rounding"> {
  return pricing?.rounding === "half-even" && items.some(isConfigurable) ? { rounding: pricing.rounding } : {};
}

function depositOf(budget: Budget): Pick<PublicBudgetView, "deposit" | "balance"> {
  const { minimumPaymentToConfirm: _shown, dueToConfirm: _apart, ...figures } = depositFiguresOf(budget);
  return figures;
}

/** Why the business declined in the customer's place is its own. */
function declinedOf({ status, declined }: Budget): Pick<PageParts, "declined"> {
  if (status !== "REJECTED" || declined === undefined) return {};
  const { at, by, reason } = declined;
  const shown = { declinedAt: toTimestamp(at), declinedBy: customerOrBusiness(by) };
  return { declined: reason === undefined || customerNameIn(by) === null ? shown : { ...shown, reason } };
}

/** What an offer names of its customer beside the name. The link shows nothing else of the catalog's record. */
function detailsOf(customer: Customer | null): { readonly address?: string; readonly taxId?: string } {
  const { address = null, cuit = null } = customer ?? {};
  return { ...(address === null ? {} : { address }), ...(cuit === null ? {} : { taxId: cuit }) };
}

function paymentOf(budget: Budget, seller: Seller | null): Pick<PublicBudgetView, "paymentUrl"> {
  const paymentUrl = budget.paymentUrl ?? seller?.profile.paymentUrl;
  return paymentUrl === undefined ? {} : { paymentUrl };
}

/** The customer sees the name of the business, and of none of its users. */
function conversationOf(
  budget: Budget,
  messages: readonly BudgetMessage[],
  seller: Seller | null,
): Pick<PageParts, "messages"> {
  const entries = threadOf(budget, messages).slice(0, SHOWN_MESSAGES).reverse();
  return entries.length === 0 ? {} : { messages: entries.map((each) => publicMessageOf(each, seller?.name ?? null)) };
}

/** A new acceptance replaces the one before. */
function formerPartsOf({ acceptance, approvedAt }: Budget, former: NonNullable<Surroundings["former"]>) {
  if (acceptance === null && approvedAt === null) return former;
  const { acceptedBefore: _replaced, ...others } = former;
  return others;
}

/** Whether the last acceptance is the customer's own, and stands. */
function hasOwnEvidence({ evidence, acceptance, approvedBy }: Budget): boolean {
  const acceptedBy = acceptance?.acceptedBy ?? approvedBy;
  return evidence !== undefined && acceptedBy != null && customerNameIn(acceptedBy) !== null;
}

function answersTo({ acceptance }: Budget, due: number): PublicBudgetView["availableActions"] {
  if (acceptance === null) return ["accept", "decline", "requestChange"];
  return due === 0 ? ["accept", "decline"] : ["decline"];
}

function publicLineOf(item: BudgetItem, currency: string): PublicBudgetView["items"][number] {
  const { description, quantity, unitPrice, total } = item;
  const id = isConfigurable(item) ? { id: item.id } : {};
  const line = { ...id, description, quantity, unitPrice, total: fromMinor(total, currency) };
  return unpricedLineOf(item, currency) ?? withExtras(line, item, currency);
}

function approvalOf({ approvedAt, approvedBy }: Budget): PublicBudgetView["approval"] {
  if (approvedAt === null || approvedBy === null) return null;
  return { acceptedAt: toTimestamp(approvedAt), acceptedBy: customerOrBusiness(approvedBy) };
}

/** A customer does not see which user or key of the business acted in their place. */
export function customerOrBusiness(label: string): string {
  return customerNameIn(label) !== null ? label : "business";
}
