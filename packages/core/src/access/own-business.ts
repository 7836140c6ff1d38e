import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import { auditedChange } from "../events/field-changes.js";
import { refuseStaleVersion } from "../idempotency/write-options.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../kernel/actor.js";
import { patternFault } from "../kernel/number-pattern.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { checkNamedTaxes } from "../pricing/named-tax.js";
import { replaceBusinessCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import { type Business, type BusinessProfile, TIER_RATES } from "./business.js";
import { type BusinessView, businessViewOf, type UpdateBusinessInput } from "./business-view.js";
import { changedMails } from "./mail-settings.js";
import { activeFactorOf } from "./user.js";

/** The actor's business with its profile. Errors: forbidden, not-found. */
export async function getBusiness({ store }: AccessContext, actor: Actor): Promise<Result<BusinessView, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const business = await store.findBusiness(actor.businessId);
  return business === null ? err(notFound("business", actor.businessId)) : ok(businessViewOf(business));
}

/**
 * Changes the given fields of the actor's business; null clears one. Without a difference nothing is written.
 * Errors: INVALID_NUMBER_PATTERN; those of checkNamedTaxes and of refuseDemand; forbidden; not-found; stale when
 * `expectedVersion` is not the stored version; conflict after repeated lost writes.
 */
export async function updateBusiness(
  context: AccessContext,
  actor: Actor,
  input: UpdateBusinessInput,
  expectedVersion: number | null = null,
): Promise<Result<BusinessView, Problem>> {
  const checked = checkChange(actor, input);
  if (checked.isErr()) return err(checked.error);
  const { store, commit, ids, clock } = context;
  const { businessId } = actor;
  const now = clock.now();
  return retryOnConflict(
    async () => {
      const current = await store.findBusiness(businessId);
      if (current === null) return err(notFound("business", businessId));
      const stale = refuseStaleVersion("business", current, { expectedVersion });
      if (stale !== null) return err(stale);
      const changed = withFields(current, input);
      const undemandable = await refuseDemand(context, actor, current, changed);
      if (undemandable !== null) return err(undemandable);
      const difference = auditedChange(businessViewOf(current), businessViewOf(changed));
      if (difference.change.fields.length === 0) return ok(businessViewOf(current));
      const act = { type: "business.updated", subjectId: businessId, now, ...difference } as const;
      const next = { ...changed, version: current.version + 1 };
      const audit = await makeAuditEntry(ids, actor, act);
      const committed = await commit(replaceBusinessCommit(next, current.version, audit));
      return matchCommitted(committed, { written: ok(businessViewOf(next)), stale: STALE });
    },
    () => keepsChanging("business", businessId),
  );
}

/** The actor's business as {@link updateBusiness} would leave it. Writes nothing. Errors: those of updateBusiness. */
export async function planBusiness(
  { store }: Pick<AccessContext, "store">,
  actor: Actor,
  input: UpdateBusinessInput,
): Promise<Result<Business, Problem>> {
  const checked = checkChange(actor, input);
  if (checked.isErr()) return err(checked.error);
  const current = await store.findBusiness(actor.businessId);
  return current === null ? err(notFound("business", actor.businessId)) : ok(withFields(current, input));
}

function checkChange(actor: Actor, input: UpdateBusinessInput): Result<unknown, Problem> {
  const refusal = refuseUnlessAdministrator(actor) ?? patternFaultOf(input);
  return refusal === null ? checkNamedTaxes(input.taxes ?? []) : err(refusal);
}

function patternFaultOf({ numberPattern }: UpdateBusinessInput): Problem | null {
  const fault = numberPattern === null || numberPattern === undefined ? null : patternFault(numberPattern);
  if (fault === null) return null;
  return brokenRule("INVALID_NUMBER_PATTERN", `numberPattern ${fault}.`, { field: "numberPattern" });
}

function withFields(business: Business, input: UpdateBusinessInput): Business {
  const { name, timeZone, paymentUrl, linkPreview, mails, taxes, requireSecondFactor, ...profile } = input;
  const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  const {
    paymentUrl: formerUrl,
    linkPreview: formerPreview,
    mails: formerMails,
    taxes: formerTaxes,
    requireSecondFactor: formerDemand,
    ...others
  } = business.profile;
  const fields = {
    paymentUrl: paymentUrl === undefined ? formerUrl : paymentUrl,
    linkPreview: linkPreview === undefined ? formerPreview : linkPreview,
    mails: mails === undefined ? formerMails : changedMails(formerMails, mails),
    taxes: taxes === undefined ? formerTaxes : taxes,
    requireSecondFactor: requireSecondFactor ?? formerDemand,
  };
  return {
    ...business,
    name: name ?? business.name,
    timeZone: timeZone ?? business.timeZone,
    profile: { ...others, ...given, ...whereGiven(fields) },
  };
}

/** The fields that have a value: a profile has no others of these. */
function whereGiven(fields: OptionalFields): Partial<BusinessProfile> {
  const { paymentUrl, linkPreview, mails, taxes, requireSecondFactor } = fields;
  return {
    ...(paymentUrl == null ? {} : { paymentUrl }),
    ...(linkPreview == null ? {} : { linkPreview }),
    ...(mails == null ? {} : { mails }),
    ...(taxes == null || taxes.length === 0 ? {} : { taxes }),
    ...(requireSecondFactor === true ? { requireSecondFactor } : {}),
  };
}

type OptionalFields = Pick<UpdateBusinessInput, "paymentUrl" | "linkPreview" | "requireSecondFactor"> & {
  readonly mails: BusinessProfile["mails"] | null;
  readonly taxes: BusinessProfile["taxes"] | null;
};

/**
 * Whether users may be held to a second factor, or no longer. Only an OWNER decides it. Who turns it on has one: else the
 * business could be left without a user who can turn it off. Null = allowed. Errors: forbidden, SECOND_FACTOR_MISSING.
 */
async function refuseDemand(
  { store }: AccessContext,
  actor: Actor,
  before: Business,
  after: Business,
): Promise<Problem | null> {
  const { requireSecondFactor: isDemanded } = after.profile;
  if (isDemanded === before.profile.requireSecondFactor || actor.kind !== "user") return null;
  if (actor.role !== "OWNER") return takesOwner;
  if (isDemanded === undefined) return null;
  const self = actor.sessionId === null ? null : await store.findUser(actor.businessId, actor.id);
  return self === null || activeFactorOf(self) === null ? missing : null;
}

const takesOwner: Problem = { kind: "forbidden", message: "Only an OWNER changes requireSecondFactor." };

const missing: Problem = brokenRule(
  "SECOND_FACTOR_MISSING",
  "Turn on your own second factor before you demand one of every user.",
  { field: "requireSecondFactor" },
);

/**
 * Requests an hour of each user: the rate that a key of the business has by default. A host may resolve a user of a
 * business that the service does not know, which has nothing to read: it gets the lowest rate.
 */
export function userRatePerHour(business: Business | null): number {
  return TIER_RATES[business?.tier ?? "STANDARD"].defaultPerHour;
}
