import type { Recurrence } from "@budgetkit/client";
import { useWords } from "../../../words/use-words.js";

type Recurs = Pick<Required<Recurrence>, "interval"> & {
  readonly intervalCount: number;
  readonly cycles: number | null;
};

/** `every 2 months, 12 times` */
export function useRecurrence(): (recurring: Recurs) => string {
  const words = useWords().budget.lines;
  return ({ interval, intervalCount, cycles }) => {
    const length = cycles === null ? words.untilEnded : words.cycles(cycles);
    return `${words.recurring[interval](intervalCount)}, ${length}`;
  };
}
