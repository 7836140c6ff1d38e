import { createHash } from "node:crypto";
import type { LedgerEntry } from "@budgetkit/core/store";

/** The hash over an entry and the previous hash, written from docs/concepts.md and not from the code. */
export function chainedHash({ entry }: Pick<LedgerEntry, "entry">, previous: string | null): string {
  const { sequence, revision, ...rest } = entry;
  return createHash("sha256")
    .update(canonical({ entry: rest, previous, revision, sequence }))
    .digest("hex");
}

/** The first fault of a chain that begins after `previous`; null = none. */
export function faultOfChain(
  entries: readonly LedgerEntry[],
  previous: { readonly sequence: number; readonly hash: string | null },
): string | null {
  let { sequence, hash } = previous;
  for (const link of entries) {
    sequence += 1;
    if (link.entry.sequence !== sequence)
      return `the ledger has entry ${link.entry.sequence} where ${sequence} follows`;
    hash = chainedHash(link, hash);
    if (link.hash !== hash) return `the hash of entry ${sequence} is ${link.hash}, not ${hash}`;
  }
  return null;
}

/** Canonical JSON of plain values: sorted names and no spaces. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(",")}}`;
}
