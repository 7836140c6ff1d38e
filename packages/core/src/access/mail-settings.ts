import { z } from "zod";

/** What a customer is notified of by mail, beside the budgets and reminders that the business sends. */
type CustomerNotice = "accepted" | "newVersion" | "message";
/** What the business is notified of by mail. */
type SellerNotice = "viewed" | "accepted" | "declined" | "asked" | "expiring" | "endpointDisabled";

/** A mail that an act causes, by its recipient and its setting. */
export type NoticeKind = `customer.${CustomerNotice}` | `seller.${SellerNotice}`;

/** Which mails the acts of both sides cause. */
export interface MailSettings {
  /** To the customer. */
  readonly customer: Readonly<Record<CustomerNotice, boolean>>;
  /** To the business. */
  readonly seller: Readonly<Record<SellerNotice, boolean>>;
}

/**
 * Of a business that has set nothing. What asks for an act, or proves one, is on. The first view asks for nothing, and a
 * business with many budgets would get one mail for each: it is off.
 */
export const DEFAULT_MAILS: MailSettings = {
  customer: { accepted: true, newVersion: true, message: true },
  seller: { viewed: false, accepted: true, declined: true, asked: true, expiring: true, endpointDisabled: true },
};

export function isNoticeOn({ customer, seller }: MailSettings, kind: NoticeKind): boolean {
  switch (kind) {
    case "customer.accepted":
      return customer.accepted;
    case "customer.newVersion":
      return customer.newVersion;
    case "customer.message":
      return customer.message;
    case "seller.viewed":
      return seller.viewed;
    case "seller.accepted":
      return seller.accepted;
    case "seller.declined":
      return seller.declined;
    case "seller.asked":
      return seller.asked;
    case "seller.expiring":
      return seller.expiring;
    case "seller.endpointDisabled":
      return seller.endpointDisabled;
  }
}

const customerSettings = {
  /** After the customer's own acceptance, with the PDF. Default true. */
  accepted: z.boolean().describe("After the customer's own acceptance, with the PDF. Default true."),
  /** After a change of an offer that was mailed or opened. Default true. */
  newVersion: z.boolean().describe("After a change of an offer that was mailed or opened. Default true."),
  /** After a message of the business. Default true. */
  message: z.boolean().describe("After a message of the business. Default true."),
};
const sellerSettings = {
  /** When the customer opens the offer for the first time. Default false. */
  viewed: z.boolean().describe("When the customer opens the offer for the first time. Default false."),
  /** When the customer accepts. Default true. */
  accepted: z.boolean().describe("When the customer accepts. Default true."),
  /** When the customer declines. Default true. */
  declined: z.boolean().describe("When the customer declines. Default true."),
  /** When the customer asks for a change, or writes. Default true. */
  asked: z.boolean().describe("When the customer asks for a change, or writes. Default true."),
  /** Two days before the end of an offer without an answer. Default true. */
  expiring: z.boolean().describe("Two days before the end of an offer without an answer. Default true."),
  /** When a webhook endpoint is disabled after failures. Default true. */
  endpointDisabled: z.boolean().describe("When a webhook endpoint is disabled after failures. Default true."),
};

export const mailSettingsView = z
  .object({
    /** To the customer. */
    customer: z.object(customerSettings),
    /** To the business. */
    seller: z.object(sellerSettings),
  })
  .meta({ id: "MailSettings" });

/** An absent field stays. */
export const mailSettingsChange = z.strictObject({
  /** To the customer. */
  customer: z.strictObject(customerSettings).partial().optional(),
  /** To the business. */
  seller: z.strictObject(sellerSettings).partial().optional(),
});
export type MailSettingsChange = z.output<typeof mailSettingsChange>;

/** The settings after a change; null = the defaults again. */
export function changedMails(
  current: MailSettings | undefined,
  change: MailSettingsChange | null,
): MailSettings | undefined {
  if (change === null) return undefined;
  const { customer, seller } = current ?? DEFAULT_MAILS;
  return { customer: merged(customer, change.customer), seller: merged(seller, change.seller) };
}

function merged<Name extends string>(
  settings: Readonly<Record<Name, boolean>>,
  change: { readonly [Each in Name]?: boolean | undefined } = {},
): Readonly<Record<Name, boolean>> {
  const given = Object.entries<boolean | undefined>(change).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(given) };
}
