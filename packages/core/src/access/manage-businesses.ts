import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted, requireWritten } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import { auditedChange } from "../events/field-changes.js";
import { parseId } from "../kernel/ids.js";
import { MAX_PAGE_LIMIT } from "../kernel/page.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { insertBusinessCommit, setTierCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import { type Business, EMPTY_PROFILE, TIERS, type Tier } from "./business.js";
import { businessName, timeZone } from "./business-view.js";

export const createBusinessSchema = z.object({
  /** For people to read. */
  name: businessName,
  /** Sets the highest rate limit of its keys. Default STANDARD. */
  tier: z.enum(TIERS).default("STANDARD"),
  /** IANA name, such as America/Lima. Default UTC. */
  timeZone: timeZone.default("UTC"),
});
/** The settings of a new business. */
export interface CreateBusiness extends z.input<typeof createBusinessSchema> {}
export type CreateBusinessInput = z.output<typeof createBusinessSchema>;

export const tierSchema = z.enum(TIERS);

export const listBusinessesSchema = z.object({
  after: z
    .string()
    .refine((id) => parseId(id) !== null, "must be the id of a business")
    .nullable()
    .default(null),
  limit: z.int().min(1).max(MAX_PAGE_LIMIT).default(MAX_PAGE_LIMIT),
});
export type ListBusinessesInput = z.output<typeof listBusinessesSchema>;

/** Creates a business. For the operator. */
export async function createBusiness(
  context: AccessContext,
  input: CreateBusinessInput,
): Promise<Result<Business, Problem>> {
  const id = await context.store.reserveBusinessId();
  const now = context.clock.now();
  const business: Business = { ...input, profile: EMPTY_PROFILE, version: 1, id, createdAt: now };
  const act = { type: "business.created", subjectId: id, now, ...auditedChange(null, input) } as const;
  const audit = await makeAuditEntry(context.ids, { kind: "system", businessId: id }, act);
  requireWritten(await context.commit(insertBusinessCommit(business, audit)));
  return ok(business);
}

/**
 * Moves a business to another tier. From the next request on no key admits more than the maximum of that tier; a key's
 * own rate stays stored and counts again under a higher tier. For the operator. Errors: not-found.
 */
export async function setTier(
  context: AccessContext,
  businessId: string,
  tier: Tier,
): Promise<Result<{ id: string; tier: Tier }, Problem>> {
  const business = await context.store.findBusiness(businessId);
  if (business === null) return err(notFound("business", businessId));
  const audit = await makeAuditEntry(
    context.ids,
    { kind: "system", businessId },
    {
      type: "business.tier_changed",
      subjectId: businessId,
      now: context.clock.now(),
      ...auditedChange({ tier: business.tier }, { tier }),
    },
  );
  const committed = await context.commit(setTierCommit(businessId, tier, business.tier === tier ? null : audit));
  return matchCommitted(committed, {
    written: ok({ id: businessId, tier }),
    missing: err(notFound("business", businessId)),
  });
}

/** A page of businesses in order of id. For the operator. */
export async function listBusinesses(
  { store }: AccessContext,
  { after, limit }: ListBusinessesInput,
): Promise<Result<readonly Business[], Problem>> {
  return ok(await store.listBusinesses(after, limit));
}
