import { type ReactNode, useId, useRef, useState } from "react";
import { useWords } from "../../../words/use-words.js";
import type { CatalogEntry } from "../catalog/catalog-entries.js";
import { type Line, newKey, newLine } from "../document/line.js";
import { setFields } from "../document/line-operations.js";
import { MAX_DESCRIPTION } from "../document/problems.js";
import { useEditorTools } from "../editor-context.js";
import styles from "./cells.module.css";
import { type EntryControl, EntryList } from "./entry-list.js";
import { type EntryKind, replaceLine, takeEntry } from "./take-entry.js";

interface Props {
  readonly line: Line;
  readonly label: string;
  readonly problemId: string | undefined;
  readonly children?: ReactNode;
}

/** The description of a line. In a line without a price, a slash offers kinds of lines and a name the catalog. */
export function DescriptionCell({ line, label, problemId, children }: Props) {
  const tools = useEditorTools();
  const words = useWords().editor;
  const anchor = useRef<HTMLDivElement>(null);
  const [isFocused, setFocused] = useState(false);
  const [active, setActive] = useState<string | null>(null); // of the list; null = it is closed
  const control = useRef<EntryControl | null>(null);
  const listId = useId();
  const { key, description } = line;
  const isNew = line.kind === "item" && line.unitPrice === "" && line.productId === null && line.packageId === null;
  const write = (text: string) =>
    tools.change((budget) => setFields(budget, key, { description: text }), `${key} description`);
  const clear = () => write("");
  const onKind = (kind: EntryKind) => {
    const made = newLine(newKey(), kind, kind === "choice" ? { choice: newKey() } : {});
    tools.change((budget) => replaceLine(budget, key, made));
    tools.focusCell(made.key, "description");
  };
  const onEntry = (taken: CatalogEntry) => {
    tools.change((budget) => takeEntry(budget, key, taken, tools.knownTaxes));
    tools.focusCell(key, "quantity");
  };
  return (
    <div className={styles.description} ref={anchor}>
      <span className={`${styles.grow} ${styles[line.kind]}`} data-text={description || words.placeholders[line.kind]}>
        <textarea
          data-cell={`${key}:description`}
          rows={1}
          aria-label={label}
          aria-invalid={problemId === undefined ? undefined : true}
          aria-describedby={problemId}
          maxLength={MAX_DESCRIPTION}
          placeholder={words.placeholders[line.kind]}
          value={description}
          dir="auto"
          {...(active === null
            ? {}
            : {
                role: "combobox",
                "aria-expanded": true,
                "aria-controls": listId,
                "aria-autocomplete": "list" as const,
                "aria-activedescendant": active === "" ? undefined : active,
              })}
          onFocus={() => setFocused(true)}
          onBlur={() => {
            setFocused(false);
            tools.closeStep();
          }}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (control.current === null || !isNew || control.current.onKeyDown(event)) return;
            if (event.key === "p" && (event.metaKey || event.ctrlKey)) {
              event.preventDefault();
              control.current.openCatalog();
            }
          }}
        />
      </span>
      {children}
      {isFocused && isNew && (
        <EntryList
          listId={listId}
          anchor={anchor}
          control={control}
          onActive={setActive}
          text={description}
          isOpen
          clear={clear}
          onKind={onKind}
          onEntry={onEntry}
        />
      )}
    </div>
  );
}
