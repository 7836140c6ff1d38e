import { useWords } from "../../../words/use-words.js";
import { FigureField } from "./figure-field.js";
import { LineDialog } from "./line-dialog.js";
import type { LineDialogProps } from "./line-dialogs.js";

/** What a unit costs the business. */
export function CostDialog({ budget, line, onClose }: LineDialogProps) {
  const words = useWords().editor.cost;
  return (
    <LineDialog
      title={words.title}
      budget={budget}
      line={line}
      fields={["unitCost"]}
      start={{}}
      none={line.unitCost === "" ? undefined : { unitCost: "" }}
      onClose={onClose}
    >
      {({ unitCost }, set) => (
        <FigureField
          label={words.label}
          hint={words.hint}
          value={unitCost}
          onChange={(value) => set({ unitCost: value })}
        />
      )}
    </LineDialog>
  );
}
