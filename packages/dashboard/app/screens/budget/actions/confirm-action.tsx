import type { Budget } from "@budgetkit/client";
import { ConfirmDialog } from "../../../components/dialog.js";
import { useToast } from "../../../components/toast.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { ConflictDialog } from "./conflict-dialog.js";
import { Refusal } from "./refusal.js";
import { isConflict, useBudgetChange } from "./use-budget-write.js";

type ConfirmedAction = "withdraw" | "approve" | "reject" | "expire" | "complete" | "archive";

type Move = (budget: Budget) => Promise<Budget>;

const MOVES: Readonly<Record<ConfirmedAction, Move>> = {
  withdraw: ({ id, version }) => api.budgets.withdraw(id, { ifMatch: version }),
  complete: ({ id, version }) => api.budgets.complete(id, { ifMatch: version }),
  archive: ({ id, version }) => api.budgets.archive(id, { ifMatch: version }),
  approve: ({ id, version }) => api.budgets.update(id, { status: "APPROVED" }, { ifMatch: version }),
  reject: ({ id, version }) => api.budgets.update(id, { status: "REJECTED" }, { ifMatch: version }),
  expire: ({ id, version }) => api.budgets.update(id, { status: "EXPIRED" }, { ifMatch: version }),
};

interface Props {
  readonly action: ConfirmedAction;
  readonly budget: Budget;
  readonly onClose: () => void;
}

/** A move that needs no input, but a second look. */
export function ConfirmAction({ action, budget, onClose }: Props) {
  const words = useWords().budget.actions;
  const toast = useToast();
  const { title, text, verb } = words.confirm[action];
  const move = useBudgetChange({
    budgetId: budget.id,
    write: () => MOVES[action](budget),
    onDone: () => {
      toast({ text: words.done[action] });
      onClose();
    },
  });
  if (isConflict(move.error)) return <ConflictDialog budget={budget} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={title}
      text={
        <>
          <p>{text}</p>
          <Refusal error={move.error} />
        </>
      }
      verb={verb}
      kind={action === "reject" || action === "expire" ? "destroy" : "primary"}
      busy={move.isPending}
      onConfirm={() => move.mutate(undefined)}
      onClose={onClose}
    />
  );
}
