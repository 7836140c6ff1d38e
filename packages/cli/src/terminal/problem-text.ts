import type { Problem } from "@budgetkit/core";
import { StartFailure } from "./failures.js";

/** A problem in one sentence, for a terminal. */
export function problemText(problem: Problem): string {
  switch (problem.kind) {
    case "invalid":
      return problem.errors.map(({ field, message }) => `${field} ${message}`).join("; ");
    case "not-found":
      return `There is no ${problem.resource} ${problem.id}.`;
    case "rule":
      return `${problem.message} (${problem.rule})`;
    case "conflict":
    case "malformed":
    case "forbidden":
    case "stale":
    case "second-factor-needed":
    case "second-factor-required":
    case "not-implemented":
      return problem.message;
    default:
      return `The service declined: ${problem.kind}.`;
  }
}

/** Throws a StartFailure with the text of the problem. */
function refuseProblem(problem: Problem): never {
  throw new StartFailure(problemText(problem));
}

/** The part of an operation's result that commands use. */
export interface OperationResult<T> {
  match<A>(ok: (value: T) => A, err: (problem: Problem) => A): A;
}

/** The value of a result. Throws a StartFailure with the text of its problem. */
export function orRefuse<T>(result: OperationResult<T>): T {
  return result.match((value) => value, refuseProblem);
}
