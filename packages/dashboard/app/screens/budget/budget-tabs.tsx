import type { Budget, Page } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Count, Tabs, tabClass } from "../../components/tabs.js";
import { useFormats } from "../../formats/use-formats.js";
import { budgetFilesQuery, budgetMailsQuery, budgetMessagesQuery, budgetPaymentsQuery } from "../../queries/budget.js";
import { useWords } from "../../words/use-words.js";
import { type BudgetTab, TABS } from "./budget-search.js";

interface Props {
  readonly budget: Budget;
  readonly tab: BudgetTab;
}

/** The parts of the budget, with how many each has as far as that was loaded. */
export function BudgetTabs({ budget, tab }: Props) {
  const words = useWords().budget;
  const formats = useFormats();
  const { id } = budget;
  const known = { enabled: false } as const;
  const counts: Partial<Record<BudgetTab, number | undefined>> = {
    lines: budget.items.filter(({ kind }) => kind === undefined).length,
    versions: budget.revision,
    payments: totalOf(useInfiniteQuery({ ...budgetPaymentsQuery(id), ...known }).data),
    messages: totalOf(useInfiniteQuery({ ...budgetMessagesQuery(id), ...known }).data),
    files: totalOf(useInfiniteQuery({ ...budgetFilesQuery(id), ...known }).data),
    mails: totalOf(useInfiniteQuery({ ...budgetMailsQuery(id), ...known }).data),
  };
  return (
    <Tabs label={words.tabsLabel}>
      {TABS.map((name) => {
        const count = counts[name] ?? 0;
        return (
          <Link
            key={name}
            to="/budgets/$budgetId"
            params={{ budgetId: id }}
            search={name === "activity" ? {} : { tab: name }}
            className={tabClass}
            activeOptions={{ exact: true }}
            aria-current={name === tab ? "page" : undefined}
            replace
            resetScroll={false}
          >
            {words.tabs[name]}
            {count > 0 && <Count>{formats.number(count)}</Count>}
          </Link>
        );
      })}
    </Tabs>
  );
}

function totalOf(data: { readonly pages: readonly Page<unknown>[] } | undefined): number | undefined {
  return data?.pages[0]?.pagination.total;
}
