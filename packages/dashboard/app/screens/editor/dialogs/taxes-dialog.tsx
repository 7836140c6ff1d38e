import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { Checkbox, TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import { isDecimal } from "../document/decimals.js";
import {
  type EditedBudget,
  type EditedTax,
  pricesContainTaxes,
  withHead,
  withTaxes,
} from "../document/edited-budget.js";
import { newKey } from "../document/line.js";
import { useEditorTools } from "../editor-context.js";
import { useTaxName } from "../grid/taxes-cell.js";
import styles from "./dialogs.module.css";
import { FigureField } from "./figure-field.js";

const MAX_TAXES = 8;

/** The taxes of the budget: those of the business, and others. */
export function TaxesDialog({ budget, onClose }: { readonly budget: EditedBudget; readonly onClose: () => void }) {
  const words = useWords();
  const texts = words.editor.taxes;
  const { change, knownTaxes } = useEditorTools();
  const nameOf = useTaxName();
  const [taxes, setTaxes] = useState<readonly EditedTax[]>(() => taxesOf(budget, words.editor.taxName));
  const isKnown = ({ id }: EditedTax) => knownTaxes.some((tax) => tax.id === id);
  const own = taxes.filter((tax) => !isKnown(tax));
  const inclusive = pricesContainTaxes({ ...budget.head, taxes });
  const isWrong = own.some(({ name, rate }) => name.trim() === "" || !isDecimal(rate) || Number(rate) > 100);
  const [isTried, setTried] = useState(false);
  const apply = () => {
    setTried(true);
    if (isWrong) return;
    change((now) => {
      const taxed = withTaxes(now, taxes);
      return taxes.length === 0 ? withHead(taxed, { taxRate: "0" }) : taxed;
    });
    onClose();
  };
  const write = (id: string, changes: Partial<EditedTax>) =>
    setTaxes(taxes.map((tax) => (tax.id === id ? { ...tax, ...changes } : tax)));
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" onClick={apply}>
            {words.editor.apply}
          </Button>
        </>
      }
    >
      <p>{knownTaxes.length === 0 ? texts.noneKnown : texts.text}</p>
      {knownTaxes.map((tax) => (
        <Checkbox
          key={tax.id}
          label={nameOf(tax)}
          checked={taxes.some(({ id }) => id === tax.id)}
          onChange={(isOn) => setTaxes(isOn ? [...taxes, tax] : taxes.filter(({ id }) => id !== tax.id))}
        />
      ))}
      {own.map(({ id, name, rate }, index) => (
        <div key={id} className={styles.tier}>
          <TextField
            label={texts.name(index + 1)}
            value={name}
            maxLength={60}
            onChange={(value) => write(id, { name: value })}
          />
          <FigureField label={texts.rate(index + 1)} value={rate} onChange={(value) => write(id, { rate: value })} />
          <IconButton
            icon={Trash2}
            label={texts.remove(index + 1)}
            onClick={() => setTaxes(taxes.filter((tax) => tax.id !== id))}
          />
        </div>
      ))}
      {taxes.length < MAX_TAXES && (
        <div>
          <Button
            size="small"
            icon={Plus}
            onClick={() => setTaxes([...taxes, { id: newKey(), name: "", rate: "", kind: "tax", inclusive, on: [] }])}
          >
            {texts.add}
          </Button>
        </div>
      )}
      {isTried && isWrong && (
        <p role="alert" style={{ color: "var(--bad)" }}>
          {texts.wrong}
        </p>
      )}
    </Dialog>
  );
}

/** A rate for all lines is shown as a tax with a name. */
function taxesOf({ head: { taxes, taxRate } }: EditedBudget, name: string): readonly EditedTax[] {
  if (taxes.length > 0 || taxRate === "" || taxRate === "0") return taxes;
  return [{ id: "tax", name, rate: taxRate, kind: "tax", inclusive: false, on: [] }];
}
