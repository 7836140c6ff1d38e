import { type DecimalSign, readNumber } from "../../../formats/read-number.js";

/** What is wrong with a field before anything is sent: no number, no whole number, no JSON object, nothing chosen. */
type DraftProblem = "number" | "whole" | "metadata" | "items";
export type DraftProblems = ReadonlyMap<string, DraftProblem>;

/** Reads the texts of a form's fields, and notes by the path of the interface what is not what it has to be. */
export interface DraftReader {
  readonly problems: DraftProblems;
  /** Empty = null. */
  number(path: string, text: string): number | null;
  neededNumber(path: string, text: string): number;
  /** Empty = null. */
  whole(path: string, text: string): number | null;
  note(path: string, problem: DraftProblem): void;
}

export function draftReader(decimal: DecimalSign): DraftReader {
  const problems = new Map<string, DraftProblem>();
  const note = (path: string, problem: DraftProblem) => void problems.set(path, problem);
  const number: DraftReader["number"] = (path, text) => {
    if (text.trim() === "") return null;
    const value = readNumber(text, decimal);
    if (value === null) note(path, "number");
    return value;
  };
  return {
    problems,
    note,
    number,
    neededNumber: (path, text) => {
      const value = number(path, text);
      if (value === null) note(path, "number");
      return value ?? 0;
    },
    whole: (path, text) => {
      const value = number(path, text);
      if (value !== null && !Number.isInteger(value)) note(path, "whole");
      return value;
    },
  };
}
