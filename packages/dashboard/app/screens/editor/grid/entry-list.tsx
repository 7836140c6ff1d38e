import { type KeyboardEvent, type RefObject, useLayoutEffect } from "react";
import { useWords } from "../../../words/use-words.js";
import { optionId, Suggestions } from "./suggestions.js";
import { type EntryUse, useEntry } from "./use-entry.js";

/** What the field of the list calls. */
export interface EntryControl {
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly openCatalog: () => void;
}

interface Props extends EntryUse {
  readonly listId: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly control: RefObject<EntryControl | null>;
  /** The id of the active option; empty = none, null = the list is closed. */
  readonly onActive: (option: string | null) => void;
}

/** The list below the one cell that is written: it looks things up, which 500 cells at once should not. */
export function EntryList({ listId, anchor, control, onActive, ...use }: Props) {
  const words = useWords().editor;
  const entry = useEntry(use);
  const active = entry.isShown ? (optionId(listId, entry.active) ?? "") : null;
  useLayoutEffect(() => {
    control.current = { onKeyDown: entry.onKeyDown, openCatalog: entry.openCatalog };
  });
  useLayoutEffect(() => {
    onActive(active);
    return () => onActive(null);
  }, [active, onActive]);
  if (!entry.isShown) return null;
  return (
    <Suggestions
      id={listId}
      label={words.suggestions}
      anchor={anchor}
      options={entry.options}
      active={entry.active}
      note={entry.note}
    />
  );
}
