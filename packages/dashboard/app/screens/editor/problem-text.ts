import { useCallback } from "react";
import { useWords } from "../../words/use-words.js";
import type { FieldProblem } from "./document/problems.js";

/** What is wrong with a field, as a sentence. */
export function useProblemText(): (problem: FieldProblem) => string {
  const words = useWords().editor;
  return useCallback(
    ({ line, field, reason, text }) => {
      const names: Readonly<Record<string, string>> = line === null ? words.headFields : words.lineFields;
      const sentence = reason === null ? text : words.reasons[reason];
      return `${names[field] ?? field}: ${sentence}`;
    },
    [words],
  );
}
