import type { BudgetService, KnownEntry, LedgerCheck } from "@budgetkit/core";
import { type Finding, ok, reasonOf, warning, wrong } from "./checks.js";

/** The ledger of one business (null = of all), and an entry that a checkpoint kept elsewhere has signed. */
export interface LedgerQuestion {
  readonly businessId: string | null;
  readonly known: (KnownEntry & { readonly businessId: string }) | null;
}

/** Verifies ledgers, entry by entry, and names the first entry of each that is not as the service wrote it. */
export async function checkLedgers(
  service: BudgetService,
  { businessId, known }: LedgerQuestion,
  progress: (text: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let entries = 0;
  let ledgers = 0;
  let proven = 0; // ledgers of which an entry is, or that have none
  const unproven = { entries: 0, ledgers: 0 };
  let isCompared = known === null;
  for await (const id of businessId === null ? allBusinesses(service) : [businessId]) {
    try {
      const check = await service.ledger.check(id, known?.businessId === id ? known : null);
      if (check.fault !== null) findings.push(wrong("ledger", faultText(check)));
      else if (check.unproven > 0) {
        unproven.entries += check.unproven;
        unproven.ledgers += 1;
      }
      if (known?.businessId === id) {
        isCompared = true;
        if (known.hash === null) findings.push(warning("ledger", isOfNone(known)));
        else if (known.sequence < (check.start?.sequence ?? 0)) findings.push(warning("ledger", isTooOld(known)));
      }
      entries += check.entries;
      if (check.entries > 0 || check.unproven === 0) proven += 1;
    } catch (error) {
      findings.push(wrong("ledger", `business ${id}: cannot be read: ${reasonOf(error)}`));
    }
    ledgers += 1;
    progress(`${ledgers} ledgers checked`);
  }
  const of = `${counted(entries, "entry", "entries")} of ${counted(proven, "business", "businesses")}`;
  const all = ok("ledger", `${of}: ${entries > 0 ? "unchanged" : "there is nothing to prove"}`);
  if (!isCompared) {
    const says = `the checkpoint is of the business ${known?.businessId}, which was not checked: nothing was compared`;
    findings.push(wrong("ledger", says));
  }
  if (unproven.ledgers > 0) findings.push(warning("ledger", isUnproven(unproven)));
  return findings.some(({ state }) => state === "wrong")
    ? findings
    : [...(proven === 0 && ledgers > 0 ? [] : [all]), ...findings];
}

function faultText({ businessId, fault, unproven }: LedgerCheck): string {
  const rest = unproven === 0 ? "" : `; ${counted(unproven, "entry is", "entries are")} not proven`;
  return `business ${businessId}: ${fault?.says}${rest}`;
}

function isUnproven({ entries, ledgers }: { readonly entries: number; readonly ledgers: number }): string {
  const businesses = counted(ledgers, "business", "businesses");
  return `${counted(entries, "entry", "entries")} of ${businesses} cannot be proven: from before the ledger was chained`;
}

function isOfNone({ businessId, sequence }: NonNullable<LedgerQuestion["known"]>): string {
  return `business ${businessId}: the checkpoint of the entry ${sequence} is from before the ledger was chained: nothing was compared; keep a later one`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function isTooOld({ businessId, sequence }: NonNullable<LedgerQuestion["known"]>): string {
  return `business ${businessId}: retention has removed the entry ${sequence} of the checkpoint: nothing was compared; keep a later one`;
}

async function* allBusinesses({ businesses }: BudgetService): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly id: string }[] = (await businesses.list({ after, limit: 100 })).unwrapOr([]);
    yield* page.map(({ id }) => id);
    after = page.at(-1)?.id ?? null;
    if (after === null) return;
  }
}
