import {
  type PricingFigures,
  type PricingInput,
  type PricingLine,
  type Problem,
  priceBudget,
} from "@budgetkit/core/pricing";
import type { EditedBudget } from "./edited-budget.js";
import { isOptionOf, type Line } from "./line.js";
import { writtenLines } from "./line-operations.js";
import { type FieldProblem, fieldProblems } from "./problems.js";
import { problemOfRefusal, type Refusal } from "./service-problems.js";
import { newLineOf, shareOf, taxationOf } from "./to-body.js";

export type LineFigures = PricingFigures["items"][number];

/** A budget with its figures, and all that is wrong with it. */
export interface PricedBudget {
  readonly figures: PricingFigures | null; // null = nothing can be computed
  readonly lines: ReadonlyMap<string, LineFigures>;
  readonly problems: readonly FieldProblem[];
}

/** The computation refuses one line at a time. */
const MAX_ATTEMPTS = 20;

/**
 * Prices a budget by the computation of the service. What has problems is left out, so that the figures of the rest are
 * shown while somebody types.
 */
export function priced(budget: EditedBudget): PricedBudget {
  const lines = writtenLines(budget);
  const problems = fieldProblems(budget);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const result = priceBudget(inputOf(budget, lines, problems));
    if (result.isOk()) {
      const figures = result.value;
      return { figures, lines: figuresByLine(lines, figures), problems: [...problems, ...aboveTotal(budget, figures)] };
    }
    const refused = problemOfRefusal(budget, refusalOf(result.error));
    if (problems.some(({ line, field }) => line === refused.line && field === refused.field)) break;
    problems.push(refused);
  }
  return { figures: null, lines: new Map(), problems };
}

const placeholder: PricingLine = { kind: "text" };

function inputOf({ head }: EditedBudget, lines: readonly Line[], problems: readonly FieldProblem[]): PricingInput {
  const wrong = new Set(problems.map(({ line }) => line));
  const isRight = (field: FieldProblem["field"]) =>
    !problems.some((problem) => problem.line === null && problem.field === field);
  const { discount, deposit } = head;
  return {
    currency: isRight("currency") ? head.currency : "USD",
    items: lines.map((line) => (wrong.has(line.key) ? placeholder : pricingLineOf(line, lines, wrong))),
    ...(isRight("taxes") && isRight("taxRate") ? taxationOf(head) : {}),
    ...(isRight("discount") && discount !== "" ? { discountAmount: Number(discount) } : {}),
    ...(isRight("deposit") && deposit !== "" ? { deposit: shareOf(deposit) } : {}),
  };
}

/** An option of a choice that is wrong is priced as an optional line. */
function pricingLineOf(line: Line, lines: readonly Line[], wrong: ReadonlySet<string | null>): PricingLine {
  const given = withoutNulls(newLineOf(line));
  if (line.kind !== "item" || line.choice === null) return given;
  const isIn = lines.some((each) => isOptionOf(line, each) && !wrong.has(each.key));
  const { choice, ...rest } = given;
  return isIn ? given : { ...rest, optional: true };
}

/** The service reads null as nothing; the computation knows absent fields alone. */
function withoutNulls(line: ReturnType<typeof newLineOf>): PricingLine {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
}

function figuresByLine(lines: readonly Line[], figures: PricingFigures): ReadonlyMap<string, LineFigures> {
  return new Map(
    lines.flatMap((line, index): [string, LineFigures][] => {
      const each = figures.items[index];
      return each === undefined ? [] : [[line.key, each]];
    }),
  );
}

/** A fixed deposit may not exceed what is payable, unless the customer sets what that is. */
function aboveTotal({ head: { deposit }, lines }: EditedBudget, figures: PricingFigures): FieldProblem[] {
  if (figures.minimumPaymentToConfirm === undefined || deposit.endsWith("%")) return [];
  const isOpen = lines.some(({ optional, choice, range }) => optional || choice !== null || range !== null);
  if (isOpen || Number(deposit) <= (figures.payable ?? figures.total)) return [];
  return [{ line: null, field: "deposit", reason: "depositAboveTotal", text: "" }];
}

function refusalOf(problem: Problem): Refusal {
  if (problem.kind === "invalid") {
    const [first] = problem.errors;
    if (first !== undefined) return first;
  }
  if (problem.kind !== "rule") return { field: "", code: null, message: problem.message };
  const { field } = problem.details;
  return { field: typeof field === "string" ? field : "", code: problem.rule, message: problem.message };
}
