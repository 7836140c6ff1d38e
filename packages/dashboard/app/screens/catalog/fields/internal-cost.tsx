import { Lock } from "lucide-react";
import { TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import records from "../../records/records.module.css";

interface Props {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

/** What a unit costs the business: a lock says that no customer sees it. */
export function InternalCost({ value, error, onChange }: Props) {
  const words = useWords().catalog;
  return (
    <TextField
      label={words.unitCost}
      inputMode="decimal"
      value={value}
      error={error}
      onChange={onChange}
      hint={
        <span className={records.secret}>
          <Lock size={13} aria-hidden="true" /> {words.internal}
        </span>
      }
    />
  );
}
