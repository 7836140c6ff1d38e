import { useQuery } from "@tanstack/react-query";
import { Checkbox, SelectField, TextField } from "../../../components/inputs.js";
import { useFormats } from "../../../formats/use-formats.js";
import { businessQuery } from "../../../queries/business.js";
import { useWords } from "../../../words/use-words.js";
import records from "../../records/records.module.css";
import type { DefaultsDraft } from "../draft/line-defaults-draft.js";
import type { ErrorAt } from "./errors-at.js";
import { TiersField } from "./tiers-field.js";

interface Props {
  readonly draft: DefaultsDraft;
  readonly onChange: (changes: Partial<DefaultsDraft>) => void;
  readonly errorAt: ErrorAt;
}

/** Taxes, recurrence and tiers that lines take over from the product or package. */
export function LineDefaultsFields({ draft, onChange, errorAt }: Props) {
  const words = useWords().catalog;
  const { interval, intervalCount, cycles } = draft;
  return (
    <>
      <TaxesField taxes={draft.taxes} error={errorAt("taxes")} onChange={(taxes) => onChange({ taxes })} />
      <div className={records.pair}>
        <SelectField
          label={words.recurring}
          value={interval}
          error={errorAt("recurring.interval")}
          options={(["once", "week", "month", "year"] as const).map((value) => ({
            value,
            label: words.intervals[value],
          }))}
          onChange={(next) => onChange({ interval: next })}
        />
        {interval !== "once" && (
          <>
            <TextField
              label={words.intervalCount(interval)}
              inputMode="numeric"
              value={intervalCount}
              error={errorAt("recurring.intervalCount")}
              onChange={(next) => onChange({ intervalCount: next })}
            />
            <TextField
              label={words.cycles}
              hint={words.cyclesHint}
              inputMode="numeric"
              value={cycles}
              error={errorAt("recurring.cycles")}
              onChange={(next) => onChange({ cycles: next })}
            />
          </>
        )}
      </div>
      <TiersField tiers={draft.tiers} errorAt={errorAt} onChange={(tiers) => onChange({ tiers })} />
    </>
  );
}

interface TaxesProps {
  readonly taxes: readonly string[] | null;
  readonly error: string | null;
  readonly onChange: (taxes: readonly string[] | null) => void;
}

/** Which of the named taxes of the business apply; without named ones there is nothing to choose. */
function TaxesField({ taxes, error, onChange }: TaxesProps) {
  const words = useWords().catalog;
  const formats = useFormats();
  const named = useQuery(businessQuery).data?.taxes ?? [];
  if (named.length === 0 && taxes === null) return null;
  const first = named.find((tax) => tax.default) ?? named[0];
  const kind = taxes === null ? "budget" : taxes.length === 0 ? "exempt" : "own";
  return (
    <div className={records.form}>
      <SelectField
        label={words.taxes}
        value={kind}
        error={error}
        options={(["budget", "exempt", "own"] as const)
          .filter((value) => value !== "own" || first !== undefined || kind === "own")
          .map((value) => ({ value, label: words.taxKinds[value] }))}
        onChange={(next) => onChange(next === "budget" ? null : next === "exempt" ? [] : first ? [first.id] : [])}
      />
      {kind === "own" &&
        named.map(({ id, name, rate }) => (
          <Checkbox
            key={id}
            label={`${name} ${formats.percent(rate)}`}
            checked={taxes?.includes(id) ?? false}
            onChange={(isOn) => onChange(isOn ? [...(taxes ?? []), id] : (taxes ?? []).filter((each) => each !== id))}
          />
        ))}
    </div>
  );
}
