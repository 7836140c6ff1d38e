import { useWords } from "../../../words/use-words.js";
import styles from "./dialogs.module.css";
import { FigureField } from "./figure-field.js";
import { LineDialog } from "./line-dialog.js";
import type { LineDialogProps } from "./line-dialogs.js";

/** How many options the customer takes. */
export function ChoiceDialog({ budget, line, onClose }: LineDialogProps) {
  const words = useWords().editor.choice;
  return (
    <LineDialog
      title={words.title}
      budget={budget}
      line={line}
      fields={["minimum", "maximum"]}
      start={{}}
      onClose={onClose}
    >
      {({ minimum, maximum }, set) => (
        <div className={styles.row}>
          <FigureField label={words.minimum} value={minimum} onChange={(value) => set({ minimum: value })} />
          <FigureField label={words.maximum} value={maximum} onChange={(value) => set({ maximum: value })} />
        </div>
      )}
    </LineDialog>
  );
}
