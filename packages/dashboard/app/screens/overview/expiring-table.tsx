import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Clock, TriangleAlert } from "lucide-react";
import { Button, ButtonLink } from "../../components/button.js";
import { Money } from "../../components/money.js";
import { ErrorPanel, messageOf } from "../../components/notices.js";
import { Section } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import table from "../../components/table.module.css";
import { Count } from "../../components/tabs.js";
import { useToast } from "../../components/toast.js";
import { useFormats } from "../../formats/use-formats.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import type { BudgetSummary } from "../budgets/list/budget-summary.js";
import { useAskedBudgets } from "./activity-query.js";
import { expiringQuery } from "./expiring-budgets.js";
import styles from "./overview.module.css";

const SHOWN = 7;
const SOON_DAYS = 3;
const MESSAGES = { tab: "messages" } as const;

/** Offers that end soon, with what helps: a reminder, or the answer to what was asked. */
export function ExpiringTable({ nowMs }: { readonly nowMs: number }) {
  const words = useWords();
  const texts = words.overview;
  const { data, error, refetch } = useQuery(expiringQuery);
  const asked = useAskedBudgets();
  const view = (
    <Link to="/budgets" search={{ view: "expiring" }}>
      {texts.openView}
    </Link>
  );
  return (
    <Section title={texts.expiring} beside={data && data.length > 0 && <Count>{data.length}</Count>} actions={view}>
      {data === undefined && error === null && <SkeletonRows rows={4} />}
      {data === undefined && error !== null && (
        <ErrorPanel title={words.common.couldNotLoad(texts.expiring)} error={error} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p className={table.quiet}>{texts.nothingExpires}</p>}
      {data !== undefined && data.length > 0 && (
        <div className={table.scroll}>
          <table className={`${table.table} ${styles.expiring}`}>
            <thead>
              <tr>
                <th scope="col">{words.budgets.number}</th>
                <th scope="col">{words.budgets.customer}</th>
                <th scope="col" className={table.number}>
                  {words.budgets.columns.total}
                </th>
                <th scope="col">{texts.expires}</th>
                <th scope="col">{texts.customersSide}</th>
                <th scope="col">
                  <span className="visually-hidden">{texts.action}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.slice(0, SHOWN).map((budget) => (
                <ExpiringRow key={budget.id} budget={budget} hasAsked={asked.has(budget.id)} nowMs={nowMs} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

interface RowProps {
  readonly budget: BudgetSummary;
  readonly hasAsked: boolean;
  readonly nowMs: number;
}

function ExpiringRow({ budget, hasAsked, nowMs }: RowProps) {
  const words = useWords();
  const texts = words.overview;
  const formats = useFormats();
  const mayWrite = useMay()("WRITE_BUDGETS");
  const remind = useRemind(budget.id);
  const until = budget.validUntil ?? "";
  const days = formats.daysUntil(until, nowMs);
  const Icon = days <= 0 ? TriangleAlert : Clock;
  const tone = days <= 0 ? styles.bad : days <= SOON_DAYS ? styles.warn : "";
  const params = { budgetId: budget.id };
  return (
    <tr>
      <th scope="row">
        <Link to="/budgets/$budgetId" params={params} className={styles.number}>
          {budget.number ?? words.budgets.noNumber}
        </Link>
      </th>
      <td className={styles.who}>
        <bdi className={table.strong}>{budget.customerName}</bdi> <bdi className={table.quiet}>{budget.firstLine}</bdi>
      </td>
      <td className={table.number}>
        <Money amount={budget.total} currency={budget.currency} />
      </td>
      <td className={styles.nowrap}>
        <span className={`${styles.until} ${tone}`}>
          {days <= SOON_DAYS && <Icon size={14} aria-hidden="true" />}
          {formats.until(until, nowMs)}
        </span>
      </td>
      <td className={styles.nowrap}>{hasAsked ? texts.asked : texts.viewed(budget.views)}</td>
      <td className={table.actions}>
        {mayWrite && hasAsked && (
          <ButtonLink size="small" to="/budgets/$budgetId" params={params} search={MESSAGES}>
            {texts.answer}
          </ButtonLink>
        )}
        {mayWrite && !hasAsked && (
          <Button
            size="small"
            busy={remind.isPending}
            disabled={remind.isSuccess}
            aria-label={texts.remindOf(budget.number ?? budget.customerName)}
            onClick={() => remind.mutate()}
          >
            {remind.isSuccess ? texts.reminded : texts.remind}
          </Button>
        )}
      </td>
    </tr>
  );
}

function useRemind(budgetId: string) {
  const words = useWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { results } = await api.budgets.remind({ budgetIds: [budgetId] });
      const refused = results.find(({ status }) => status === "refused");
      if (refused !== undefined) throw new Error(refused.message ?? refused.code);
    },
    onSuccess: () => {
      toast({ text: words.budgets.bulk.reminded(1) });
      void queryClient.invalidateQueries({ queryKey: ["events"] });
      void queryClient.invalidateQueries({ queryKey: ["budget", budgetId] });
    },
    onError: (error) => toast({ text: messageOf(error, words.common), isError: true }),
  });
}
