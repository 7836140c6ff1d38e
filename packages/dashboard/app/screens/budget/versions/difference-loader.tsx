import type { Budget } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { ErrorPanel } from "../../../components/notices.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { budgetDifferenceQuery, budgetRevisionQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { DifferenceView } from "./difference-view.js";

interface Props {
  readonly budget: Budget;
  readonly from: number;
  readonly to: number;
}

/** Loads what two versions differ in. The present version is known already and not asked for. */
export function DifferenceLoader({ budget, from, to }: Props) {
  const { budget: words, common } = useWords();
  const isPresent = to === budget.revision;
  const difference = useQuery(budgetDifferenceQuery(budget.id, from, to));
  const revision = useQuery({ ...budgetRevisionQuery(budget.id, to), enabled: !isPresent });
  const present = isPresent ? budget : revision.data;
  const error = difference.error ?? revision.error;
  if (error !== null) {
    const again = () => void Promise.all([difference.refetch(), isPresent ? null : revision.refetch()]);
    return <ErrorPanel title={common.couldNotLoad(words.versions.what)} error={error} onRetry={again} />;
  }
  if (difference.data === undefined || present === undefined) return <SkeletonRows rows={3} />;
  return <DifferenceView difference={difference.data} present={present} />;
}
