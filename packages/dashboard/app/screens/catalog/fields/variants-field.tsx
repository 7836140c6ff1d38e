import { Plus, Trash2 } from "lucide-react";
import { Button } from "../../../components/button.js";
import { Checkbox, SelectField, TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import records from "../../records/records.module.css";
import { emptyVariant, type OptionDraft, type VariantDraft, valuesOf } from "../draft/product-draft.js";
import type { ErrorAt } from "./errors-at.js";
import { InternalCost } from "./internal-cost.js";
import { TiersField } from "./tiers-field.js";

interface Props {
  readonly variants: readonly VariantDraft[];
  /** The properties in which variants differ. */
  readonly options: readonly OptionDraft[];
  readonly onChange: (variants: readonly VariantDraft[]) => void;
  readonly errorAt: ErrorAt;
}

export function VariantsField({ variants, options, onChange, errorAt }: Props) {
  const words = useWords().catalog;
  return (
    <fieldset className={records.group}>
      <legend>{words.variants}</legend>
      {variants.map((variant, index) => (
        <VariantFields
          key={variant.key}
          variant={variant}
          number={index + 1}
          options={options}
          errorAt={(field) => errorAt(`variants[${index}].${field}`)}
          onChange={(changes) =>
            onChange(variants.map((each) => (each.key === variant.key ? { ...each, ...changes } : each)))
          }
          onRemove={() => onChange(variants.filter(({ key }) => key !== variant.key))}
        />
      ))}
      <div>
        <Button size="small" icon={Plus} onClick={() => onChange([...variants, emptyVariant()])}>
          {words.addVariant}
        </Button>
      </div>
    </fieldset>
  );
}

interface VariantProps {
  readonly variant: VariantDraft;
  readonly number: number;
  readonly options: readonly OptionDraft[];
  readonly errorAt: ErrorAt;
  readonly onChange: (changes: Partial<VariantDraft>) => void;
  readonly onRemove: () => void;
}

function VariantFields({ variant, number, options, errorAt, onChange, onRemove }: VariantProps) {
  const words = useWords();
  const texts = words.catalog;
  return (
    <fieldset className={records.variant} aria-label={texts.variantNumber(number)}>
      <div className={records.pair}>
        <TextField
          label={texts.name}
          required
          maxLength={255}
          value={variant.name}
          error={errorAt("name")}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          label={texts.sku}
          maxLength={64}
          value={variant.sku}
          error={errorAt("sku")}
          onChange={(sku) => onChange({ sku })}
        />
      </div>
      <div className={records.pair}>
        <TextField
          label={texts.unitPrice}
          hint={texts.variantPriceHint}
          inputMode="decimal"
          value={variant.unitPrice}
          error={errorAt("unitPrice")}
          onChange={(unitPrice) => onChange({ unitPrice })}
        />
        <InternalCost
          value={variant.unitCost}
          error={errorAt("unitCost")}
          onChange={(unitCost) => onChange({ unitCost })}
        />
      </div>
      {options.length > 0 && (
        <div className={records.pair}>
          {options.map(({ key, name, values }) => (
            <SelectField
              key={key}
              label={name === "" ? texts.option : name}
              value={variant.options[name.trim()] ?? ""}
              error={errorAt(`options.${name.trim()}`)}
              options={choicesOf(values, variant.options[name.trim()] ?? "").map((value) => ({
                value,
                label: value === "" ? words.common.none : value,
              }))}
              onChange={(value) => onChange({ options: { ...variant.options, [name.trim()]: value } })}
            />
          ))}
        </div>
      )}
      <TiersField tiers={variant.tiers} errorAt={errorAt} onChange={(tiers) => onChange({ tiers })} />
      <div className={records.row}>
        <Checkbox label={texts.active} checked={variant.active} onChange={(active) => onChange({ active })} />
        <Button kind="danger" size="small" icon={Trash2} onClick={onRemove}>
          {texts.removeVariant(number)}
        </Button>
      </div>
    </fieldset>
  );
}

/** The values to choose from, with the chosen one where it is none of them any more. */
function choicesOf(values: string, chosen: string): readonly string[] {
  return [...new Set(["", ...valuesOf(values), chosen])];
}
