import { canonicalJson } from "../../kernel/canonical-json.js";
import { sha256Hex } from "../../kernel/secret-box.js";

/** Fields of the public view that say where the budget stands or how to reach it: they are no part of what is offered. */
const STATE: ReadonlySet<string> = new Set([
  "version",
  "status",
  "paid",
  "balance",
  "dueToConfirm",
  "acceptance",
  "approval",
  "availableActions",
  "publicUrl",
  "hash",
  "evidenceUrl",
  "changeRequest",
  "declined",
  "signature",
  "paymentUrl", // how to pay, which may change after the acceptance
  "messages",
  "revised",
  "acceptedBefore",
]);

/** Fields of the business that decide how the page looks, and nothing that it says. */
const LOOKS: ReadonlySet<string> = new Set(["accentColor", "locale", "logo", "linkPreview"]);

/** Details of the customer that the catalog may correct without another offer. The name is a part of the offer. */
const DETAILS: ReadonlySet<string> = new Set(["address", "taxId"]);

/** What is offered, as the customer sees it. */
export type ShownContent = Readonly<Record<string, unknown>>;

/**
 * The offer in a public view: every field of the view, except for the state of the budget and the looks of the page. A
 * new field of the view is a part of the offer unless it is named above.
 */
export function shownContentOf(view: Shown): ShownContent {
  const { business, customer } = view;
  return { ...without(view, STATE), business: without(business, LOOKS), customer: without(customer, DETAILS) };
}

type Shown = object & { readonly business: object; readonly customer: object };

/** SHA-256 of the canonical JSON, in lower-case hexadecimal. It changes when the offer changes, and only then. */
export function contentHashOf(content: ShownContent): string {
  return sha256Hex(canonicalJson(content));
}

function without(fields: object, names: ReadonlySet<string>): Record<string, unknown> {
  const others: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    if (!names.has(name)) others[name] = Reflect.get(fields, name); // entries cost twice as much
  }
  return others;
}
