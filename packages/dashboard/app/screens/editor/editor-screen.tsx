import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { PencilOff } from "lucide-react";
import { useState } from "react";
import { ButtonLink } from "../../components/button.js";
import { EmptyState, ErrorPanel, NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { businessQuery } from "../../queries/business.js";
import { customerQuery } from "../../queries/records.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { withHead } from "./document/edited-budget.js";
import { blankBudget, editedCustomerOf } from "./document/from-budget.js";
import { Editor } from "./editor.js";
import { newState, stateOf } from "./state/editor-state.js";
import { handedOver } from "./state/handed-over.js";

/** Writes a new budget, or changes one. */
export function EditorScreen() {
  const words = useWords();
  const may = useMay();
  const { budgetId } = useParams({ strict: false });
  if (!may("WRITE_BUDGETS")) {
    return (
      <Page title={words.editor.newTitle}>
        <NoRight right={words.common.scope("WRITE_BUDGETS")} />
      </Page>
    );
  }
  return budgetId === undefined ? <NewBudget /> : <SavedBudget key={budgetId} budgetId={budgetId} />;
}

/** For the customer of the address, if it names one that exists. */
function NewBudget() {
  const { customerId } = useSearch({ strict: false });
  const { data: business } = useQuery(businessQuery);
  const named = useQuery({ ...customerQuery(customerId ?? ""), enabled: customerId !== undefined });
  if (business === undefined || named.isLoading) return <SkeletonRows />;
  const customer = named.data === undefined ? null : editedCustomerOf(named.data);
  return <Editor business={business} start={() => newState(withHead(blankBudget(business), { customer }))} />;
}

function SavedBudget({ budgetId }: { readonly budgetId: string }) {
  const words = useWords();
  const { data: business } = useQuery(businessQuery);
  const [handed] = useState(() => handedOver(budgetId));
  // Its own key: what is edited is never exchanged below the hands of the person who edits it.
  const {
    data: budget,
    error,
    refetch,
  } = useQuery({
    queryKey: ["budget", budgetId, "to edit"],
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    enabled: handed === null,
    queryFn: ({ signal }) => api.budgets.get(budgetId, { signal }),
  });
  if (business !== undefined && handed !== null) {
    return <Editor business={business} start={() => handed.state} startsSending={handed.isSending} />;
  }
  if (error !== null) {
    return (
      <Page title={words.editor.edit} parent={{ to: "/budgets", label: words.shell.budgets }}>
        <ErrorPanel
          title={words.common.couldNotLoad(words.editor.theBudget)}
          error={error}
          onRetry={() => void refetch()}
        />
      </Page>
    );
  }
  if (budget === undefined || business === undefined) {
    return (
      <Page title={words.editor.edit}>
        <SkeletonRows />
      </Page>
    );
  }
  if (!budget.availableActions.includes("update")) {
    return (
      <Page title={words.editor.edit} parent={{ to: "/budgets", label: words.shell.budgets }}>
        <EmptyState
          icon={PencilOff}
          title={words.editor.lockedTitle}
          text={words.editor.lockedText(words.common.states[budget.status])}
          action={
            <ButtonLink kind="primary" to="/budgets/$budgetId" params={{ budgetId }}>
              {words.editor.toBudget}
            </ButtonLink>
          }
        />
      </Page>
    );
  }
  return <Editor business={business} start={() => stateOf(budget, business.timeZone)} />;
}
