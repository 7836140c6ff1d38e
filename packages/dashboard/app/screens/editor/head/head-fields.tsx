import { lazy, Suspense, useState } from "react";
import { Button } from "../../../components/button.js";
import { Field } from "../../../components/field.js";
import { TextField } from "../../../components/inputs.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import {
  type EditedBudget,
  type Head,
  pricesContainTaxes,
  withContainedTaxes,
  withHead,
} from "../document/edited-budget.js";
import type { PricedBudget } from "../document/figures.js";
import { useEditorTools } from "../editor-context.js";
import { useTaxName } from "../grid/taxes-cell.js";
import { CustomerField } from "./customer-field.js";
import styles from "./head.module.css";
import { ShareField } from "./share-field.js";

const NewCustomer = lazy(() => import("./new-customer.js").then(({ NewCustomer }) => ({ default: NewCustomer })));
const TaxesDialog = lazy(() =>
  import("../dialogs/taxes-dialog.js").then(({ TaxesDialog }) => ({ default: TaxesDialog })),
);

interface Props {
  readonly budget: EditedBudget;
  readonly priced: PricedBudget;
  /** The customer and the currency of a saved budget stay. */
  readonly isSaved: boolean;
  readonly errorOf: (field: keyof Head) => string | null;
}

export function HeadFields({ budget, priced, isSaved, errorOf }: Props) {
  const words = useWords().editor;
  const formats = useFormats();
  const { change } = useEditorTools();
  const nameOf = useTaxName();
  const [newName, setNewName] = useState<string | null>(null);
  const [isTaxing, setTaxing] = useState(false);
  const { head } = budget;
  const write = (changes: Partial<Head>) => change((now) => withHead(now, changes), Object.keys(changes).join(" "));
  const minimum = priced.figures?.minimumPaymentToConfirm;
  const hasTaxes = head.taxes.length > 0 || (head.taxRate !== "" && head.taxRate !== "0");
  const moneyOf = (amount: number) => {
    const { whole, minor } = formats.money(amount, head.currency);
    return `${whole}${minor}`;
  };
  return (
    <div className={`${styles.head} ${isSaved ? "" : styles.withCurrency}`}>
      <CustomerField
        customer={head.customer}
        isFixed={isSaved}
        error={errorOf("customer")}
        onChoose={(customer) => write({ customer })}
        onCreate={setNewName}
      />
      {!isSaved && (
        <TextField
          label={words.headFields.currency}
          value={head.currency}
          maxLength={3}
          data-field="currency"
          autoCapitalize="characters"
          error={errorOf("currency")}
          onChange={(currency) => write({ currency: currency.toUpperCase() })}
        />
      )}
      <TextField
        label={words.headFields.validUntil}
        type="date"
        data-field="validUntil"
        value={head.validUntil}
        error={errorOf("validUntil")}
        onChange={(validUntil) => write({ validUntil })}
      />
      <ShareField
        label={words.headFields.deposit}
        field="deposit"
        value={head.deposit}
        placeholder={words.depositPlaceholder}
        isPercentAllowed
        amount={head.deposit.endsWith("%") && minimum !== undefined ? moneyOf(minimum) : null}
        error={errorOf("deposit")}
        onChange={(deposit) => write({ deposit })}
      />
      <Field label={words.headFields.prices} error={errorOf("taxes") ?? errorOf("taxRate")}>
        {({ id, ...control }) => (
          <div className={styles.taxes}>
            <label className={styles.contain}>
              <input
                {...control}
                id={id}
                type="checkbox"
                role="switch"
                className={styles.switch}
                aria-checked={pricesContainTaxes(head)}
                checked={pricesContainTaxes(head)}
                disabled={!hasTaxes}
                onChange={(event) => {
                  const isOn = event.target.checked;
                  change((now) => withContainedTaxes(now, isOn, words.taxName));
                }}
              />
              {words.containTaxes}
            </label>
            <Button kind="quiet" size="small" data-field="taxes" onClick={() => setTaxing(true)}>
              {hasTaxes ? taxText() : words.addTaxes}
            </Button>
          </div>
        )}
      </Field>
      <Suspense fallback={null}>
        {newName !== null && (
          <NewCustomer
            name={newName}
            onClose={() => setNewName(null)}
            onCreate={(customer) => {
              write({ customer });
              setNewName(null);
            }}
          />
        )}
        {isTaxing && <TaxesDialog budget={budget} onClose={() => setTaxing(false)} />}
      </Suspense>
    </div>
  );

  function taxText(): string {
    const [first] = head.taxes;
    if (first === undefined) return `${head.taxRate}%`;
    return head.taxes.length === 1 ? nameOf(first) : words.taxCount(head.taxes.length);
  }
}
