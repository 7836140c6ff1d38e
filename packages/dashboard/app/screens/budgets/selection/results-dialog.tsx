import { CircleAlert, CircleCheck } from "lucide-react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import table from "../../../components/table.module.css";
import { useWords } from "../../../words/use-words.js";
import styles from "./bulk.module.css";
import type { BulkResults } from "./use-bulk-acts.js";

interface Props extends BulkResults {
  readonly onClose: () => void;
}

/** What became of each budget, those that were refused first. */
export function ResultsDialog({ title, budgets, outcomes, onClose }: Props) {
  const words = useWords();
  const texts = words.budgets.bulk;
  const refused = outcomes.filter(({ refusal }) => refusal !== null);
  const ordered = [...refused, ...outcomes.filter(({ refusal }) => refusal === null)];
  return (
    <Dialog
      title={title}
      width="wide"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {words.common.close}
        </Button>
      }
    >
      <p>{texts.refusedOf(refused.length, outcomes.length)}</p>
      <div className={table.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{words.budgets.number}</th>
              <th scope="col">{words.budgets.customer}</th>
              <th scope="col">{texts.result}</th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(({ budgetId, refusal }) => {
              const budget = budgets.get(budgetId);
              return (
                <tr key={budgetId}>
                  <th scope="row">{budget?.number ?? words.budgets.noNumber}</th>
                  <td>
                    <bdi>{budget?.customerName}</bdi>
                  </td>
                  <td>
                    {refusal === null ? (
                      <span className={styles.outcome}>
                        <CircleCheck size={14} aria-hidden="true" /> {texts.done}
                      </span>
                    ) : (
                      <span className={`${styles.outcome} ${styles.refused}`}>
                        <CircleAlert size={14} aria-hidden="true" /> {refusal}
                      </span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
