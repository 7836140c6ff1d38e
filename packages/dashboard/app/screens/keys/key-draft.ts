import type { ApiKey, CreateApiKey, Scope } from "@budgetkit/client";
import { readAddresses } from "../../components/read-addresses.js";

/** "date": the one in the field beside it. */
export type Expiry = "never" | "30" | "90" | "365" | "date";

/** What the form holds, as text. */
export interface KeyDraft {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
  readonly limit: string; // empty = the default of the tier
  readonly addresses: string;
  readonly expiry: Expiry;
  readonly expiryDate: string; // yyyy-mm-dd
  readonly webhookUrl: string;
}

export const SCOPES: readonly Scope[] = [
  "READ_BUDGETS",
  "WRITE_BUDGETS",
  "READ_CUSTOMERS",
  "WRITE_CUSTOMERS",
  "READ_PRODUCTS",
  "WRITE_PRODUCTS",
  "WEBHOOKS",
];

export const NEW_KEY: KeyDraft = {
  name: "",
  description: "",
  scopes: ["READ_BUDGETS"],
  limit: "",
  addresses: "",
  expiry: "never",
  expiryDate: "",
  webhookUrl: "",
};

const DAY_MS = 86_400_000;
const WHOLE = /^[1-9]\d{0,8}$/;

export function draftOf(key: ApiKey): KeyDraft {
  return {
    name: key.name,
    description: key.description ?? "",
    scopes: key.scopes,
    limit: String(key.rateLimitPerHour),
    addresses: key.allowedIps?.join("\n") ?? "",
    expiry: key.expiresAt === null ? "never" : "date",
    expiryDate: key.expiresAt?.slice(0, 10) ?? "",
    webhookUrl: key.webhookUrl ?? "",
  };
}

/** What is missing or wrong, by field. */
export interface KeyProblems {
  readonly name: boolean;
  readonly scopes: boolean;
  readonly limit: boolean;
  readonly addresses: boolean;
  readonly expiryDate: boolean;
}

export function problemsOf({ name, scopes, limit, addresses, expiry, expiryDate }: KeyDraft): KeyProblems {
  const { wrong, isTooLong } = readAddresses(addresses);
  return {
    name: name.trim() === "",
    scopes: scopes.length === 0,
    limit: limit !== "" && !WHOLE.test(limit),
    addresses: wrong !== null || isTooLong,
    expiryDate: expiry === "date" && expiryDate === "",
  };
}

/** The settings of the draft, which has no problem. A date that the key has already is kept to the second. */
export function settingsOf(draft: KeyDraft, nowMs: number, known?: ApiKey): CreateApiKey {
  return {
    name: draft.name.trim(),
    description: draft.description.trim() === "" ? null : draft.description.trim(),
    scopes: draft.scopes,
    ...(draft.limit === "" ? {} : { rateLimitPerHour: Number(draft.limit) }),
    allowedIps: readAddresses(draft.addresses).addresses,
    expiresAt: expiryOf(draft, nowMs, known),
    webhookUrl: draft.webhookUrl.trim() === "" ? null : draft.webhookUrl.trim(),
  };
}

function expiryOf({ expiry, expiryDate }: KeyDraft, nowMs: number, known: ApiKey | undefined): string | null {
  if (expiry === "never") return null;
  if (expiry !== "date") return new Date(nowMs + Number(expiry) * DAY_MS).toISOString();
  return known?.expiresAt?.slice(0, 10) === expiryDate ? known.expiresAt : expiryDate;
}
