import { useWords } from "../../../words/use-words.js";
import styles from "./dialogs.module.css";
import { FigureField } from "./figure-field.js";
import { LineDialog } from "./line-dialog.js";
import type { LineDialogProps } from "./line-dialogs.js";

/** Which quantities the customer may set. */
export function RangeDialog({ budget, line, onClose }: LineDialogProps) {
  const words = useWords().editor.range;
  const start = line.range ?? { minimum: line.quantity, maximum: "", step: "1" };
  return (
    <LineDialog
      title={words.title}
      budget={budget}
      line={line}
      fields={["range", "quantity"]}
      start={{ range: start }}
      none={line.range === null ? undefined : { range: null }}
      onClose={onClose}
    >
      {({ range, quantity }, set) => {
        const { minimum, maximum, step } = range ?? start;
        const write = (changes: Partial<typeof start>) => set({ range: { minimum, maximum, step, ...changes } });
        return (
          <>
            <p>{words.text}</p>
            <div className={styles.row}>
              <FigureField label={words.minimum} value={minimum} onChange={(value) => write({ minimum: value })} />
              <FigureField label={words.maximum} value={maximum} onChange={(value) => write({ maximum: value })} />
              <FigureField label={words.step} value={step} onChange={(value) => write({ step: value })} />
            </div>
            <FigureField
              label={words.quantity}
              hint={words.quantityHint}
              value={quantity}
              onChange={(value) => set({ quantity: value })}
            />
          </>
        );
      }}
    </LineDialog>
  );
}
