import { Ellipsis, GripVertical } from "lucide-react";
import { memo, useRef } from "react";
import { IconButton } from "../../../components/button.js";
import { useWords } from "../../../words/use-words.js";
import type { EditedTax } from "../document/edited-budget.js";
import type { LineFigures } from "../document/figures.js";
import { isSelectable, type Line } from "../document/line.js";
import { selectLine, setFields } from "../document/line-operations.js";
import type { FieldProblem } from "../document/problems.js";
import { sameValue } from "../document/same-value.js";
import { shownAmount } from "../document/sections.js";
import { type Column, useEditorTools } from "../editor-context.js";
import { useProblemText } from "../problem-text.js";
import { DescriptionCell } from "./description-cell.js";
import { FigureCell, joinQuantity, splitQuantity } from "./figure-cell.js";
import styles from "./grid.module.css";
import { LineTags } from "./line-tags.js";
import { TaxesCell } from "./taxes-cell.js";
import type { RegisterRow } from "./use-row-drag.js";
import { useRowDrag } from "./use-row-drag.js";

export interface LineRowProps {
  readonly line: Line;
  readonly number: number; // counted from 1
  readonly figures: LineFigures | undefined;
  readonly sum: number | undefined; // of a section
  readonly taxes: readonly EditedTax[];
  readonly problems: readonly FieldProblem[];
  /** Of an option: whether one alone can be selected. Of a choice: how many options it has. */
  readonly isSingle: boolean;
  readonly options: number;
  readonly isLastOption: boolean;
  readonly openMenu: (line: string, button: HTMLElement) => void;
  readonly register: RegisterRow;
}

/** A line of the budget, written in place. */
export const LineRow = memo(Row, (before, after) => {
  const { problems, figures, ...rest } = before;
  const { problems: nextProblems, figures: nextFigures, ...next } = after;
  return (
    Object.entries(next).every(([name, value]) => rest[name as keyof typeof rest] === value) &&
    sameValue(problems, nextProblems) &&
    sameValue(figures, nextFigures)
  );
});

function Row(props: LineRowProps) {
  const { line, number, figures, sum, problems, isSingle, options, isLastOption, openMenu, register } = props;
  const { change } = useEditorTools();
  const words = useWords().editor;
  const problemText = useProblemText();
  const row = useRef<HTMLTableRowElement>(null);
  const handle = useRef<HTMLTableCellElement>(null);
  useRowDrag(row, handle, line.key, register);
  const { key, kind, choice, selected } = line;
  const isItem = kind === "item";
  const isOption = isItem && choice !== null;
  const isQuiet = isSelectable(line) && !selected;
  const problemId = `${key} problem`.replaceAll(" ", "-");
  const idFor = (...fields: FieldProblem["field"][]) =>
    problems.some(({ field }) => fields.includes(field)) ? problemId : undefined;
  const labelOf = (column: Column) => words.cellLabel(words.columns[column], number);
  const name = line.description.split("\n")[0] ?? "";
  const write = (field: "unitPrice" | "discount") => (value: string) =>
    change((budget) => setFields(budget, key, { [field]: value }), `${key} ${field}`);
  return (
    <tr
      ref={row}
      data-line={key}
      className={[
        styles.row,
        styles[kind],
        isOption || kind === "choice" ? styles.group : "",
        isLastOption ? styles.last : "",
        isQuiet ? styles.quietRow : "",
      ].join(" ")}
    >
      <td className={styles.handle} ref={handle} title={words.dragHandle}>
        <GripVertical size={14} aria-hidden="true" />
      </td>
      <th scope="row" className={styles.name} colSpan={isItem ? 1 : 5}>
        <div className={`${styles.nameLine} ${isOption ? styles.indented : ""}`}>
          {isSelectable(line) && (
            <input
              type={isOption && isSingle ? "radio" : "checkbox"}
              className={styles.select}
              name={isOption && isSingle ? `choice ${choice}` : undefined}
              checked={selected}
              aria-label={words.selectLine(name)}
              tabIndex={-1}
              onChange={(event) => change((budget) => selectLine(budget, key, event.target.checked))}
            />
          )}
          <DescriptionCell
            line={line}
            label={labelOf("description")}
            problemId={idFor("description", "choice", "minimum", "maximum")}
          >
            <LineTags line={line} options={options} />
          </DescriptionCell>
        </div>
        {problems.length > 0 && (
          <p id={problemId} className={styles.problem}>
            {problems.map((problem) => problemText(problem)).join(" ")}
          </p>
        )}
      </th>
      {isItem && (
        <>
          <td data-name={words.columns.quantity}>
            <FigureCell
              line={key}
              column="quantity"
              kind="quantity"
              label={labelOf("quantity")}
              value={joinQuantity(line.quantity, line.unit)}
              isQuiet={isQuiet}
              problemId={idFor("quantity", "unit", "range")}
              onChange={(value) => change((budget) => setFields(budget, key, splitQuantity(value)), `${key} quantity`)}
            />
          </td>
          <td data-name={words.columns.unitPrice}>
            <FigureCell
              line={key}
              column="unitPrice"
              kind="amount"
              label={labelOf("unitPrice")}
              value={line.unitPrice}
              isQuiet={isQuiet}
              problemId={idFor("unitPrice", "tiers")}
              onChange={write("unitPrice")}
            />
          </td>
          <td data-name={words.columns.discount}>
            <FigureCell
              line={key}
              column="discount"
              kind="share"
              label={labelOf("discount")}
              value={line.discount}
              isQuiet
              problemId={idFor("discount")}
              onChange={write("discount")}
            />
          </td>
          <td>
            <TaxesCell line={line} taxes={props.taxes} label={labelOf("taxes")} problemId={idFor("taxes")} />
          </td>
        </>
      )}
      <td className={styles.total}>
        <LineAmount amount={kind === "heading" ? (sum ?? null) : kind === "choice" ? null : shownAmount(figures)} />
      </td>
      <td className={styles.menu}>
        <IconButton
          icon={Ellipsis}
          label={words.lineActions(number)}
          aria-haspopup="menu"
          onClick={(event) => openMenu(key, event.currentTarget)}
        />
      </td>
    </tr>
  );
}

function LineAmount({ amount }: { readonly amount: number | null }) {
  const { currency, formats } = useEditorTools();
  if (amount === null) return null;
  const { sign, whole, minor } = formats.money(amount, currency);
  return `${sign}${whole}${minor}`;
}
