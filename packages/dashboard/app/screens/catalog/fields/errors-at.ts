import { fieldErrorOf } from "../../../components/field-errors.js";
import type { Words } from "../../../words/en.js";
import type { DraftProblems } from "../draft/draft-reader.js";

/** The sentence below a field, by its path in the interface; null = nothing is wrong. */
export type ErrorAt = (path: string) => string | null;

/** What cannot be read here goes before what the service said of an earlier attempt. */
export function errorsAt(problems: DraftProblems, error: Error | null, words: Words["catalog"]): ErrorAt {
  return (path) => {
    const problem = problems.get(path);
    return problem === undefined ? fieldErrorOf(error, path) : words.problems[problem];
  };
}
