import { type ReactNode, useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { useWords } from "../../../words/use-words.js";
import type { EditedBudget } from "../document/edited-budget.js";
import { priced } from "../document/figures.js";
import type { Line } from "../document/line.js";
import { setFields } from "../document/line-operations.js";
import type { LineField } from "../document/problems.js";
import { useEditorTools } from "../editor-context.js";
import { useProblemText } from "../problem-text.js";

interface Props {
  readonly title: string;
  readonly budget: EditedBudget;
  readonly line: Line;
  /** What the dialog writes. */
  readonly fields: readonly LineField[];
  /** Takes away what the dialog is about; absent = there is nothing of it. */
  readonly none?: Partial<Line> | undefined;
  readonly start: Partial<Line>;
  readonly onClose: () => void;
  readonly children: (draft: Line, set: (changes: Partial<Line>) => void) => ReactNode;
}

/** Changes a part of a line in a dialog, as one step of undo, and refuses what the service would refuse. */
export function LineDialog({ title, budget, line, fields, none, start, onClose, children }: Props) {
  const words = useWords();
  const { change } = useEditorTools();
  const problemText = useProblemText();
  const [draft, setDraft] = useState<Line>({ ...line, ...start });
  const [isTried, setTried] = useState(false);
  const problems = problemsOf(budget, draft, fields);
  const apply = (changes: Partial<Line>) => {
    change((now) => setFields(now, line.key, changes));
    onClose();
  };
  const changed = Object.fromEntries(
    [...fields, ...Object.keys(start)].map((field) => [field, draft[field as LineField]]),
  );
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          {none !== undefined && (
            <Button kind="danger" onClick={() => apply(none)}>
              {words.common.remove}
            </Button>
          )}
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="line-dialog">
            {words.editor.apply}
          </Button>
        </>
      }
    >
      <form
        id="line-dialog"
        style={{ display: "grid", gap: 16 }}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (problems.length === 0) apply(changed);
        }}
      >
        {children(draft, (changes) => setDraft((now) => ({ ...now, ...changes })))}
        {isTried && problems.length > 0 && (
          <p role="alert" style={{ color: "var(--bad)" }}>
            {problems.map(problemText).join(" ")}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function problemsOf(budget: EditedBudget, draft: Line, fields: readonly LineField[]) {
  const { problems } = priced(setFields(budget, draft.key, draft));
  return problems.filter(({ line, field }) => line === draft.key && fields.some((each) => each === field));
}
