import type { BudgetStatus, CreateWebhook, Webhook } from "@budgetkit/client";
import { readAddresses } from "../../../components/read-addresses.js";
import type { EventPattern } from "./event-patterns.js";

type EventFilter = NonNullable<CreateWebhook["filter"]>;

/** What the form holds, as text. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventPattern[] | null; // null = every event
  readonly statuses: readonly BudgetStatus[]; // empty = any, as of the others
  readonly currencies: string;
  readonly customers: string;
  readonly minimum: string;
  readonly minimumCurrency: string;
  readonly isOrdered: boolean;
  readonly addresses: string;
}

export const STATUSES: readonly BudgetStatus[] = [
  "DRAFT",
  "PENDING",
  "APPROVED",
  "REJECTED",
  "EXPIRED",
  "COMPLETED",
  "ARCHIVED",
  "DELETED",
];

const CURRENCY = /^[A-Z]{3}$/;
const AMOUNT = /^\d{1,15}(?:\.\d{1,6})?$/;

export function newWebhook(currency: string): WebhookDraft {
  return {
    url: "",
    description: "",
    events: null,
    statuses: [],
    currencies: "",
    customers: "",
    minimum: "",
    minimumCurrency: currency,
    isOrdered: false,
    addresses: "",
  };
}

export function draftOf(webhook: Webhook, currency: string): WebhookDraft {
  const { filter } = webhook;
  return {
    url: webhook.url,
    description: webhook.description ?? "",
    events: webhook.events,
    statuses: filter?.status ?? [],
    currencies: filter?.currency?.join(", ") ?? "",
    customers: filter?.customerId?.join(", ") ?? "",
    minimum: filter?.minimumTotal === undefined ? "" : String(filter.minimumTotal.amount),
    minimumCurrency: filter?.minimumTotal?.currency ?? currency,
    isOrdered: webhook.ordering === "subject",
    addresses: webhook.allowedIps?.join("\n") ?? "",
  };
}

export interface WebhookProblems {
  readonly url: boolean;
  readonly events: boolean;
  readonly currencies: boolean;
  readonly minimum: boolean;
  readonly addresses: boolean;
}

export function problemsOf(draft: WebhookDraft): WebhookProblems {
  const { wrong, isTooLong } = readAddresses(draft.addresses);
  const hasMinimum = draft.minimum !== "";
  return {
    url: !isAddress(draft.url),
    events: draft.events?.length === 0,
    currencies: !listOf(draft.currencies.toUpperCase()).every((code) => CURRENCY.test(code)),
    minimum: hasMinimum && !(AMOUNT.test(draft.minimum) && CURRENCY.test(draft.minimumCurrency.toUpperCase())),
    addresses: wrong !== null || isTooLong,
  };
}

/** Null = no conditions. */
export function filterOf(draft: WebhookDraft): EventFilter | null {
  const { currencies, minimum, addresses } = problemsOf(draft);
  if (currencies || minimum || addresses) return null;
  const currency = listOf(draft.currencies.toUpperCase());
  const customerId = listOf(draft.customers);
  const filter: EventFilter = {
    ...(draft.statuses.length === 0 ? {} : { status: draft.statuses }),
    ...(currency.length === 0 ? {} : { currency }),
    ...(customerId.length === 0 ? {} : { customerId }),
    ...(draft.minimum === ""
      ? {}
      : { minimumTotal: { amount: Number(draft.minimum), currency: draft.minimumCurrency.toUpperCase() } }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

/** The settings of the draft, which has no problem. */
export function settingsOf(draft: WebhookDraft): CreateWebhook {
  return {
    url: draft.url.trim(),
    description: draft.description.trim() === "" ? null : draft.description.trim(),
    events: draft.events,
    filter: filterOf(draft),
    ordering: draft.isOrdered ? "subject" : "none",
    allowedIps: readAddresses(draft.addresses).addresses,
  };
}

function listOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ""))];
}

function isAddress(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol);
}
