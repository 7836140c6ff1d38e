import { createHash, randomUUID } from "node:crypto";
import type { ClaimToComplete, CompletedClaim } from "@budgetkit/core/store";
import { z } from "zod";
import { importedOf, moveTo, nextStatus } from "./budget-moves.js";
import { type ImportedBudget, type ImportedPayment, NOT_OF_THE_CATALOG } from "./import-line.js";
import { createOffer, isOffer, settleOffer } from "./import-public-budget.js";
import type { ImportTarget } from "./import-record.js";
import { CREATED, type Outcome, refused, SKIPPED } from "./import-record.js";

const LEASE_MS = 60_000;
const REMEMBERED_MS = 20 * 365 * 24 * 3_600_000;

/** The budget created from an exported one. */
interface Imported {
  readonly id: string;
  readonly isSame: boolean; // false = created from another version of the exported budget
}

type Claimed =
  | { readonly kind: "imported"; readonly imported: Imported }
  | { readonly kind: "busy" }
  | { readonly kind: "claimed"; readonly claim: ClaimToComplete; release(): Promise<void> };

const createdSchema = z.object({ id: z.string().optional(), budgetId: z.int().optional() });

/** The id of the budget that a creation of either shape has made. */
function idOf(made: unknown): string {
  const { id, budgetId } = createdSchema.parse(made);
  return String(id ?? budgetId);
}

/** The idempotency key of the import of an exported budget. */
function placeOf(source: string, id: string): string {
  return `import of budget ${source}/${id}`;
}

/**
 * Claims the import of an exported budget into this business. The commit that creates the budget completes the claim, so
 * no import creates it twice, even after a crash.
 */
async function claim(
  { store, actor }: ImportTarget,
  source: string,
  id: string,
  fingerprint: string,
): Promise<Claimed> {
  const place = { businessId: actor.businessId, key: placeOf(source, id) };
  const claimId = randomUUID();
  const now = Date.now();
  const times = { leaseUntil: now + LEASE_MS, expiresAt: now + REMEMBERED_MS };
  const outcome = await store.claimKey({ ...place, ...times, claimId, fingerprint }, now);
  if (outcome.kind === "in-flight") return { kind: "busy" };
  if (outcome.kind === "completed") {
    return { kind: "imported", imported: { id: outcome.response, isSame: outcome.fingerprint === fingerprint } };
  }
  return {
    kind: "claimed",
    claim: {
      recordOf: (made) => ({ ...place, claimId, response: idOf(made) }),
      noteCompleted: () => {},
    },
    release: () => store.releaseClaim(place.businessId, place.key, claimId),
  };
}

/** The budget that an earlier import created from an exported one; null = none did. */
function findImported({ store, actor }: ImportTarget, source: string, id: string): Promise<CompletedClaim | null> {
  return store.findCompletedClaim(actor.businessId, placeOf(source, id), Date.now());
}

/** The state of the target for an exported budget; null = not imported. Changes nothing. */
export async function findBudget(
  target: ImportTarget,
  source: string,
  budget: ImportedBudget,
): Promise<Outcome | null> {
  const imported = await findImported(target, source, budget.id);
  if (imported === null) return null;
  return imported.fingerprint === fingerprintOf(budget) ? SKIPPED : otherVersion(budget.id);
}

/** The id that an exported budget has in this business; null = it was not imported. Changes nothing. */
export async function importedId(target: ImportTarget, source: string, id: string): Promise<string | null> {
  return (await findImported(target, source, id))?.response ?? null;
}

/**
 * Creates a budget under a new id and moves it to its exported status, each step at its original time. A budget of an
 * unfinished import is moved on from where it stopped, unless it was changed since.
 */
export async function importBudget(target: ImportTarget, source: string, budget: ImportedBudget): Promise<Outcome> {
  const place = await claim(target, source, budget.id, fingerprintOf(budget));
  if (place.kind === "busy") return { kind: "refused", why: "another import has it in hand: try again in a minute" };
  if (place.kind === "imported") {
    const { id, isSame } = place.imported;
    if (!isSame) return otherVersion(budget.id);
    return (await isUntouched(target, id)) ? ((await leadOn(target, id, budget)) ?? SKIPPED) : SKIPPED;
  }
  const made = await create(target, budget, place.claim);
  if (typeof made === "object") {
    await place.release();
    return made;
  }
  return (await leadOn(target, made, budget)) ?? CREATED;
}

/** @returns the id, or the reason why the budget cannot be created */
async function create(target: ImportTarget, budget: ImportedBudget, claim: ClaimToComplete): Promise<string | Outcome> {
  const { service, actor } = target;
  if (isOffer(budget)) return createOffer(target, budget, claim);
  const now = Date.parse(budget.createdAt);
  const options = { claim, now, imported: importedOf(budget) };
  const made = await service.budgets.create(actor, inputOf(budget), options);
  return made.match<string | Outcome>(({ id }) => id, refused);
}

/** Adds missing content and makes the missing moves. @returns the outcome that stopped it; null = the budget has its exported status */
async function leadOn(target: ImportTarget, id: string, budget: ImportedBudget): Promise<Outcome | null> {
  const stopped = isOffer(budget) ? await settleOffer(target, id, budget) : null;
  if (stopped !== null) return stopped;
  for (;;) {
    const current = await target.store.findBudget(target.actor.businessId, id);
    const next = current === null ? null : nextStatus(current.status, budget.status);
    if (next === null) return null;
    const moved = await moveTo(target, id, next, budget);
    if (moved.isErr()) return refused(moved.error);
  }
}

/** True when only imports and expiry have changed the budget. */
async function isUntouched({ service, actor }: ImportTarget, id: string): Promise<boolean> {
  const events = await service.events.list(actor, { subjectId: id, limit: 100 });
  return events.isOk() && events.value.data.every(({ actor: who }) => who === "system");
}

/** Records a payment for the imported budget. Its reference shows whether it was imported before. */
export async function importPayment(
  target: ImportTarget,
  budgetId: string,
  { reference, amount, paidAt, createdAt }: ImportedPayment,
): Promise<Outcome> {
  const { service, store, actor } = target;
  if ((await store.findPayment(actor.businessId, budgetId, reference)) !== null) return SKIPPED;
  const now = Date.parse(createdAt);
  const recorded = await service.budgets.recordPayment(actor, budgetId, { reference, amount, paidAt }, { now });
  return recorded.match<Outcome>(() => CREATED, refused);
}

function inputOf({ status, discount, discountAmount = discount, taxRate, taxes, ...budget }: ImportedBudget) {
  const { customerId, items, notes, terms, paymentUrl, validUntil, currency, metadata, deposit } = budget;
  const { subtotal, tax, total } = budget;
  const lines = items.map((line) => (line.kind === undefined ? { ...NOT_OF_THE_CATALOG, ...line } : line));
  const content = { items: lines, notes, terms, paymentUrl, validUntil, currency, metadata, deposit };
  const taxation = taxes === undefined ? { taxRate: taxRate ?? 0 } : { taxes };
  const figures = { subtotal, tax, total, discountAmount, ...taxation };
  return { customerId, ...content, draft: status === "DRAFT", ...figures };
}

function otherVersion(id: string): Outcome {
  return { kind: "conflict", why: `another version of the budget ${id} was imported before` };
}

function fingerprintOf(budget: ImportedBudget): string {
  return createHash("sha256").update(JSON.stringify(budget)).digest("hex");
}
