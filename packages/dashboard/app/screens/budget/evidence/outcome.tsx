import type { Budget } from "@budgetkit/client";
import type { EvidenceVerification } from "@budgetkit/client/evidence";
import { StatusChip } from "../../../components/chip.js";
import { useWords } from "../../../words/use-words.js";

/** other: genuine, but of another budget or business. */
export type EvidenceOutcome = "verified" | "other" | "broken";

interface Expected {
  readonly budgetId: string;
  readonly businessId: string;
}

export function outcomeOf(verification: EvidenceVerification, expected: Expected): EvidenceOutcome {
  if (!verification.ok) return "broken";
  const { budgetId, businessId } = verification.signed;
  return budgetId === expected.budgetId && businessId === expected.businessId ? "verified" : "other";
}

/** Only acceptances leave evidence. */
export function isAccepted({ acceptance, approvedAt }: Pick<Budget, "acceptance" | "approvedAt">): boolean {
  return acceptance !== null || approvedAt !== null;
}

export function Outcome({ outcome }: { readonly outcome: EvidenceOutcome }) {
  const words = useWords().budget.evidence;
  return outcome === "verified" ? (
    <StatusChip tone="good">{words.verified}</StatusChip>
  ) : (
    <StatusChip tone="bad">{words.broken}</StatusChip>
  );
}
