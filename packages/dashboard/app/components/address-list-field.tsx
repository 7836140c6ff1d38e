import { useWords } from "../words/use-words.js";
import { TextArea } from "./inputs.js";
import { readAddresses } from "./read-addresses.js";

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An allow-list of addresses and ranges, checked while it is written. */
export function AddressListField({ label, hint, value, onChange }: Props) {
  const words = useWords().keys;
  const { wrong, isTooLong } = readAddresses(value);
  const error = wrong !== null ? words.addressWrong(wrong) : isTooLong ? words.addressesTooMany : null;
  return (
    <TextArea label={label} hint={hint} error={error} rows={2} spellCheck={false} value={value} onChange={onChange} />
  );
}
