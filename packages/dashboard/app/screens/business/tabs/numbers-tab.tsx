import { Button } from "../../../components/button.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { FormGroup } from "../form/form-group.js";
import { NumberPatternField } from "../form/number-pattern-field.js";
import type { BusinessForm } from "../form/use-business-form.js";

const PIECES = ["{year}", "{month}", "{seq}", "{seq:4}"] as const;

export function NumbersTab({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const { numberPattern } = form.profile;
  return (
    <FormGroup title={words.numbers} note={words.numbersNote} columns="one">
      <NumberPatternField form={form} />
      {!form.isReadOnly && (
        <div className={styles.chips}>
          <span className={styles.note}>{words.pieces}</span>
          {PIECES.map((piece) => (
            <Button key={piece} size="small" onClick={() => form.set("numberPattern", numberPattern + piece)}>
              {piece}
            </Button>
          ))}
        </div>
      )}
      <p className={styles.note}>{words.piecesNote}</p>
    </FormGroup>
  );
}
