import type { BudgetEntry } from "@budgetkit/client";
import { useNavigate } from "@tanstack/react-router";
import { Package, Users } from "lucide-react";
import { useWords } from "../../words/use-words.js";
import { matches } from "./mark.js";
import type { PaletteGroup, PaletteItem } from "./palette-item.js";
import { useBudgetActions } from "./use-budget-actions.js";
import { useCommands } from "./use-commands.js";
import type { Found } from "./use-found.js";

/** All that the palette lists for a text; with the actions of a budget open, that budget and they alone. */
export function useGroups(
  text: string,
  search: string,
  found: Found,
  opened: string | null,
  onExtend: (budget: BudgetEntry) => void,
): readonly PaletteGroup[] {
  const words = useWords();
  const texts = words.palette;
  const navigate = useNavigate();
  const actionsOf = useBudgetActions(onExtend);
  const { sections, commands } = useCommands();
  const isFound = text !== "" && search !== "";
  const budgets = (isFound ? found.budgets : []).map(
    (budget): PaletteItem => ({
      id: `budget ${budget.id}`,
      label: `${budget.number ?? words.budgets.noNumber} ${budget.customer.name ?? budget.customer.email ?? ""}`,
      budget,
      onSelect: () => void navigate({ to: "/budgets/$budgetId", params: { budgetId: budget.id }, search: {} }),
    }),
  );
  const customers = (isFound ? found.customers : []).map(
    ({ id, name, email }): PaletteItem => ({
      id: `customer ${id}`,
      label: name,
      icon: Users,
      ...(email === null ? {} : { detail: email }),
      onSelect: () => void navigate({ to: "/customers/$customerId", params: { customerId: id } }),
    }),
  );
  const products = (isFound ? found.products : []).map(
    ({ id, name, sku }): PaletteItem => ({
      id: `product ${id}`,
      label: name,
      icon: Package,
      ...(sku === null ? {} : { detail: sku }),
      onSelect: () => void navigate({ to: "/catalog", search: {} }),
    }),
  );
  const target = found.budgets.find(({ id }) => id === opened);
  const acts = target === undefined ? [] : actionsOf(target);
  if (target !== undefined && acts.length > 0) {
    return [
      { name: words.shell.budgets, items: budgets.filter(({ budget }) => budget?.id === target.id) },
      { name: texts.on(target.number ?? words.budgets.noNumber), items: acts },
    ];
  }
  return [
    { name: words.shell.budgets, items: budgets },
    { name: words.shell.customers, items: customers },
    { name: texts.products, items: products },
    { name: texts.goTo, items: sections.filter(({ label }) => matches(label, text)) },
    { name: texts.do, items: commands.filter(({ label }) => matches(label, text)) },
  ].filter(({ items }) => items.length > 0);
}
