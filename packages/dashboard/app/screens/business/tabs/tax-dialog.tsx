import type { NamedTax } from "@budgetkit/client";
import { useId, useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { Checkbox, SelectField, TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { draftOf, NEW_TAX, type TaxDraft, type TaxFault, taxOf } from "../form/tax-draft.js";

interface Props {
  /** Null = a new one. */
  readonly tax: NamedTax | null;
  readonly taxes: readonly NamedTax[];
  readonly onDone: (tax: NamedTax) => void;
  readonly onClose: () => void;
}

export function TaxDialog({ tax, taxes, onDone, onClose }: Props) {
  const words = useWords();
  const formId = useId();
  const [draft, setDraft] = useState<TaxDraft>(tax === null ? NEW_TAX : draftOf(tax));
  const [fault, setFault] = useState<TaxFault | null>(null);
  const put = (fields: Partial<TaxDraft>) => setDraft({ ...draft, ...fields });
  const others = taxes.filter(({ id, kind }) => id !== tax?.id && kind === "tax");
  const submit = () => {
    const made = taxOf(draft, taxes, tax?.id ?? null);
    if ("tax" in made) onDone(made.tax);
    else setFault(made.fault);
  };
  const { tax: labels, taxFaults } = words.business;
  return (
    <Dialog
      title={tax === null ? words.business.addTax : words.business.editTax}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {words.business.takeTax}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.dialogForm}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={styles.pair}>
          <TextField
            label={labels.name}
            autoFocus
            placeholder="IVA 21 %"
            value={draft.name}
            onChange={(name) => put({ name })}
          />
          <TextField
            label={labels.id}
            hint={words.business.taxIdHint}
            value={draft.id}
            onChange={(id) => put({ id })}
            error={fault === "id" || fault === "idTaken" ? taxFaults[fault] : null}
          />
          <TextField
            label={labels.ratePercent}
            inputMode="decimal"
            value={draft.rate}
            onChange={(rate) => put({ rate })}
            error={fault === "rate" ? taxFaults.rate : null}
          />
          <SelectField
            label={labels.kind}
            value={draft.kind}
            options={(["tax", "withholding"] as const).map((value) => ({
              value,
              label: words.business.taxKinds[value],
            }))}
            onChange={(kind) => put({ kind })}
          />
        </div>
        <Checkbox
          label={words.business.inclusiveLabel}
          checked={draft.inclusive}
          onChange={(inclusive) => put({ inclusive })}
        />
        <Checkbox
          label={words.business.defaultLabel}
          checked={draft.default}
          onChange={(isDefault) => put({ default: isDefault })}
        />
        {others.length > 0 && (
          <fieldset className={styles.bases}>
            <legend>{words.business.onLabel}</legend>
            {others.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={draft.on.includes(id)}
                onChange={(isOn) => put({ on: isOn ? [...draft.on, id] : draft.on.filter((other) => other !== id) })}
              />
            ))}
          </fieldset>
        )}
      </form>
    </Dialog>
  );
}
