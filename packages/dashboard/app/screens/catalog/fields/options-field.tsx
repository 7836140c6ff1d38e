import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../../components/button.js";
import { TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import records from "../../records/records.module.css";
import { newKey } from "../draft/line-defaults-draft.js";
import type { OptionDraft } from "../draft/product-draft.js";
import type { ErrorAt } from "./errors-at.js";

interface Props {
  readonly options: readonly OptionDraft[];
  readonly onChange: (options: readonly OptionDraft[]) => void;
  readonly errorAt: ErrorAt;
}

/** The properties in which the variants of a product differ: colour, size. */
export function OptionsField({ options, onChange, errorAt }: Props) {
  const words = useWords().catalog;
  const change = (key: string, changes: Partial<OptionDraft>) =>
    onChange(options.map((option) => (option.key === key ? { ...option, ...changes } : option)));
  return (
    <fieldset className={records.group}>
      <legend>{words.options}</legend>
      {options.map((option, index) => (
        <div key={option.key} className={records.row}>
          <TextField
            label={words.optionName}
            required
            maxLength={64}
            value={option.name}
            error={errorAt(`options[${index}].name`)}
            onChange={(name) => change(option.key, { name })}
          />
          <TextField
            label={words.optionValues}
            required
            value={option.values}
            error={errorAt(`options[${index}].values`)}
            onChange={(values) => change(option.key, { values })}
          />
          <IconButton
            icon={Trash2}
            label={words.removeOption(index + 1)}
            onClick={() => onChange(options.filter(({ key }) => key !== option.key))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={Plus}
          onClick={() => onChange([...options, { key: newKey(), name: "", values: "" }])}
        >
          {words.addOption}
        </Button>
      </div>
    </fieldset>
  );
}
