import { useWords } from "../../../words/use-words.js";
import { isDecimal } from "../document/decimals.js";
import type { EditedTax } from "../document/edited-budget.js";
import type { Line } from "../document/line.js";
import { rateOf } from "../document/to-body.js";
import { useEditorTools } from "../editor-context.js";
import styles from "./line-tags.module.css";

interface Props {
  readonly line: Line;
  readonly taxes: readonly EditedTax[]; // of the budget
  readonly label: string;
  readonly problemId: string | undefined;
}

/** The taxes of a line, as a button that opens them. */
export function TaxesCell({ line, taxes, label, problemId }: Props) {
  const words = useWords().editor;
  const nameOf = useTaxName();
  const { openDialog } = useEditorTools();
  const shown = line.taxes === null ? taxes : taxes.filter(({ id }) => line.taxes?.includes(id));
  const text = shown.length === 0 ? words.noTax : shown.map(nameOf).join(", ");
  return (
    <button
      type="button"
      data-cell={`${line.key}:taxes`}
      aria-label={`${label}: ${text}`}
      aria-invalid={problemId === undefined ? undefined : true}
      aria-describedby={problemId}
      title={text}
      className={styles.tag}
      onClick={() => openDialog(line.key, "taxes")}
    >
      {shown.length > 1 ? words.taxCount(shown.length) : text}
    </button>
  );
}

/** A tax as people call it: `IVA 21%`. A name that has its rate already stays as it is. */
export function useTaxName(): (tax: EditedTax) => string {
  const { formats } = useEditorTools();
  return ({ name, rate }) => {
    const percent = isDecimal(rate) ? formats.percent(rateOf(rate)) : `${rate}%`;
    return name.includes("%") ? name : `${name} ${percent}`;
  };
}
