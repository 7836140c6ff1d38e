import type { BudgetEntry } from "@budgetkit/client";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Archive,
  Bell,
  CalendarClock,
  CheckCheck,
  Copy,
  Link as LinkIcon,
  type LucideIcon,
  MessageSquare,
  Pencil,
  RotateCcw,
  Send,
  Trash2,
  Undo2,
} from "lucide-react";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import type { PaletteItem } from "./palette-item.js";

const MESSAGES = { tab: "messages" } as const;

/** What can be done with a found budget, by its `availableActions`. What asks for more opens the budget. */
export function useBudgetActions(onExtend: (budget: BudgetEntry) => void) {
  const words = useWords();
  const texts = words.palette;
  const navigate = useNavigate();
  const toast = useToast();
  const queryClient = useQueryClient();

  const run = async (done: string, call: () => Promise<unknown>, undo?: () => void) => {
    try {
      await call();
      toast({ text: done, ...(undo ? { undo } : {}) });
    } catch (error) {
      toast({ text: error instanceof Error ? messageOf(error, words.common) : String(error), isError: true });
    }
    for (const key of ["budgets", "budget", "figures", "sales", "events"]) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
  };

  return (budget: BudgetEntry): readonly PaletteItem[] => {
    const { id, status, version, availableActions } = budget;
    const can = (action: string) => availableActions.includes(action);
    const item = (name: string, label: string, icon: LucideIcon, onSelect: () => void): PaletteItem => ({
      id: `${name} ${id}`,
      label,
      icon,
      onSelect,
    });
    const at = { params: { budgetId: id } };
    const seen = { ifMatch: version }; // what was found may be older than what is stored
    const copyLink = async () => navigator.clipboard.writeText((await api.budgets.createPublicLink(id)).publicUrl);
    const remind = async () => {
      const { results } = await api.budgets.remind({ budgetIds: [id] });
      const refused = results.find((result) => result.status === "refused");
      if (refused !== undefined) throw new Error(refused.message ?? refused.code);
    };
    const restore = () => void run(texts.done.restore, () => api.budgets.restore(id));
    const items: (PaletteItem | false)[] = [
      status === "PENDING" &&
        can("update") &&
        item(
          "answer",
          texts.answer,
          MessageSquare,
          () => void navigate({ to: "/budgets/$budgetId", ...at, search: MESSAGES }),
        ),
      can("share") && item("link", texts.copyLink, LinkIcon, () => void run(texts.linkCopied, copyLink)),
      status === "PENDING" &&
        can("share") &&
        item("remind", texts.remind, Bell, () => void run(texts.done.remind, remind)),
      (can("renew") || (status === "PENDING" && can("update"))) && {
        ...item("extend", texts.extend, CalendarClock, () => onExtend(budget)),
        staysOpen: true as const,
      },
      can("update") &&
        item("edit", words.common.edit, Pencil, () => void navigate({ to: "/budgets/$budgetId/edit", ...at })),
      can("submit") &&
        item("submit", texts.submit, Send, () => void run(texts.done.submit, () => api.budgets.submit(id, seen))),
      can("withdraw") &&
        item(
          "withdraw",
          texts.withdraw,
          Undo2,
          () => void run(texts.done.withdraw, () => api.budgets.withdraw(id, seen)),
        ),
      can("complete") &&
        item(
          "complete",
          texts.complete,
          CheckCheck,
          () => void run(texts.done.complete, () => api.budgets.complete(id, seen)),
        ),
      can("archive") &&
        item(
          "archive",
          texts.archive,
          Archive,
          () => void run(texts.done.archive, () => api.budgets.archive(id, seen)),
        ),
      can("duplicate") &&
        item(
          "duplicate",
          texts.duplicate,
          Copy,
          () =>
            void run(texts.done.duplicate, async () => {
              const copy = await api.budgets.duplicate(id);
              await navigate({ to: "/budgets/$budgetId", params: { budgetId: copy.id }, search: {} });
            }),
        ),
      can("restore") && item("restore", words.common.restore, RotateCcw, restore),
      can("delete") &&
        item(
          "delete",
          words.common.delete,
          Trash2,
          () => void run(texts.done.delete, () => api.budgets.delete(id, seen), restore),
        ),
    ];
    return items.filter((each) => each !== false);
  };
}
