import { err, ok, type Result } from "neverthrow";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import { isConfigured } from "./line-configuration.js";

/** The largest content of a budget, in bytes of JSON. A page of a list holds a hundred budgets. */
const MAX_BUDGET_BYTES = 128 * 1024;

type Content = Pick<Budget, "items" | "notes" | "metadata">;

/**
 * Checks the size of a budget's items, notes and metadata together. A budget that was larger before may stay as large as
 * it was: `former` is its stored content. Errors: BUDGET_TOO_LARGE, which names the largest field.
 */
export function checkBudgetSize(content: Content, former?: Content): Result<void, Problem> {
  if (isSurelySmall(content)) return ok(undefined);
  const { items, notes, metadata } = content;
  const fields = Object.entries({ items, notes, metadata }).map(([field, value]) => ({ field, bytes: bytesOf(value) }));
  const bytes = fields.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes <= MAX_BUDGET_BYTES) return ok(undefined);
  if (former !== undefined && bytes <= bytesOf(former.items) + bytesOf(former.notes) + bytesOf(former.metadata)) {
    return ok(undefined);
  }
  const { field } = fields.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
  const message = `The items, notes and metadata have ${bytes} bytes of JSON; a budget has at most ${MAX_BUDGET_BYTES}.`;
  return err(brokenRule("BUDGET_TOO_LARGE", message, { field, bytes, max: MAX_BUDGET_BYTES }));
}

/** Bytes of JSON that one UTF-16 unit may take: a control character is written as \u001f. */
const MAX_BYTES_PER_UNIT = 6;
/** What an item takes besides its texts: the names of its fields and its numbers. */
const MAX_ITEM_FRAME_BYTES = 512;

/** Whether even the most bytes that its texts may take are few enough. Then the items and notes need not be serialised. */
function isSurelySmall({ items, notes, metadata }: Content): boolean {
  let units = notes?.length ?? 0;
  for (const item of items) {
    if (item.package !== undefined || isConfigured(item)) return false;
    const references = lengthOf(item.productId) + lengthOf(item.variantId) + lengthOf(item.packageId);
    units += item.id.length + item.description.length + (item.unit?.length ?? 0) + references;
  }
  const bytes = units * MAX_BYTES_PER_UNIT + items.length * MAX_ITEM_FRAME_BYTES;
  return bytes + bytesOf(metadata) <= MAX_BUDGET_BYTES;
}

function lengthOf(text: string | null): number {
  return text?.length ?? 0;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
