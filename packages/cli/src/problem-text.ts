import type { Problem } from "@budgetkit/core";
import { StartFailure } from "./start-failure.js";

/** A problem in one sentence, for somebody at a terminal. */
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
    case "not-implemented":
      return problem.message;
    default:
      return `The service declined: ${problem.kind}.`;
  }
}

/** Of an operation's result: throws the StartFailure that tells its problem. */
function refuseProblem(problem: Problem): never {
  throw new StartFailure(problemText(problem));
}

/** The result of an operation, as far as commands use it. */
export interface Answer<T> {
  match<A>(ok: (value: T) => A, err: (problem: Problem) => A): A;
}

/** The value of a result; throws the StartFailure that tells its problem. */
export function orRefuse<T>(answer: Answer<T>): T {
  return answer.match((value) => value, refuseProblem);
}
