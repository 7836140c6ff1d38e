/** Rows of businesses, users, sessions, keys, customers, payments and events, read alike by the SQL stores. */
import type {
  ApiKey,
  AuditEntry,
  ChainBeginning,
  CustomerSummary,
  DomainEvent,
  EntryPlace,
  LedgerEntry,
  Mail,
  OneTimeToken,
  Payment,
  PresentedKey,
  ReminderCheck,
  SecondFactor,
  Session,
  SigningKey,
  StoredAuditEntry,
  StoredEvent,
  User,
} from "@budgetkit/core/store";
import { type Business, type BusinessProfile, EMPTY_PROFILE, mapInTurns, ROLES, TIERS } from "@budgetkit/core/store";
import { asBoolean, asDocument, asId, asInteger, asOneOf, asText, orNull, type Row } from "./row-values.js";

export const BUSINESS_COLUMNS = "id, name, tier, time_zone, created_at, version, profile";

export function asBusiness([id, name, tier, timeZone, createdAt, version, profile]: Row): Business {
  return {
    id: asId(id),
    name: asText(name),
    tier: asOneOf(TIERS, tier),
    timeZone: asText(timeZone),
    profile: { ...EMPTY_PROFILE, ...asDocument<Partial<BusinessProfile>>(profile) },
    version: asInteger(version),
    createdAt: asInteger(createdAt),
  };
}

export const USER_COLUMNS = [
  "business_id",
  "id",
  "email",
  "email_key",
  "display_name",
  "avatar_url",
  "role",
  "email_verified",
  "password_hash",
  "created_at",
  "version",
  "disabled_at",
  "one_time_token",
  "second_factor",
  "last_login_at",
];

export function asUser([
  businessId,
  id,
  email,
  emailKey,
  displayName,
  avatarUrl,
  role,
  emailVerified,
  passwordHash,
  createdAt,
  version,
  disabledAt,
  oneTimeToken,
  secondFactor,
  lastLoginAt,
]: Row): User {
  return {
    businessId: asId(businessId),
    id: asId(id),
    version: asInteger(version),
    email: asText(email),
    emailKey: asText(emailKey),
    displayName: asText(displayName),
    avatarUrl: orNull(avatarUrl, asText),
    role: asOneOf(ROLES, role),
    emailVerified: asBoolean(emailVerified),
    passwordHash: asText(passwordHash),
    disabledAt: orNull(disabledAt, asInteger),
    oneTimeToken: orNull(oneTimeToken, asDocument<OneTimeToken>),
    secondFactor: orNull(secondFactor, asDocument<SecondFactor>),
    lastLoginAt: orNull(lastLoginAt, asInteger),
    createdAt: asInteger(createdAt),
  };
}

export const SIGNING_KEY_COLUMNS = "number, kid, public_key, sealed_private_key, created_at";

export function asSigningKey([number, kid, publicKey, sealedPrivateKey, createdAt]: Row): SigningKey {
  return {
    number: asInteger(number),
    kid: asText(kid),
    publicKey: asText(publicKey),
    sealedPrivateKey: asText(sealedPrivateKey),
    createdAt: asInteger(createdAt),
  };
}

export const SESSION_COLUMNS = "business_id, id, user_id, refresh_hash, refresh_expires_at, created_at, ended_at";

export function asSession([businessId, id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt]: Row): Session {
  return {
    businessId: asId(businessId),
    id: asText(id),
    userId: asText(userId),
    refreshHash: asText(refreshHash),
    refreshExpiresAt: asInteger(refreshExpiresAt),
    createdAt: asInteger(createdAt),
    endedAt: orNull(endedAt, asInteger),
  };
}

export const KEY_COLUMNS = "document, last_used_at";

/** The last use has its own column; the document's copy of it is stale. */
export function asKey([document, lastUsedAt]: Row): ApiKey {
  return Object.assign(asDocument<ApiKey>(document), { lastUsedAt: orNull(lastUsedAt, asInteger) }); // a spread is slower
}

