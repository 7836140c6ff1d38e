import { useState } from "react";
import { TextField } from "../../../components/inputs.js";
import { readDecimal, writeDecimal } from "../document/decimals.js";
import { useEditorTools } from "../editor-context.js";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly error?: string | null;
  readonly onChange: (value: string) => void;
}

/** A number in a dialog: a plain decimal for the document, written as the language writes it. */
export function FigureField({ label, value, onChange, hint, error = null }: Props) {
  const { mark } = useEditorTools();
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string } | null>(null);
  const text = typed !== null && typed.value === value ? typed.text : writeDecimal(value, mark);
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(next) => {
        const read = readDecimal(next.trim(), mark) ?? next.trim();
        setTyped({ text: next, value: read });
        onChange(read);
      }}
    />
  );
}
