import type { BudgetEntry } from "@budgetkit/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { ExtendDialog } from "../budgets/selection/extend-dialog.js";

interface Props {
  readonly budget: BudgetEntry;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks until when one found budget shall hold. */
export function ExtendBudget({ budget, onClose, onDone }: Props) {
  const words = useWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const extend = async (validUntil: string) => {
    setBusy(true);
    try {
      const { results } = await api.budgets.extend({ budgetIds: [budget.id], validUntil });
      const refused = results.find(({ status }) => status === "refused");
      if (refused === undefined) toast({ text: words.budgets.bulk.extended(1) });
      else toast({ text: refused.message ?? refused.code ?? "", isError: true });
      void queryClient.invalidateQueries({ queryKey: ["budgets"] });
      void queryClient.invalidateQueries({ queryKey: ["budget", budget.id] });
      onDone();
    } catch (error) {
      setBusy(false);
      toast({ text: error instanceof Error ? messageOf(error, words.common) : String(error), isError: true });
    }
  };
  return <ExtendDialog count={1} isBusy={isBusy} onExtend={(day) => void extend(day)} onClose={onClose} />;
}
