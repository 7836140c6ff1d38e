import { Button } from "../../../components/button.js";
import { ErrorPanel } from "../../../components/notices.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import type { FieldProblem } from "../document/problems.js";
import { useProblemText } from "../problem-text.js";
import type { KeptDraft } from "../state/kept-draft.js";
import styles from "./notices.module.css";

interface KeptProps {
  readonly draft: KeptDraft;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}

/** Offers back what an earlier visit left unsaved. */
export function KeptNotice({ draft, onRestore, onDiscard }: KeptProps) {
  const words = useWords().editor.draft;
  const formats = useFormats();
  return (
    <div className={styles.kept} role="status">
      <p>{words.text(formats.dateTime(draft.keptAt))}</p>
      <Button size="small" onClick={onDiscard}>
        {words.discard}
      </Button>
      <Button size="small" kind="primary" onClick={onRestore}>
        {words.restore}
      </Button>
    </div>
  );
}

interface ProblemsProps {
  readonly problems: readonly FieldProblem[];
  readonly nameOf: (line: string) => string;
  readonly onGo: (problem: FieldProblem) => void;
}

const SHOWN = 6;

/** What keeps the budget from being saved, each as a way to its field. */
export function ProblemSummary({ problems, nameOf, onGo }: ProblemsProps) {
  const words = useWords().editor;
  const problemText = useProblemText();
  return (
    <div className={styles.problems} role="alert">
      <p>{words.problemCount(problems.length)}</p>
      <ul>
        {problems.slice(0, SHOWN).map((problem) => (
          <li key={`${problem.line} ${problem.field} ${problem.reason}`}>
            <button type="button" onClick={() => onGo(problem)}>
              {problem.line === null ? "" : `${nameOf(problem.line)} · `}
              {problemText(problem)}
            </button>
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && <p>{words.furtherProblems(problems.length - SHOWN)}</p>}
    </div>
  );
}

/** What could not be saved, and that nothing of it is lost. */
export function SaveError({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const words = useWords().editor;
  return (
    <div className={styles.failed}>
      <ErrorPanel title={words.couldNotSave} error={error} onRetry={onRetry} />
      <p>{words.nothingLost}</p>
    </div>
  );
}
