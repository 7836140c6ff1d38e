import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { recordAudit } from "../../commit/record-audit.js";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import { HOUR_MS, type Instant, toTimestamp } from "../../kernel/clock.js";
import { brokenRule, notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { updated } from "../budget-event.js";
import { changeBudget } from "../lifecycle/change-budget.js";
import { mintPublicToken, publicUrlOf } from "../offer/public-token.js";
import { linkViewsOf, linkViewsSchema } from "./count-view.js";

export const createPublicLinkSchema = z
  .object({
    /** True replaces the link there is, which then ends. Default false. */
    rotate: z.boolean().default(false).describe("True replaces the link there is, which then ends."),
  })
  .meta({ id: "CreatePublicLink" });
/** Whether a new link replaces the one there is. */
export interface CreatePublicLink extends z.input<typeof createPublicLinkSchema> {}
export type CreatePublicLinkInput = z.output<typeof createPublicLinkSchema>;

export const publicLinkViewSchema = z
  .object({
    /** For the customer. */
    publicUrl: z.url(),
    /** The end of the URL; opaque. */
    publicToken: z.string(),
    /** Views of the page; absent = none yet. */
    views: linkViewsSchema.optional().describe("Views of the page; absent = none yet."),
  })
  .meta({ id: "PublicLink" });
export type PublicLinkView = z.infer<typeof publicLinkViewSchema>;

export const removedLinkViewSchema = z.object({
  /** The budget whose link has ended. */
  budgetId: z.string(),
  /** ISO 8601, in UTC. */
  removedAt: z.iso.datetime(),
});
export type RemovedLinkView = z.infer<typeof removedLinkViewSchema>;

/** A link, and whether this call made it. */
export interface GivenLink {
  /** For the customer. */
  readonly link: PublicLinkView;
  /** False = the budget had it before. */
  readonly isNew: boolean;
}

/**
 * The public link of a budget. Whoever reads it can answer in the customer's place, so an audit entry says who did,
 * once an hour for each reader.
 * Errors: not-found, also without a link; PUBLIC_LINK_UNREADABLE.
 */
export async function readPublicLink(
  context: BudgetContext,
  actor: Actor,
  id: string,
  now: Instant = context.clock.now(),
): Promise<Result<PublicLinkView, Problem>> {
  const budget = await context.store.findBudget(actor.businessId, id);
  if (budget === null || budget.deletion !== null) return err(notFound("budget", id));
  if (budget.publicTokenHash === null) return err(notFound("publicLink", id));
  const views = linkViewsOf(await context.store.listLinkViews(actor.businessId, id));
  const link = linkOf(context, budget);
  if (link.isErr()) return link;
  await recordReading(context, actor, id, now);
  return ok(views === null ? link.value : { ...link.value, views });
}

/**
 * The public link of a budget, made when there is none; else it is read, with an audit entry. `rotate` replaces the one
 * there is, which then ends.
 * Errors: those of changeBudget; PUBLIC_LINK_UNREADABLE.
 */
export function createPublicLink(
  context: BudgetContext,
  actor: Actor,
  id: string,
  { rotate }: CreatePublicLinkInput,
  options: WriteOptions = {},
): Promise<Result<GivenLink, Problem>> {
  const { token, hash } = mintPublicToken(context.random);
  return changeBudget<GivenLink>(context, actor, id, options, {
    decide: async (current, now) => {
      if (current.publicTokenHash !== null && !rotate) {
        const link = linkOf(context, current);
        if (link.isErr()) return err(link.error);
        await recordReading(context, actor, id, now);
        return ok({ view: { link: link.value, isNew: false } });
      }
      const budget = { ...current, publicTokenHash: hash, sealedPublicToken: sealToken(context, current, token) };
      return ok({ budget, events: [updated(current.status, ["publicLink"])] });
    },
    present: () => ({ link: viewOf(context, token), isNew: true }),
  });
}

const READINGS = [{ lengthMs: HOUR_MS, limit: 1 }];

/**
 * One entry in an hour for each reader of a link, so that reading it in a loop fills neither the ledger nor the quota. The
 * entry comes first: if that fails, the next reading leaves it.
 */
async function recordReading(context: BudgetContext, actor: Actor, id: string, now: Instant): Promise<void> {
  const { linkReadings } = context;
  const subject = `link:reading:${actor.businessId}:${id}:${actorLabel(actor)}`;
  if (linkReadings !== null && (await linkReadings.countConsumed(subject, HOUR_MS, now)) > 0) return;
  await recordAudit(context, actor, "public_link.read", id, now);
  await linkReadings?.consume(subject, READINGS, now);
}

/** Ends the public link of a budget. Errors: those of changeBudget; not-found without a link. */
export function removePublicLink(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions = {},
): Promise<Result<RemovedLinkView, Problem>> {
  const now = options.now ?? context.clock.now();
  return changeBudget<RemovedLinkView>(
    context,
    actor,
    id,
    { ...options, now },
    {
      decide: ({ sealedPublicToken: _ended, ...current }) =>
        current.publicTokenHash === null
          ? err(notFound("publicLink", id))
          : ok({ budget: { ...current, publicTokenHash: null }, events: [updated(current.status, ["publicLink"])] }),
      present: () => ({ budgetId: id, removedAt: toTimestamp(now) }),
      ignoresQuota: true,
    },
  );
}

/** Encrypts the token of a link, so that the link can be read again. It decrypts for this budget only. */
export function sealToken(
  { box }: Pick<BudgetContext, "box">,
  budget: Pick<Budget, "businessId" | "id">,
  token: string,
): string {
  return box.seal(token, bindingOf(budget));
}

/** Errors: PUBLIC_LINK_UNREADABLE, also without a link. */
export function linkOf(context: BudgetContext, budget: Budget): Result<PublicLinkView, Problem> {
  const { sealedPublicToken } = budget;
  const token = sealedPublicToken === undefined ? null : context.box.open(sealedPublicToken, bindingOf(budget));
  return token === null ? err(unreadable) : ok(viewOf(context, token));
}

function viewOf(context: BudgetContext, token: string): PublicLinkView {
  return { publicUrl: publicUrlOf(context, token), publicToken: token };
}

function bindingOf({ businessId, id }: Pick<Budget, "businessId" | "id">): string {
  return `public-link:${businessId}:${id}`;
}

const unreadable = brokenRule(
  "PUBLIC_LINK_UNREADABLE",
  'The link cannot be read again, because it is older than that, or encrypted with a secret that the service lacks. {"rotate": true} replaces it.',
  {},
);
