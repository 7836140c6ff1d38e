import { AddressListField } from "../../components/address-list-field.js";
import { fieldErrorOf } from "../../components/field-errors.js";
import { Checkbox, SelectField, TextField } from "../../components/inputs.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import { type Expiry, type KeyDraft, problemsOf, SCOPES } from "./key-draft.js";
import styles from "./keys.module.css";

interface Props {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  /** Whether what is missing is named already: after the first attempt. */
  readonly isChecked: boolean;
  readonly error: Error | null;
  readonly tierDefault: number;
}

const EXPIRIES: readonly Expiry[] = ["never", "30", "90", "365", "date"];

/** The fields of a key, for a new one and for one that is changed. */
export function KeyForm({ draft, onChange, isChecked, error, tierDefault }: Props) {
  const words = useWords().keys;
  const formats = useFormats();
  const problems = problemsOf(draft);
  const set = (change: Partial<KeyDraft>) => onChange({ ...draft, ...change });
  const errorOf = (isWrong: boolean, sentence: string, field: string) =>
    isChecked && isWrong ? sentence : fieldErrorOf(error, field);
  const scopesError = errorOf(problems.scopes, words.scopesMissing, "scopes");
  return (
    <>
      <TextField
        label={words.name}
        hint={words.nameHint}
        error={errorOf(problems.name, words.nameMissing, "name")}
        maxLength={200}
        autoFocus
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <fieldset className={styles.scopes}>
        <legend>{words.scopes}</legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={words.scopeNames[scope]}
            hint={words.scopeTexts[scope]}
            checked={draft.scopes.includes(scope)}
            onChange={(isChosen) =>
              set({ scopes: SCOPES.filter((each) => (each === scope ? isChosen : draft.scopes.includes(each))) })
            }
          />
        ))}
        {scopesError !== null && (
          <p role="alert" className={styles.wrong}>
            {scopesError}
          </p>
        )}
      </fieldset>
      <div className={styles.pair}>
        <SelectField
          label={words.expiry}
          value={draft.expiry}
          options={EXPIRIES.map((value) => ({ value, label: words.expiries[value] }))}
          onChange={(expiry) => set({ expiry })}
        />
        {draft.expiry === "date" && (
          <TextField
            label={words.expiryDate}
            type="date"
            error={errorOf(problems.expiryDate, words.expiryMissing, "expiresAt")}
            value={draft.expiryDate}
            onChange={(expiryDate) => set({ expiryDate })}
          />
        )}
      </div>
      <details className={styles.more} open={draft.addresses !== "" || draft.limit !== "" || draft.webhookUrl !== ""}>
        <summary>{words.moreSettings}</summary>
        <div className={styles.fields}>
          <TextField
            label={words.limit}
            hint={words.limitHint(formats.number(tierDefault))}
            inputMode="numeric"
            error={problems.limit ? words.limitWrong : fieldErrorOf(error, "rateLimitPerHour")}
            value={draft.limit}
            onChange={(limit) => set({ limit: limit.trim() })}
          />
          <AddressListField
            label={words.addresses}
            hint={words.addressesHint}
            value={draft.addresses}
            onChange={(addresses) => set({ addresses })}
          />
          <TextField
            label={words.webhookUrl}
            hint={words.webhookUrlHint}
            type="url"
            error={fieldErrorOf(error, "webhookUrl")}
            value={draft.webhookUrl}
            onChange={(webhookUrl) => set({ webhookUrl })}
          />
          <TextField
            label={words.description}
            maxLength={1000}
            value={draft.description}
            onChange={(description) => set({ description })}
          />
        </div>
      </details>
    </>
  );
}

/** Those that the form shows an error at. */
export const KEY_FIELDS = ["name", "scopes", "expiresAt", "rateLimitPerHour", "webhookUrl"];
