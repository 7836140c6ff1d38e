import { useState } from "react";
import { Field } from "../../../components/field.js";
import { readDecimal, writeDecimal } from "../document/decimals.js";
import { useEditorTools } from "../editor-context.js";
import styles from "./head.module.css";

interface Props {
  readonly label: string;
  readonly field: string;
  readonly value: string;
  readonly placeholder: string;
  /** What a percentage comes to. */
  readonly amount: string | null;
  readonly isPercentAllowed: boolean;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

/** An amount, or a percentage with what it comes to beside it. */
export function ShareField({ label, field, value, placeholder, amount, isPercentAllowed, error, onChange }: Props) {
  const { mark, closeStep } = useEditorTools();
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: string } | null>(null);
  const percent = value.endsWith("%");
  const plain = percent ? `${writeDecimal(value.slice(0, -1), mark)}%` : writeDecimal(value, mark, draft === null);
  const read = (typed: string): string => {
    const text = typed.trim();
    if (!isPercentAllowed || !text.endsWith("%")) return readDecimal(text, mark) ?? text;
    const number = readDecimal(text.slice(0, -1), mark);
    return number === null ? text : `${number}%`;
  };
  return (
    <Field label={label} error={error}>
      {(control) => (
        <div className={styles.share}>
          <input
            {...control}
            data-field={field}
            inputMode={isPercentAllowed ? "text" : "decimal"}
            autoComplete="off"
            placeholder={placeholder}
            value={draft !== null && draft.value === value ? draft.text : plain}
            onFocus={() => setDraft({ text: percent ? plain : writeDecimal(value, mark), value })}
            onBlur={() => {
              setDraft(null);
              closeStep();
            }}
            onChange={(event) => {
              const next = read(event.target.value);
              setDraft({ text: event.target.value, value: next });
              onChange(next);
            }}
          />
          {amount !== null && <span className={styles.amount}>{amount}</span>}
        </div>
      )}
    </Field>
  );
}