/** The columns of keys joined with their businesses, under the aliases `keys` and `businesses`. */
export const PRESENTED_KEY_COLUMNS = "keys.document, keys.last_used_at, businesses.tier";

export function asPresentedKey(row: Row): PresentedKey {
  return Object.assign(asKey(row), { tier: asOneOf(TIERS, row[2]) });
}

export const CUSTOMER_SUMMARY_COLUMNS = "id, name, email, phone";

export function asCustomerSummary([id, name, email, phone]: Row): CustomerSummary {
  return { id: asText(id), name: asText(name), email: orNull(email, asText), phone: orNull(phone, asText) };
}

export const PAYMENT_COLUMNS = [
  "business_id",
  "budget_id",
  "reference",
  "id",
  "amount",
  "currency",
  "paid_at",
  "created_at",
  "created_by",
];

export function asPayment([
  business,
  budget,
  reference,
  id,
  amount,
  currency,
  paidAt,
  createdAt,
  createdBy,
]: Row): Payment {
  return {
    businessId: asId(business),
    budgetId: asId(budget),
    reference: asText(reference),
    id: asId(id),
    amount: asInteger(amount),
    currency: asText(currency),
    paidAt: asInteger(paidAt),
    createdAt: asInteger(createdAt),
    createdBy: asText(createdBy),
  };
}

/** The columns `document`, `due_at`, `attempts`. The document's copies of the latter two are stale. */
export function asMail([document, dueAt, attempts]: Row): Mail {
  return { ...asDocument<Mail>(document), dueAt: orNull(dueAt, asInteger), attempts: asInteger(attempts) };
}

/** The columns `document`, `due_at`, `claims`. */
export function asReminderCheck([document, dueAt, claims]: Row): ReminderCheck {
  return { ...asDocument<ReminderCheck>(document), dueAt: asInteger(dueAt), claims: asInteger(claims) };
}

/** The columns `sequence`, `revision`, `document`. */
function asStoredEntry([sequence, revision, document]: Row): StoredEvent | StoredAuditEntry {
  return { ...asDocument<DomainEvent | AuditEntry>(document), ...asPlace([sequence, revision]) };
}

export function asPlace([sequence, revision]: Row): EntryPlace {
  return { sequence: asInteger(sequence), revision: asInteger(revision) };
}

/** The columns of an entry in the ledger, as {@link asLedgerEntries} takes them. */
export const LEDGER_COLUMNS = "sequence, revision, document, hash, business_id, id, type, occurred_at, subject_id";

export async function asLedgerEntries(rows: readonly Row[]): Promise<LedgerEntry[]> {
  const entries = await asStoredEntries(rows);
  return entries.map((entry, index) => {
    const [, , , hash, ...filed] = rows[index] ?? [];
    return { entry, hash: orNull(hash, asText), isFiledRight: isFiledRight(entry, filed) };
  });
}

/** The columns `sequence`, `missing`, `statement`. */
export function asBeginning([sequence, missing, statement]: Row): ChainBeginning {
  return {
    sequence: asInteger(sequence),
    missing: asDocument<ChainBeginning["missing"]>(missing),
    statement: orNull(statement, asText),
  };
}

/** A query by type, subject or time looks at the columns, so what they say must be what the entry says. */
function isFiledRight({ businessId, id, type, occurredAt, subjectId }: LedgerEntry["entry"], filed: Row): boolean {
  const written = [businessId, id, type, occurredAt, subjectId];
  return written.every((value, index) => String(value) === String(filed[index]));
}

/** Rows of a list, parsed in turns of the event loop. */
export function asStoredEntries(rows: readonly Row[]): Promise<(StoredEvent | StoredAuditEntry)[]> {
  return mapInTurns(rows, asStoredEntry, ([, , document]) => asText(document).length);
}
