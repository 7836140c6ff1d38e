import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { Button, ButtonLink } from "../../components/button.js";
import { NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import type { BudgetsSearch } from "./budgets-search.js";
import { ExportDialog } from "./export/export-dialog.js";
import { FilterBar } from "./filters/filter-bar.js";
import { BudgetList } from "./list/budget-list.js";
import { keepColumns, readColumns, toggleColumn } from "./list/columns.js";
import { BulkBar } from "./selection/bulk-bar.js";
import { NOTHING, type Selection } from "./selection/selection.js";
import { ViewTabs } from "./views/view-tabs.js";

/** All budgets: views, filters, an endless list, and what can be done with many at once. */
export function BudgetsScreen() {
  const words = useWords();
  const may = useMay();
  const search = useSearch({ from: "/budgets" });
  const navigate = useNavigate();
  const [columns, setColumns] = useState(readColumns);
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [isExporting, setExporting] = useState(false);
  const change = useCallback(
    (next: BudgetsSearch) => void navigate({ to: "/budgets", search: next, replace: true }),
    [navigate],
  );
  if (!may("READ_BUDGETS")) {
    return (
      <Page title={words.shell.budgets}>
        <NoRight right={words.common.scope("READ_BUDGETS")} />
      </Page>
    );
  }
  return (
    <Page
      title={words.shell.budgets}
      layout="flush"
      tabs={<ViewTabs search={search} />}
      actions={
        <>
          <Button icon={Download} onClick={() => setExporting(true)}>
            {words.budgets.export.title}
          </Button>
          {may("WRITE_BUDGETS") && (
            <ButtonLink to="/budgets/new" search={{}} kind="primary" icon={Plus} shortcut="N">
              {words.shell.newBudget}
            </ButtonLink>
          )}
        </>
      }
    >
      <FilterBar
        search={search}
        onChange={change}
        columns={columns}
        onToggleColumn={(column) => {
          const next = toggleColumn(columns, column);
          keepColumns(next);
          setColumns(next);
        }}
      />
      <BudgetList
        key={JSON.stringify(search)}
        search={search}
        columns={columns}
        selection={selection}
        onSelection={setSelection}
      />
      <BulkBar selection={selection} onSelection={setSelection} />
      {isExporting && <ExportDialog ids={null} search={search} onClose={() => setExporting(false)} />}
    </Page>
  );
}
