import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { Checkbox } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import { withLineTaxes } from "../document/edited-budget.js";
import { useEditorTools } from "../editor-context.js";
import { useTaxName } from "../grid/taxes-cell.js";
import type { LineDialogProps } from "./line-dialogs.js";

/** Which taxes are on a line: of those of the budget and of the business. */
export function LineTaxesDialog({ budget, line, onClose }: LineDialogProps) {
  const words = useWords();
  const { change, knownTaxes } = useEditorTools();
  const nameOf = useTaxName();
  const { taxes } = budget.head;
  const offered = [...taxes, ...knownTaxes.filter(({ id }) => !taxes.some((tax) => tax.id === id))];
  const [ids, setIds] = useState<readonly string[]>(line.taxes ?? taxes.map(({ id }) => id));
  const apply = () => {
    const ordered = offered.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
    change((now) => withLineTaxes(now, line.key, ordered, knownTaxes));
    onClose();
  };
  return (
    <Dialog
      title={words.editor.lineTaxes.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" onClick={apply} disabled={offered.length === 0}>
            {words.editor.apply}
          </Button>
        </>
      }
    >
      {offered.length === 0 ? (
        <p>{words.editor.lineTaxes.none}</p>
      ) : (
        offered.map((tax) => (
          <Checkbox
            key={tax.id}
            label={nameOf(tax)}
            checked={ids.includes(tax.id)}
            onChange={(isOn) => setIds(isOn ? [...ids, tax.id] : ids.filter((id) => id !== tax.id))}
          />
        ))
      )}
    </Dialog>
  );
}
