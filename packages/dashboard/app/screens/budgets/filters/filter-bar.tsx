import { useQuery } from "@tanstack/react-query";
import { ArrowUpDown, Check, Columns3, ListFilter, Search, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.js";
import { Key } from "../../../components/key.js";
import { Menu, type MenuAction } from "../../../components/menu.js";
import { useDebounced } from "../../../components/use-debounced.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useMay } from "../../../session/use-session.js";
import { useShortcut } from "../../../shell/use-shortcut.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";
import type { BudgetsSearch } from "../budgets-search.js";
import { COLUMNS, type Column } from "../list/columns.js";
import { changeSearch } from "./change-search.js";
import { chipsOf } from "./chips.js";
import { customerQuery } from "./customer-query.js";
import { FilterDialog } from "./filter-dialog.js";
import { SORTINGS } from "./sortings.js";

interface Props {
  readonly search: BudgetsSearch;
  readonly onChange: (search: BudgetsSearch) => void;
  readonly columns: readonly Column[];
  readonly onToggleColumn: (column: Column) => void;
}

const TYPING_MS = 300;

/** Search, the filters as chips, order and columns. */
export function FilterBar({ search, onChange, columns, onToggleColumn }: Props) {
  const words = useWords();
  const texts = words.budgets;
  const formats = useFormats();
  const mayReadCustomers = useMay()("READ_CUSTOMERS");
  const [isOpen, setOpen] = useState(false);
  useShortcut(
    "f",
    useCallback(() => setOpen(true), []),
  );
  const { customerId } = search;
  const customer = useQuery({
    ...customerQuery(customerId ?? ""),
    enabled: customerId !== undefined && mayReadCustomers,
  });
  const sorting = SORTINGS.find(
    (each) => each.sort === (search.sort ?? "createdAt") && each.order === (search.order ?? "desc"),
  );
  const choice = (label: string, isOn: boolean, onSelect: () => void): MenuAction =>
    isOn ? { label, icon: Check, onSelect } : { label, onSelect };
  return (
    <div className={styles.bar}>
      <SearchField
        value={search.search ?? ""}
        onChange={(text) => onChange(changeSearch(search, { search: text || null }))}
      />
      {chipsOf(search, customer.data?.name ?? null, words, formats).map(({ field, value, names }) => (
        <span key={field} className={styles.chip}>
          <button type="button" onClick={() => setOpen(true)}>
            {field} <strong>{value}</strong>
          </button>
          <button
            type="button"
            aria-label={texts.removeFilter(field)}
            title={texts.removeFilter(field)}
            onClick={() => onChange(changeSearch(search, Object.fromEntries(names.map((name) => [name, null]))))}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </span>
      ))}
      <Button
        kind="quiet"
        size="small"
        icon={ListFilter}
        shortcut="F"
        aria-keyshortcuts="f"
        onClick={() => setOpen(true)}
      >
        {texts.filter}
      </Button>
      <div className={styles.barEnd}>
        <Menu
          groups={[
            SORTINGS.map((each) =>
              choice(texts.sortings[each.name], each === sorting, () =>
                onChange(
                  changeSearch(search, {
                    sort: each.sort === "createdAt" ? null : each.sort,
                    order: each.order === "desc" ? null : each.order,
                  }),
                ),
              ),
            ),
          ]}
          trigger={
            <Button kind="quiet" size="small" icon={ArrowUpDown}>
              {texts.sortings[sorting?.name ?? "newest"]}
            </Button>
          }
        />
        <span className={styles.wideOnly}>
          <Menu
            groups={[
              COLUMNS.map((column) =>
                choice(texts.columns[column], columns.includes(column), () => onToggleColumn(column)),
              ),
            ]}
            trigger={
              <Button kind="quiet" size="small" icon={Columns3}>
                {texts.chooseColumns}
              </Button>
            }
          />
        </span>
      </div>
      {isOpen && <FilterDialog search={search} onChange={onChange} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface SearchProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Follows the address where that changes by something else than typing. */
function SearchField({ value, onChange }: SearchProps) {
  const words = useWords().budgets;
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const settled = useDebounced(text, TYPING_MS);
  const field = useRef<HTMLInputElement>(null);
  useShortcut(
    "/",
    useCallback(() => field.current?.focus(), []),
  );
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing alone changes the address
  useEffect(() => {
    const next = settled.trim();
    if (settled !== text || next === sent.current) return;
    sent.current = next;
    onChange(next);
  }, [settled]);
  return (
    <label className={styles.search}>
      <Search size={16} aria-hidden="true" />
      <span className="visually-hidden">{words.searchLabel}</span>
      <input
        ref={field}
        type="search"
        value={text}
        maxLength={200}
        placeholder={words.searchHint}
        aria-keyshortcuts="/"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") field.current?.blur();
        }}
      />
      <Key>/</Key>
    </label>
  );
}
