import { Search } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useShortcut } from "../shell/use-shortcut.js";
import { Key } from "./key.js";
import styles from "./search-field.module.css";
import { useDebounced } from "./use-debounced.js";

interface Props {
  readonly label: string;
  /** What the address says. */
  readonly value: string;
  /** Called once typing rests. */
  readonly onChange: (text: string) => void;
}

const TYPING_MS = 300;
const LONGEST = 200;

/** Searches a list as it is typed into, and follows the address where that changes by something else. */
export function SearchField({ label, value, onChange }: Props) {
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
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
      <input
        ref={field}
        type="search"
        value={text}
        maxLength={LONGEST}
        placeholder={label}
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
