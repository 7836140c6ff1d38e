import { BudgetkitError } from "@budgetkit/client";
import { Button } from "../../components/button.js";
import { useWords } from "../../words/use-words.js";
import styles from "./records.module.css";

interface Props {
  readonly error: Error | null;
  readonly onReload: () => void;
}

/** The record was changed meanwhile by someone else: what was typed is not saved, and can be loaded over. */
export function ConflictNotice({ error, onReload }: Props) {
  const words = useWords().customers.records;
  if (!isConflict(error)) return null;
  return (
    <div role="alert" className={styles.conflict}>
      <p>{words.changedMeanwhile}</p>
      <Button size="small" onClick={onReload}>
        {words.loadCurrent}
      </Button>
    </div>
  );
}

export function isConflict(error: Error | null): boolean {
  return error instanceof BudgetkitError && error.status === 412;
}
