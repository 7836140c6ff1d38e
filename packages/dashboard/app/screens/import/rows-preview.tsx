import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./import.module.css";
import type { ImportValue } from "./import-kind.js";
import type { ColumnMapping } from "./match-columns.js";
import type { PlannedRow } from "./plan-rows.js";

interface Props<F extends string, I> {
  /** Fields that are fractions and shown as percents. */
  readonly percents: readonly F[];
  readonly mapping: ColumnMapping<F>;
  readonly labels: Readonly<Record<F, string>>;
  readonly planned: readonly PlannedRow<F, I>[];
}

const SHOWN_ROWS = 5;

/** The first rows as they will be. */
export function RowsPreview<F extends string, I extends { readonly [Field in F]?: ImportValue }>(props: Props<F, I>) {
  const { percents, mapping, labels, planned } = props;
  const words = useWords();
  const texts = words.customers.importing;
  const formats = useFormats();
  const fields = mapping.filter((field) => field !== null);
  const textOf = (field: F, value: ImportValue) => {
    if (value === null || value === undefined) return words.common.none;
    if (typeof value === "boolean") return value ? words.common.yes : words.common.no;
    if (typeof value === "string") return value;
    return percents.includes(field) ? formats.percent(value) : formats.number(value);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className={styles.preview} aria-label={texts.preview} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.rowNumber}</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {labels[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {planned.slice(0, SHOWN_ROWS).map(({ line, input, problems }) => (
            <tr key={line}>
              <th scope="row">{line}</th>
              {fields.map((field) => {
                const problem = problems.get(field);
                return problem === undefined ? (
                  <td key={field}>{textOf(field, input[field])}</td>
                ) : (
                  <td key={field} className={styles.wrong}>
                    {texts.cellProblems[problem]}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
