import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../../components/button.js";
import { TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import records from "../../records/records.module.css";
import { newKey, type TierDraft } from "../draft/line-defaults-draft.js";
import type { ErrorAt } from "./errors-at.js";

interface Props {
  readonly tiers: readonly TierDraft[];
  readonly onChange: (tiers: readonly TierDraft[]) => void;
  readonly errorAt: ErrorAt;
  /** Of the product or variant, with a dot at its end. */
  readonly path?: string;
}

/** The price of a unit by quantity. */
export function TiersField({ tiers, onChange, errorAt, path = "" }: Props) {
  const words = useWords().catalog;
  const change = (key: string, changes: Partial<TierDraft>) =>
    onChange(tiers.map((tier) => (tier.key === key ? { ...tier, ...changes } : tier)));
  return (
    <fieldset className={records.group}>
      <legend>{words.tiers}</legend>
      {tiers.map((tier, index) => (
        <div key={tier.key} className={records.row}>
          <TextField
            label={words.tierFrom}
            inputMode="decimal"
            value={tier.from}
            error={errorAt(`${path}priceTiers[${index}].from`)}
            onChange={(from) => change(tier.key, { from })}
          />
          <TextField
            label={words.tierPrice}
            inputMode="decimal"
            value={tier.unitPrice}
            error={errorAt(`${path}priceTiers[${index}].unitPrice`)}
            onChange={(unitPrice) => change(tier.key, { unitPrice })}
          />
          <IconButton
            icon={Trash2}
            label={words.removeTier(index + 1)}
            onClick={() => onChange(tiers.filter(({ key }) => key !== tier.key))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={Plus}
          onClick={() => onChange([...tiers, { key: newKey(), from: "", unitPrice: "" }])}
        >
          {words.addTier}
        </Button>
      </div>
    </fieldset>
  );
}
