import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { useWords } from "../../../words/use-words.js";
import styles from "./paste-dialog.module.css";
import { PASTED_COLUMNS, type PastedColumn, type PastedRows } from "./pasted-rows.js";

interface Props {
  readonly rows: PastedRows;
  readonly onInsert: (rows: PastedRows) => void;
  readonly onClose: () => void;
}

const SHOWN_ROWS = 6;

/** Shows how the columns of pasted rows were understood, where that is not obvious, and lets people say it. */
export function PasteDialog({ rows, onInsert, onClose }: Props) {
  const words = useWords();
  const texts = words.editor.paste;
  const [columns, setColumns] = useState(rows.columns);
  const choose = (index: number, column: PastedColumn) =>
    setColumns(
      columns.map((each, place) =>
        place === index ? column : each === column && column !== "ignored" ? "ignored" : each,
      ),
    );
  const shown = rows.rows.slice(0, SHOWN_ROWS);
  return (
    <Dialog
      title={texts.title(rows.rows.length)}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button
            kind="primary"
            disabled={!columns.includes("description")}
            onClick={() => onInsert({ ...rows, columns })}
          >
            {texts.insert}
          </Button>
        </>
      }
    >
      <p>{texts.text}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className={styles.scroll} tabIndex={0} aria-label={texts.preview}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no name but its place
                <th key={index} scope="col">
                  <select
                    aria-label={texts.column(index + 1)}
                    value={column}
                    onChange={(event) => choose(index, PASTED_COLUMNS[event.target.selectedIndex] ?? "ignored")}
                  >
                    {PASTED_COLUMNS.map((each) => (
                      <option key={each} value={each}>
                        {texts.columns[each]}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name but its place
              <tr key={index}>
                {columns.map((column, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as its column
                  <td key={place} className={column === "ignored" ? styles.ignored : ""}>
                    {row[place]?.slice(0, 200) ?? ""}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.rows.length > SHOWN_ROWS && <p>{texts.further(rows.rows.length - SHOWN_ROWS)}</p>}
    </Dialog>
  );
}
