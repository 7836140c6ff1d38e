import { fieldErrorOf } from "../../../components/field-errors.js";
import { Checkbox, TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../webhooks.module.css";
import { problemsOf, STATUSES, type WebhookDraft } from "./webhook-draft.js";

interface Props {
  readonly draft: WebhookDraft;
  readonly onChange: (change: Partial<WebhookDraft>) => void;
  readonly error: Error | null;
}

/** Conditions on the data of the events; those left empty ask for nothing. */
export function FilterFields({ draft, onChange, error }: Props) {
  const words = useWords();
  const problems = problemsOf(draft);
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{words.webhooks.onlyStatus}</legend>
        <div className={styles.inline}>
          {STATUSES.map((status) => (
            <Checkbox
              key={status}
              label={words.common.states[status]}
              checked={draft.statuses.includes(status)}
              onChange={(isChosen) =>
                onChange({
                  statuses: STATUSES.filter((each) => (each === status ? isChosen : draft.statuses.includes(each))),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <div className={styles.pair}>
        <TextField
          label={words.webhooks.minimum}
          inputMode="decimal"
          error={problems.minimum ? words.webhooks.minimumWrong : null}
          value={draft.minimum}
          onChange={(minimum) => onChange({ minimum: minimum.trim() })}
        />
        <TextField
          label={words.webhooks.minimumCurrency}
          maxLength={3}
          value={draft.minimumCurrency}
          onChange={(minimumCurrency) => onChange({ minimumCurrency })}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          label={words.webhooks.onlyCurrencies}
          placeholder="USD, ARS"
          error={problems.currencies ? words.webhooks.currenciesWrong : null}
          value={draft.currencies}
          onChange={(currencies) => onChange({ currencies })}
        />
        <TextField
          label={words.webhooks.onlyCustomers}
          value={draft.customers}
          onChange={(customers) => onChange({ customers })}
        />
      </div>
      {fieldErrorOf(error, "filter") !== null && (
        <p role="alert" className={styles.wrong}>
          {fieldErrorOf(error, "filter")}
        </p>
      )}
    </>
  );
}
