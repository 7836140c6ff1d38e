import { Heading, ListChecks, Package, Sigma, Type } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../../words/use-words.js";
import type { CatalogEntry } from "../catalog/catalog-entries.js";
import { useCatalog } from "../catalog/use-catalog.js";
import type { LineKind } from "../document/line.js";
import { useEditorTools } from "../editor-context.js";
import type { Suggestion } from "./suggestions.js";
import { useSuggestionKeys } from "./use-suggestion-keys.js";

export interface EntryUse {
  readonly text: string;
  /** Whether names of the catalog are offered while the text is typed. */
  readonly isOpen: boolean;
  readonly onKind: (kind: Exclude<LineKind, "item">) => void;
  readonly onEntry: (entry: CatalogEntry) => void;
  /** The text is only what was looked up: `/` and what follows. */
  readonly clear: () => void;
}

const KINDS = [
  { kind: "choice", icon: ListChecks },
  { kind: "heading", icon: Heading },
  { kind: "text", icon: Type },
  { kind: "subtotal", icon: Sigma },
] as const;

const SHORTEST = 2;

/** What may be put in place of a text: after a slash the kinds of lines, else names of the catalog. */
export function useEntry({ text, isOpen, onKind, onEntry, clear }: EntryUse) {
  const words = useWords().editor;
  const { currency, formats } = useEditorTools();
  const [isCatalog, setCatalog] = useState(false);
  const [closedFor, setClosedFor] = useState<string | null>(null); // the text for which Escape closed the list
  const isSlash = text.startsWith("/") && !isCatalog;
  const isClosed = closedFor === text;
  const sought =
    isClosed || !isOpen || isSlash ? null : isCatalog ? text : text.trim().length >= SHORTEST ? text.trim() : null;
  const { entries, isLoading } = useCatalog(sought, currency);
  const typed = text.slice(1).trim().toLocaleLowerCase();
  const close = () => {
    setCatalog(false);
    setClosedFor(text);
  };

  const kinds: Suggestion[] = [
    ...KINDS.map(({ kind, icon }) => ({
      id: kind,
      icon,
      label: words.kinds[kind],
      detail: words.kindDetails[kind],
      pick: () => onKind(kind),
    })),
    {
      id: "catalog",
      icon: Package,
      label: words.fromCatalog,
      pick: () => {
        clear();
        setCatalog(true);
      },
    },
  ].filter(({ label, id }) => label.toLocaleLowerCase().includes(typed) || id.startsWith(typed));

  const products: Suggestion[] = entries.map((entry) => ({
    id: entry.id,
    icon: Package,
    label: entry.name,
    detail: entry.detail,
    end: entry.price === null ? undefined : formats.moneyText(entry.price, entry.currency),
    pick: () => {
      setCatalog(false);
      onEntry(entry);
    },
  }));

  const isShown = isOpen && !isClosed && (isSlash || isCatalog || (sought !== null && products.length > 0));
  const options = isSlash ? kinds : products;
  const keys = useSuggestionKeys(isShown ? options : null, isSlash || isCatalog ? 0 : -1, close);
  const note = isSlash || products.length > 0 ? null : isLoading ? words.searching : words.nothingInCatalog;
  return {
    isShown,
    options,
    note: isShown ? note : null,
    active: keys.active,
    onKeyDown: keys.onKeyDown,
    openCatalog: () => {
      setClosedFor(null);
      setCatalog(true);
    },
    close,
  };
}
