import { type Budget, BudgetkitError } from "@budgetkit/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { StateChip } from "../../components/chip.js";
import { ErrorPanel, NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { shownStateOf } from "../../components/state-glyph.js";
import { budgetMailsQuery, budgetQuery } from "../../queries/budget.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { BudgetActions } from "./actions/budget-actions.js";
import { ActivityTab } from "./activity/activity-tab.js";
import styles from "./budget.module.css";
import type { BudgetSearch } from "./budget-search.js";
import { BudgetStrip } from "./budget-strip.js";
import { BudgetSubtitle } from "./budget-subtitle.js";
import { BudgetTabs } from "./budget-tabs.js";
import { EvidenceTab } from "./evidence/evidence-tab.js";
import { FilesTab } from "./files/files-tab.js";
import { LinesTab } from "./lines/lines-tab.js";
import { loadedOf } from "./loaded-pages.js";
import { MailsTab } from "./mails/mails-tab.js";
import { MessagesTab } from "./messages/messages-tab.js";
import { MissingBudget } from "./missing-budget.js";
import { NeighbourLinks } from "./neighbour-links.js";
import { PaymentsTab } from "./payments/payments-tab.js";
import { SideColumn } from "./side/side-column.js";
import { useNeighbours } from "./use-neighbours.js";
import { VersionsTab } from "./versions/versions-tab.js";

/** One budget: what it is worth, its state, what to do now, and all that belongs to it. */
export function BudgetScreen() {
  const { budgetId } = useParams({ from: "/budgets/$budgetId" });
  const { shell, common } = useWords();
  if (!useMay()("READ_BUDGETS")) {
    return (
      <Page title={shell.budgets}>
        <NoRight right={common.scope("READ_BUDGETS")} />
      </Page>
    );
  }
  return <BudgetLoader key={budgetId} budgetId={budgetId} />;
}

function BudgetLoader({ budgetId }: { readonly budgetId: string }) {
  const { shell, budget: words, common } = useWords();
  const { data: budget, error, refetch } = useQuery(budgetQuery(budgetId));
  const mails = useInfiniteQuery(budgetMailsQuery(budgetId)); // beside the budget, for who sent it
  const isGone = error instanceof BudgetkitError && error.status === 404;
  if (budget !== undefined && !isGone) return <LoadedBudget budget={budget} mails={loadedOf(mails).entries} />;
  return (
    <Page title={shell.budgets} parent={{ to: "/budgets", label: shell.budgets }}>
      {isGone ? (
        <MissingBudget budgetId={budgetId} />
      ) : error === null ? (
        <SkeletonRows />
      ) : (
        <ErrorPanel title={common.couldNotLoad(words.budgetWhat)} error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

interface LoadedProps {
  readonly budget: Budget;
  readonly mails: Parameters<typeof BudgetSubtitle>[0]["mails"];
}

function LoadedBudget({ budget, mails }: LoadedProps) {
  const { shell, budget: words } = useWords();
  const search = useSearch({ from: "/budgets/$budgetId" });
  const neighbours = useNeighbours(budget.id);
  const { tab = "activity" } = search;
  return (
    <Page
      title={budget.customer.name ?? words.unknownCustomer}
      beside={<StateChip state={shownStateOf(budget)} />}
      parent={{ to: "/budgets", label: shell.budgets }}
      crumb={budget.number ?? budget.id}
      neighbours={neighbours === null ? undefined : <NeighbourLinks neighbours={neighbours} tab={tab} />}
      subtitle={<BudgetSubtitle budget={budget} mails={mails} />}
      actions={<BudgetActions key={budget.id} budget={budget} />}
      tabs={<BudgetTabs budget={budget} tab={tab} />}
      layout="flush"
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          <BudgetStrip budget={budget} />
          <Tab budget={budget} search={search} />
        </div>
        <SideColumn budget={budget} tab={tab} />
      </div>
    </Page>
  );
}

function Tab({ budget, search }: { readonly budget: Budget; readonly search: BudgetSearch }) {
  const mayWrite = useMay()("WRITE_BUDGETS");
  const { tab = "activity" } = search;
  switch (tab) {
    case "activity":
      return <ActivityTab budget={budget} mayWrite={mayWrite} />;
    case "lines":
      return <LinesTab budget={budget} />;
    case "versions":
      return <VersionsTab budget={budget} from={search.from} to={search.to} />;
    case "payments":
      return <PaymentsTab budget={budget} />;
    case "messages":
      return <MessagesTab budget={budget} mayWrite={mayWrite} />;
    case "files":
      return <FilesTab budget={budget} mayWrite={mayWrite} />;
    case "mails":
      return <MailsTab budget={budget} />;
    case "evidence":
      return <EvidenceTab budget={budget} />;
  }
}
