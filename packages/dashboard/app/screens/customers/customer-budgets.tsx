import type { BudgetEntry } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText } from "lucide-react";
import { StateChip } from "../../components/chip.js";
import { Money } from "../../components/money.js";
import { EmptyState } from "../../components/notices.js";
import { Figure, Section, Strip } from "../../components/page.js";
import { shownStateOf } from "../../components/state-glyph.js";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { customerBudgetsQuery } from "../../queries/records.js";
import { useWords } from "../../words/use-words.js";
import { RecordList } from "../records/record-list.js";
import records from "../records/records.module.css";
import { customerSums } from "./customer-sums.js";
import styles from "./customers.module.css";

/** The budgets of a customer, newest first, and what they come to. */
export function CustomerBudgets({ customerId }: { readonly customerId: string }) {
  const words = useWords();
  const texts = words.customers;
  const query = useInfiniteQuery(customerBudgetsQuery(customerId));
  const loaded = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const sums = customerSums(loaded);
  const note = query.hasNextPage ? { note: texts.ofLast(loaded.length) } : {};
  return (
    <Section title={words.shell.budgets}>
      {sums.length > 0 && (
        <Strip>
          {(["won", "waiting"] as const).map((kind) => (
            <Figure key={kind} label={texts[kind]} {...note}>
              <span className={styles.sum}>
                {sums.map((sum) => (
                  <Money key={sum.currency} amount={sum[kind]} currency={sum.currency} />
                ))}
              </span>
            </Figure>
          ))}
        </Strip>
      )}
      <RecordList
        what={words.shell.budgets}
        query={query}
        search=""
        onClearSearch={() => {}}
        empty={<EmptyState icon={FileText} title={texts.noBudgetsTitle} text={texts.noBudgetsText} />}
      >
        {(budgets) => <BudgetsTable budgets={budgets} />}
      </RecordList>
    </Section>
  );
}

function BudgetsTable({ budgets }: { readonly budgets: readonly BudgetEntry[] }) {
  const texts = useWords().customers;
  const formats = useFormats();
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.budget}</th>
            <th scope="col" className={records.wide}>
              {texts.firstLine}
            </th>
            <th scope="col">{texts.state}</th>
            <th scope="col" className={records.wide}>
              {texts.created}
            </th>
            <th scope="col" className={table.number}>
              {texts.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {budgets.map((budget) => (
            <tr key={budget.id}>
              <th scope="row">
                <Link to="/budgets/$budgetId" params={{ budgetId: budget.id }} search={{}}>
                  {budget.number ?? `#${budget.id}`}
                </Link>
              </th>
              <td className={`${records.wide} ${styles.firstLine}`}>
                <span className={records.clamp}>{firstLineOf(budget)}</span>
              </td>
              <td>
                <StateChip state={shownStateOf(budget)} />
              </td>
              <td className={`${records.wide} ${table.quiet}`}>{formats.date(budget.createdAt)}</td>
              <td className={table.number}>
                <Money amount={budget.total} currency={budget.currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function firstLineOf({ items }: BudgetEntry): string {
  for (const item of items) if ("description" in item && item.description) return item.description;
  return "";
}
