import { AddressListField } from "../../../components/address-list-field.js";
import { fieldErrorOf } from "../../../components/field-errors.js";
import { Checkbox, TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../webhooks.module.css";
import { EventPicker } from "./event-picker.js";
import { FilterFields } from "./filter-fields.js";
import { FilterMatch } from "./filter-match.js";
import { filterOf, problemsOf, type WebhookDraft } from "./webhook-draft.js";

interface Props {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  /** Whether what is missing is named already: after the first attempt. */
  readonly isChecked: boolean;
  readonly error: Error | null;
}

/** Those that the form shows an error at. */
export const WEBHOOK_FIELDS = ["url", "events", "filter"];

/** The fields of an endpoint, for a new one and for one that is changed. */
export function WebhookForm({ draft, onChange, isChecked, error }: Props) {
  const words = useWords().webhooks;
  const problems = problemsOf(draft);
  const set = (change: Partial<WebhookDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        inputMode="url"
        placeholder="https://"
        autoFocus
        error={isChecked && problems.url ? words.urlWrong : fieldErrorOf(error, "url")}
        value={draft.url}
        onChange={(url) => set({ url })}
      />
      <TextField
        label={words.name}
        hint={words.nameHint}
        maxLength={200}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <EventPicker
        events={draft.events}
        onChange={(events) => set({ events })}
        error={problems.events ? words.eventsMissing : fieldErrorOf(error, "events")}
      />
      <details className={styles.more} open={filterOf(draft) !== null}>
        <summary>{words.filter}</summary>
        <div className={styles.fields}>
          <FilterFields draft={draft} onChange={set} error={error} />
        </div>
      </details>
      <FilterMatch draft={draft} />
      <details className={styles.more} open={draft.isOrdered || draft.addresses !== ""}>
        <summary>{words.moreSettings}</summary>
        <div className={styles.fields}>
          <Checkbox
            label={words.ordered}
            hint={words.orderedHint}
            checked={draft.isOrdered}
            onChange={(isOrdered) => set({ isOrdered })}
          />
          <AddressListField
            label={words.addresses}
            hint={words.addressesHint}
            value={draft.addresses}
            onChange={(addresses) => set({ addresses })}
          />
        </div>
      </details>
    </>
  );
}
