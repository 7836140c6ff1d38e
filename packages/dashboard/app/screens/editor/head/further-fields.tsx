import { TextArea, TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import { type Head, withHead } from "../document/edited-budget.js";
import { useEditorTools } from "../editor-context.js";
import styles from "./head.module.css";
import { ShareField } from "./share-field.js";

interface Props {
  readonly head: Head;
  readonly businessTerms: string | null;
  readonly errorOf: (field: keyof Head) => string | null;
}

const MAX_NOTES = 10_000;

/** What stands below the lines: the discount of the whole budget, notes, terms, where to pay. */
export function FurtherFields({ head, businessTerms, errorOf }: Props) {
  const words = useWords().editor;
  const { change, closeStep } = useEditorTools();
  const write = (changes: Partial<Head>) => change((now) => withHead(now, changes), Object.keys(changes).join(" "));
  return (
    <section className={styles.further} aria-label={words.further}>
      <ShareField
        label={words.headFields.discount}
        field="discount"
        value={head.discount}
        placeholder={words.discountPlaceholder}
        isPercentAllowed={false}
        amount={null}
        error={errorOf("discount")}
        onChange={(discount) => write({ discount })}
      />
      <TextField
        label={words.headFields.paymentUrl}
        type="url"
        data-field="paymentUrl"
        placeholder="https://"
        value={head.paymentUrl}
        error={errorOf("paymentUrl")}
        onBlur={closeStep}
        onChange={(paymentUrl) => write({ paymentUrl })}
      />
      <TextArea
        label={words.headFields.notes}
        data-field="notes"
        maxLength={MAX_NOTES}
        dir="auto"
        value={head.notes}
        error={errorOf("notes")}
        onBlur={closeStep}
        onChange={(notes) => write({ notes })}
      />
      <TextArea
        label={words.headFields.terms}
        data-field="terms"
        maxLength={MAX_NOTES}
        dir="auto"
        placeholder={businessTerms?.slice(0, 200) ?? words.termsPlaceholder}
        hint={businessTerms === null ? undefined : words.termsHint}
        value={head.terms}
        error={errorOf("terms")}
        onBlur={closeStep}
        onChange={(terms) => write({ terms })}
      />
    </section>
  );
}
