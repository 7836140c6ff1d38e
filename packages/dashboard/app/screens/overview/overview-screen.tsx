import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ButtonLink } from "../../components/button.js";
import { ErrorPanel, NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { Segmented } from "../../components/tabs.js";
import { businessQuery } from "../../queries/business.js";
import { figuresQuery } from "../../queries/figures.js";
import { salesQuery } from "../../queries/sales.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { ActivityList } from "./activity-list.js";
import { currenciesOf } from "./currencies.js";
import { ExpiringTable } from "./expiring-table.js";
import { FirstSteps } from "./first-steps.js";
import styles from "./overview.module.css";
import { PERIODS, weeksOf } from "./overview-search.js";
import { SalesChart } from "./sales-chart.js";
import { SalesStrip } from "./sales-strip.js";

/** What the business sells: what waits, what was won, what ends soon and what happened last. */
export function OverviewScreen() {
  const words = useWords();
  const may = useMay();
  const search = useSearch({ from: "/" });
  const navigate = useNavigate();
  const weeks = weeksOf(search);
  const { data: figures } = useQuery({ ...figuresQuery, enabled: may("READ_BUDGETS") });
  const isNew = figures !== undefined && Object.values(figures.budgets.byStatus).every((count) => count === 0);
  const actions = (
    <>
      {!isNew && may("READ_BUDGETS") && (
        <Segmented
          label={words.overview.period}
          value={String(weeks)}
          options={PERIODS.map((each) => ({ value: String(each), label: words.overview.periods[each] }))}
          onChange={(value) => {
            const chosen = PERIODS.find((each) => String(each) === value);
            const { weeks: _, ...others } = search;
            const next = chosen === 4 || chosen === 52 ? { ...others, weeks: chosen } : others;
            void navigate({ to: "/", search: next, replace: true });
          }}
        />
      )}
      {!isNew && may("WRITE_BUDGETS") && (
        <ButtonLink to="/budgets/new" search={{}} kind="primary" icon={Plus} shortcut="N">
          {words.shell.newBudget}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page title={words.shell.overview} actions={actions}>
      {!may("READ_BUDGETS") ? (
        <NoRight right={words.common.scope("READ_BUDGETS")} />
      ) : isNew ? (
        <FirstSteps />
      ) : (
        <Figures weeks={weeks} />
      )}
    </Page>
  );
}

function Figures({ weeks }: { readonly weeks: number }) {
  const words = useWords();
  const search = useSearch({ from: "/" });
  const [nowMs] = useState(Date.now);
  const { data: business } = useQuery(businessQuery);
  const { data: sales, error, refetch } = useQuery({ ...salesQuery(weeks), placeholderData: (previous) => previous });
  const currencies = sales === undefined ? [] : currenciesOf(sales, business?.currency ?? null);
  return (
    <>
      {sales === undefined && error === null && <SkeletonRows rows={6} />}
      {sales === undefined && error !== null && (
        <ErrorPanel
          title={words.common.couldNotLoad(words.overview.figures)}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {sales !== undefined && <SalesStrip sales={sales} currencies={currencies} weeks={weeks} />}
      <div className={styles.columns}>
        <div className={styles.main}>
          {sales !== undefined && <SalesChart sales={sales} currencies={currencies} search={search} />}
          <ExpiringTable nowMs={nowMs} />
        </div>
        <ActivityList nowMs={nowMs} />
      </div>
    </>
  );
}
