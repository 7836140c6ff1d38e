import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useCallback } from "react";
import { IconButton } from "../../components/button.js";
import { useFormats } from "../../formats/use-formats.js";
import { useShortcut } from "../../shell/use-shortcut.js";
import { useWords } from "../../words/use-words.js";
import type { BudgetTab } from "./budget-search.js";
import type { Neighbours } from "./neighbours.js";

interface Props {
  readonly neighbours: Neighbours;
  /** The neighbour opens at the same tab. */
  readonly tab: BudgetTab;
}

/** The way to the budgets before and after this one in the list one came from: K and J. */
export function NeighbourLinks({ neighbours, tab }: Props) {
  const words = useWords().budget;
  const formats = useFormats();
  const { position, total, previous, next } = neighbours;
  const toPrevious = useOpen(previous, tab);
  const toNext = useOpen(next, tab);
  useShortcut("k", toPrevious);
  useShortcut("j", toNext);
  return (
    <>
      <span>{words.position(formats.number(position), formats.number(total))}</span>
      <IconButton
        icon={ChevronUp}
        label={words.previousBudget}
        size="small"
        shortcut="K"
        disabled={toPrevious === null}
        onClick={toPrevious ?? undefined}
      />
      <IconButton
        icon={ChevronDown}
        label={words.nextBudget}
        size="small"
        shortcut="J"
        disabled={toNext === null}
        onClick={toNext ?? undefined}
      />
    </>
  );
}

function useOpen(budgetId: string | null, tab: BudgetTab): (() => void) | null {
  const navigate = useNavigate();
  const open = useCallback(() => {
    if (budgetId === null) return;
    const search = tab === "activity" ? {} : { tab };
    void navigate({ to: "/budgets/$budgetId", params: { budgetId }, search, replace: true });
  }, [navigate, budgetId, tab]);
  return budgetId === null ? null : open;
}
