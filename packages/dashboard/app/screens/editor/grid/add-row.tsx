import { useId, useRef, useState } from "react";
import { Key } from "../../../components/key.js";
import { altKey, modKey } from "../../../shell/mod-key.js";
import { useWords } from "../../../words/use-words.js";
import { newKey, newLine } from "../document/line.js";
import { insertLines, MAX_LINES } from "../document/line-operations.js";
import { MAX_DESCRIPTION } from "../document/problems.js";
import { useEditorTools } from "../editor-context.js";
import styles from "./add-row.module.css";
import { ADD_ROW } from "./grid-cells.js";
import { optionId, Suggestions } from "./suggestions.js";
import { takeEntry } from "./take-entry.js";
import { useEntry } from "./use-entry.js";

/** The last row: what is typed becomes a line, a slash offers the kinds of lines, a name finds the catalog. */
export function AddRow({ count }: { readonly count: number }) {
  const tools = useEditorTools();
  const words = useWords().editor;
  const anchor = useRef<HTMLDivElement>(null);
  const listId = useId();
  const hintId = useId();
  const [text, setText] = useState("");
  const [isFocused, setFocused] = useState(false);
  const isFull = count >= MAX_LINES;
  const entry = useEntry({
    text,
    isOpen: isFocused && !isFull,
    clear: () => setText(""),
    onKind: (kind) => {
      const line = newLine(newKey(), kind, kind === "choice" ? { choice: newKey() } : {});
      setText("");
      tools.change((budget) => insertLines(budget, budget.lines.length, [line]));
      tools.focusCell(line.key, "description");
    },
    onEntry: (taken) => {
      const line = newLine(newKey(), "item");
      setText("");
      tools.change((budget) =>
        takeEntry(insertLines(budget, budget.lines.length, [line]), line.key, taken, tools.knownTaxes),
      );
      tools.focusCell(line.key, "quantity");
    },
  });
  const addItem = () => {
    const line = newLine(newKey(), "item", { description: text.trim() });
    setText("");
    tools.change((budget) => insertLines(budget, budget.lines.length, [line]));
    tools.focusCell(line.key, text.trim() === "" ? "description" : "quantity");
  };
  if (isFull) return <p className={styles.full}>{words.full(MAX_LINES)}</p>;
  return (
    <div className={styles.row} ref={anchor}>
      <input
        className={styles.input}
        data-cell={`${ADD_ROW}:description`}
        role="combobox"
        aria-label={words.addLine}
        aria-describedby={hintId}
        aria-expanded={entry.isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={entry.isShown ? optionId(listId, entry.active) : undefined}
        autoComplete="off"
        maxLength={MAX_DESCRIPTION}
        placeholder={words.addPlaceholder}
        value={text}
        dir="auto"
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          entry.close();
        }}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (entry.onKeyDown(event) || event.nativeEvent.isComposing) return;
          if (event.key === "p" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            entry.openCatalog();
          } else if (event.key === "Enter" && !event.metaKey && !event.ctrlKey) {
            event.preventDefault();
            addItem();
          }
        }}
      />
      <p className={styles.hints} id={hintId}>
        <span>
          <Key>↵</Key> {words.hints.newLine}
        </span>
        <span>
          <Key>{altKey}</Key> <Key>↑</Key> <Key>↓</Key> {words.hints.move}
        </span>
        <span>
          <Key>{modKey.trim()}</Key> <Key>V</Key> {words.hints.paste}
        </span>
      </p>
      {entry.isShown && (
        <Suggestions
          id={listId}
          label={words.suggestions}
          anchor={anchor}
          options={entry.options}
          active={entry.active}
          note={entry.note}
        />
      )}
    </div>
  );
}
