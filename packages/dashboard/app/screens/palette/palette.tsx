import type { BudgetEntry } from "@budgetkit/client";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Key } from "../../components/key.js";
import { useDebounced } from "../../components/use-debounced.js";
import { useWords } from "../../words/use-words.js";
import { ExtendBudget } from "./extend-budget.js";
import styles from "./palette.module.css";
import type { PaletteItem } from "./palette-item.js";
import { optionId, PaletteList } from "./palette-list.js";
import { useFound } from "./use-found.js";
import { useGroups } from "./use-groups.js";

const TYPING_MS = 200;

/** Finds, and offers the actions of what it found. The focus stays in the field; arrows move through the list. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const texts = words.palette;
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [activeId, setActiveId] = useState<string | null>(null);
  const [opened, setOpened] = useState<string | null>(null); // the budget whose actions are listed
  const [extended, setExtended] = useState<BudgetEntry | null>(null);
  const search = useDebounced(text.trim(), TYPING_MS);
  const found = useFound(search);
  const groups = useGroups(text.trim(), search, found, opened, setExtended);
  const items = groups.flatMap(({ items }) => items);
  const active = items.find(({ id }) => id === activeId) ?? items[opened === null ? 0 : 1];
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const choose = (item: PaletteItem) => {
    if (item.staysOpen !== true) onClose();
    item.onSelect();
  };
  const move = (by: number) => {
    const at = active === undefined ? -1 : items.indexOf(active);
    setActiveId(items.at((at + by + items.length) % items.length)?.id ?? null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { selectionStart, value } = event.currentTarget;
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && active !== undefined) choose(active);
    else if (event.key === "ArrowRight" && active?.budget !== undefined && selectionStart === value.length) {
      setOpened(active.budget.id);
      setActiveId(null);
    } else if (event.key === "ArrowLeft" && opened !== null && selectionStart === value.length) setOpened(null);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={words.shell.find}
      onCancel={(event) => {
        event.preventDefault();
        if (opened === null) onClose();
        else setOpened(null);
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={() => {}}
    >
      <div className={styles.field}>
        <Search size={18} aria-hidden="true" />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : optionId(listId, active)}
          aria-label={words.shell.find}
          placeholder={texts.hint}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveId(null);
            setOpened(null);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={styles.leave} onClick={onClose} aria-label={`${words.common.close} (esc)`}>
          <Key>esc</Key>
          <span className={styles.touch}>{words.common.close}</span>
        </button>
      </div>
      <PaletteList
        listId={listId}
        groups={groups}
        search={text.trim()}
        active={active}
        onPoint={setActiveId}
        onChoose={choose}
      />
      <p className={styles.status} role="status">
        {items.length === 0 && !found.isFetching && search === text.trim() ? texts.nothing : ""}
        <span className="visually-hidden">{found.isFetching ? "" : texts.count(items.length)}</span>
      </p>
      <footer className={styles.foot} aria-hidden="true">
        <span>
          <Key>↑</Key> <Key>↓</Key> {texts.move}
        </span>
        <span>
          <Key>↵</Key> {texts.open}
        </span>
        <span>
          <Key>→</Key> {texts.actions}
        </span>
      </footer>
      {extended !== null && <ExtendBudget budget={extended} onClose={() => setExtended(null)} onDone={onClose} />}
    </dialog>
  );
}
