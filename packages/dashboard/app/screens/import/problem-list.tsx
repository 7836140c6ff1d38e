import { useWords } from "../../words/use-words.js";
import styles from "./import.module.css";

export interface RowProblem {
  readonly line: number;
  readonly field: string | null; // null = of the row as a whole
  readonly text: string;
}

const MOST_SHOWN = 50;

/** What is wrong, by row and field. */
export function ProblemList({ problems }: { readonly problems: readonly RowProblem[] }) {
  const words = useWords().customers.importing;
  if (problems.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <ul className={styles.problems} aria-label={words.problems} tabIndex={0}>
      {problems.slice(0, MOST_SHOWN).map(({ line, field, text }) => (
        <li key={`${line} ${field}`}>
          <strong>{field === null ? words.row(line) : words.rowField(line, field)}</strong> {text}
        </li>
      ))}
      {problems.length > MOST_SHOWN && <li>{words.moreProblems(problems.length - MOST_SHOWN)}</li>}
    </ul>
  );
}
