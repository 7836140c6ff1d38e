import { type FormEvent, useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { Checkbox, SelectField, TextField } from "../../../components/inputs.js";
import { useMay } from "../../../session/use-session.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";
import { type BudgetsSearch, STATUSES } from "../budgets-search.js";
import { changeSearch } from "./change-search.js";
import { CustomerChoice } from "./customer-choice.js";

interface Props {
  readonly search: BudgetsSearch;
  readonly onChange: (search: BudgetsSearch) => void;
  readonly onClose: () => void;
}

/** All filters of the list at once. On phones it is a sheet. */
export function FilterDialog({ search, onChange, onClose }: Props) {
  const words = useWords();
  const texts = words.budgets;
  const mayReadCustomers = useMay()("READ_CUSTOMERS");
  const [draft, setDraft] = useState(search);
  const [minTotal, setMinTotal] = useState(draft.minTotal?.toString() ?? "");
  const [maxTotal, setMaxTotal] = useState(draft.maxTotal?.toString() ?? "");
  const [currency, setCurrency] = useState(draft.currency ?? "");
  const change = (changes: Parameters<typeof changeSearch>[1]) => setDraft(changeSearch(draft, changes));
  const minimum = amountOf(minTotal);
  const maximum = amountOf(maxTotal);
  const errors = {
    minTotal: minimum === undefined ? texts.notAnAmount : null,
    maxTotal:
      maximum === undefined
        ? texts.notAnAmount
        : minimum && maximum !== null && minimum > maximum
          ? texts.lessThanFrom
          : null,
    createdBefore:
      draft.createdAfter && draft.createdBefore && draft.createdAfter > draft.createdBefore ? texts.beforeFrom : null,
    currency: currency === "" || /^[A-Za-z]{3}$/.test(currency) ? null : texts.notACurrency,
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (Object.values(errors).some((error) => error !== null)) return;
    onChange(
      changeSearch(draft, {
        minTotal: minimum ?? null,
        maxTotal: maximum ?? null,
        currency: currency === "" ? null : currency.toUpperCase(),
      }),
    );
    onClose();
  };
  const reset = () => {
    const { search: text, sort, order } = search;
    onChange(changeSearch({}, { search: text ?? null, sort: sort ?? null, order: order ?? null }));
    onClose();
  };
  return (
    <Dialog title={texts.filter} onClose={onClose}>
      <form className={styles.form} onSubmit={apply} noValidate>
        <SelectField
          label={texts.chips.status}
          value={draft.status ?? "ANY"}
          options={[
            { value: "ANY" as const, label: texts.anyStatus },
            ...STATUSES.map((status) => ({ value: status, label: words.common.states[status] })),
          ]}
          onChange={(status) => change({ status: status === "ANY" ? null : status, view: null })}
        />
        <Checkbox
          label={texts.withDeleted}
          checked={draft.includeDeleted === true}
          onChange={(isOn) => change({ includeDeleted: isOn ? true : null })}
        />
        {mayReadCustomers && (
          <CustomerChoice value={draft.customerId ?? null} onChange={(customerId) => change({ customerId })} />
        )}
        <div className={styles.pair}>
          <TextField
            label={texts.createdFrom}
            type="date"
            value={draft.createdAfter ?? ""}
            onChange={(day) => change({ createdAfter: day === "" ? null : day })}
          />
          <TextField
            label={texts.createdTo}
            type="date"
            value={draft.createdBefore ?? ""}
            error={errors.createdBefore}
            onChange={(day) => change({ createdBefore: day === "" ? null : day })}
          />
        </div>
        <div className={styles.pair}>
          <TextField
            label={texts.totalFrom}
            inputMode="decimal"
            value={minTotal}
            error={errors.minTotal}
            onChange={setMinTotal}
          />
          <TextField
            label={texts.totalTo}
            inputMode="decimal"
            value={maxTotal}
            error={errors.maxTotal}
            onChange={setMaxTotal}
          />
        </div>
        <TextField
          label={texts.chips.currency}
          value={currency}
          maxLength={3}
          autoCapitalize="characters"
          placeholder="ARS"
          error={errors.currency}
          onChange={setCurrency}
        />
        <div className={styles.formActions}>
          <Button kind="quiet" onClick={reset}>
            {texts.reset}
          </Button>
          <Button kind="primary" type="submit">
            {texts.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Null = none, undefined = no amount. */
function amountOf(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const amount = Number(text.trim().replace(",", "."));
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
