import type { FieldProblem } from "./document/problems.js";
import { findCell } from "./grid/grid-cells.js";

/** What was not written yet is no mistake before somebody tries to save. */
const EARLY = new Set(["required", "noLines", "noOptions", "notEnoughOptions"]);

/** The problems that are shown: what the service refused, and what it would refuse. */
export function shownProblems(
  own: readonly FieldProblem[],
  refused: readonly FieldProblem[],
  isTried: boolean,
): readonly FieldProblem[] {
  const shown = isTried ? own : own.filter(({ reason }) => reason === null || !EARLY.has(reason));
  const isNew = ({ line, field }: FieldProblem) => !shown.some((each) => each.line === line && each.field === field);
  return [...shown, ...refused.filter(isNew)];
}

/** Puts the focus where a problem is. */
export function goToProblem(root: HTMLElement | null, { line, field }: FieldProblem): void {
  if (root === null) return;
  const column =
    field === "quantity" || field === "unitPrice" || field === "discount" || field === "taxes" ? field : "description";
  const element =
    line === null
      ? root.querySelector<HTMLElement>(
          `[data-field="${field === "taxRate" ? "taxes" : field}"], [data-cell="add:description"]`,
        )
      : findCell(root, { line, column });
  const wanted = line === null ? (root.querySelector<HTMLElement>(`[data-field="${field}"]`) ?? element) : element;
  wanted?.focus();
  wanted?.scrollIntoView({ block: "center" });
}
