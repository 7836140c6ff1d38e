import { isDeepStrictEqual } from "node:util";
import { mapBy } from "../../kernel/arrays.js";
import { toTimestamp } from "../../kernel/clock.js";
import { fromMinor } from "../../kernel/money.js";
import type { Budget, BudgetItem } from "../budget.js";
import type { PageParts } from "../offer/page-parts.js";
import { contentChanges } from "../revision.js";

type RevisedOffer = NonNullable<PageParts["revised"]>;
type RevisedLine = RevisedOffer["lines"][number];

const MAX_LINES = 20;

/** The changes from one revision to a later one, as the customer sees them; undefined = the same offer. */
export function revisedOfferOf(before: Budget, after: Budget): RevisedOffer | undefined {
  const lines = revisedLines(before.items, after.items).slice(0, MAX_LINES);
  const total = fromMinor(after.total - before.total, after.currency);
  const isSame = contentChanges(before, after).every((field) => field === "items") && total === 0;
  if (isSame && lines.length === 0) return undefined;
  return { from: before.revision, to: after.revision, at: toTimestamp(after.revised.at), total, lines };
}

/**
 * The lines that differ: those of the new offer in its order, and then removed ones. Lines are matched by their ids, and
 * then by their texts: a client that sends all lines anew gives them other ids. Subtotals follow from the other lines.
 */
function revisedLines(before: readonly BudgetItem[], after: readonly BudgetItem[]): RevisedLine[] {
  const former = new Set(before.filter(isOwnLine));
  const current = after.filter(isOwnLine);
  const pairs = new Map<BudgetItem, BudgetItem>();
  for (const keyOf of [({ id }: BudgetItem) => id, ({ description }: BudgetItem) => description]) {
    const found = mapBy([...former].reverse(), keyOf); // of several, the first
    for (const line of current) {
      const match = pairs.has(line) ? undefined : found.get(keyOf(line));
      if (match === undefined || !former.delete(match)) continue;
      pairs.set(line, match);
    }
  }
  const kept = current.flatMap((line) => lineChange(pairs.get(line), line) ?? []);
  return [...kept, ...[...former].map((line) => ({ change: "removed", description: line.description }) as const)];
}

function isOwnLine({ kind }: BudgetItem): boolean {
  return kind !== "subtotal";
}

function lineChange(before: BudgetItem | undefined, after: BudgetItem): RevisedLine | null {
  const { description, quantity, unitPrice } = after;
  if (before === undefined) return { change: "added", description };
  if (isDeepStrictEqual(visiblePart(before), visiblePart(after))) return null;
  return {
    change: "changed",
    description,
    ...(before.quantity === quantity ? {} : { quantity: [before.quantity, quantity] }),
    ...(before.unitPrice === unitPrice ? {} : { unitPrice: [before.unitPrice, unitPrice] }),
  };
}

/** Without ids, without amounts that follow from the rest of the offer, and without what customers never see. */
function visiblePart(item: BudgetItem) {
  const {
    id,
    productId,
    variantId,
    packageId,
    package: _snapshot,
    unitCost,
    gross,
    total,
    discount,
    tax,
    ...visible
  } = item;
  return visible;
}
