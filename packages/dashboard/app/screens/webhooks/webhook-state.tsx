import type { Webhook } from "@budgetkit/client";
import { StatusChip } from "../../components/chip.js";
import { useWords } from "../../words/use-words.js";

/** Whether an endpoint is called, and whether it takes what it gets. */
export function WebhookState({ status, disabledReason, failingSince }: Webhook) {
  const words = useWords().webhooks.states;
  if (status === "ACTIVE") {
    return failingSince === null ? (
      <StatusChip tone="good">{words.active}</StatusChip>
    ) : (
      <StatusChip tone="warn">{words.failing}</StatusChip>
    );
  }
  return disabledReason === null ? (
    <StatusChip tone="quiet">{words.off}</StatusChip>
  ) : (
    <StatusChip tone="bad">{words.stopped}</StatusChip>
  );
}
