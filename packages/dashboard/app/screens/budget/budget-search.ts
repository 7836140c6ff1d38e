export const TABS = ["activity", "lines", "versions", "payments", "messages", "files", "mails", "evidence"] as const;
export type BudgetTab = (typeof TABS)[number];

/** What the address of the screen says, read from text that may have been typed. */
export interface BudgetSearch {
  /** Absent = the activity. */
  readonly tab?: BudgetTab;
  /** The versions that are compared; absent = the last one with that before. */
  readonly from?: number;
  readonly to?: number;
}

export function readBudgetSearch({ tab, from, to }: Record<string, unknown>): BudgetSearch {
  const known = TABS.find((name) => name === tab && name !== "activity");
  const [older, newer] = [revisionOf(from), revisionOf(to)];
  return {
    ...(known === undefined ? {} : { tab: known }),
    ...(older === null ? {} : { from: older }),
    ...(newer === null ? {} : { to: newer }),
  };
}

function revisionOf(value: unknown): number | null {
  const revision = Number(value);
  return Number.isSafeInteger(revision) && revision > 0 && value !== true ? revision : null;
}
