import { useMemo, useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { Checkbox, SelectField } from "../../components/inputs.js";
import { type DecimalSign, decimalSignOfLocale } from "../../formats/read-number.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./import.module.css";
import type { ImportKind, ImportValue } from "./import-kind.js";
import { matchColumns, withColumn } from "./match-columns.js";
import { decimalOf, type PlannedRow, planRows } from "./plan-rows.js";
import { ProblemList } from "./problem-list.js";
import type { CsvRows } from "./read-csv.js";
import { RowsPreview } from "./rows-preview.js";

interface Props<F extends string, I extends { readonly [Field in F]?: ImportValue }> {
  readonly kind: ImportKind<F, I>;
  readonly title: string;
  readonly labels: Readonly<Record<F, string>>;
  readonly rows: CsvRows;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly onStart: (planned: readonly PlannedRow<F, I>[], header: readonly string[]) => void;
}

const LEFT_OUT = "";

/** What each column is for, and what the rows become by that. */
export function MapStep<F extends string, I extends { readonly [Field in F]?: ImportValue }>(props: Props<F, I>) {
  const { kind, title, labels, rows, onBack, onClose, onStart } = props;
  const words = useWords();
  const texts = words.customers.importing;
  const formats = useFormats();
  const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  const [hasHeader, setHasHeader] = useState(true);
  const [mapping, setMapping] = useState(() =>
    matchColumns(
      Array.from({ length: width }, (_, column) => rows[0]?.[column] ?? ""),
      kind.fields,
    ),
  );
  const [chosenDecimal, setDecimal] = useState<DecimalSign | null>(null);
  const found = useMemo(
    () => decimalOf(rows, mapping, kind.numbers, decimalSignOfLocale(formats.locale)),
    [rows, mapping, kind, formats],
  );
  const decimal = chosenDecimal ?? found;
  const planned = useMemo(
    () => planRows({ kind, rows, hasHeader, mapping, decimal }),
    [kind, rows, hasHeader, mapping, decimal],
  );
  const missing = kind.fields.filter(({ name, isRequired }) => isRequired && !mapping.includes(name));
  const right = planned.filter(({ problems }) => problems.size === 0).length;
  const nameOf = (column: number) => (hasHeader && rows[0]?.[column]) || texts.column(column + 1);
  const header = mapping.map((_, column) => nameOf(column));
  return (
    <Dialog
      title={title}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>{words.common.back}</Button>
          <Button kind="primary" disabled={missing.length > 0 || right === 0} onClick={() => onStart(planned, header)}>
            {texts.start(right)}
          </Button>
        </>
      }
    >
      <div className={styles.step}>
        <div className={styles.options}>
          <Checkbox label={texts.hasHeader} checked={hasHeader} onChange={setHasHeader} />
          {kind.numbers.some((field) => mapping.includes(field)) && (
            <SelectField
              label={texts.decimal}
              value={decimal}
              options={[
                { value: ",", label: texts.decimals.comma },
                { value: ".", label: texts.decimals.point },
              ]}
              onChange={setDecimal}
            />
          )}
        </div>
        <h3 className={styles.heading}>{texts.columns}</h3>
        <ul className={styles.columns}>
          {mapping.map((field, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
            <li key={column}>
              <span className={styles.columnName}>
                <span>{nameOf(column)}</span>
                <span className={styles.hint}>{rows[hasHeader ? 1 : 0]?.[column]}</span>
              </span>
              <SelectField
                label={texts.fieldOf(nameOf(column))}
                hideLabel
                value={field ?? LEFT_OUT}
                options={[
                  { value: LEFT_OUT, label: texts.leftOut },
                  ...kind.fields.map(({ name }) => ({ value: name, label: labels[name] })),
                ]}
                onChange={(next) => setMapping(withColumn(mapping, column, next === LEFT_OUT ? null : next))}
              />
            </li>
          ))}
        </ul>
        {missing.length > 0 ? (
          <p role="alert">{texts.missing(missing.map(({ name }) => labels[name]).join(", "))}</p>
        ) : (
          <>
            <h3 className={styles.heading}>{texts.preview}</h3>
            <RowsPreview percents={kind.percents} mapping={mapping} labels={labels} planned={planned} />
            <p role="status">{texts.summary(right, planned.length - right)}</p>
            <ProblemList
              problems={planned.flatMap(({ line, problems }) =>
                [...problems].map(([field, problem]) => ({
                  line,
                  field: labels[field],
                  text: texts.cellProblems[problem],
                })),
              )}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}
