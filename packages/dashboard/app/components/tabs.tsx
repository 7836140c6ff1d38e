import type { ReactNode } from "react";
import styles from "./tabs.module.css";

interface TabsProps {
  readonly label: string;
  /** Links that switch the subject: `<Link to=… className={tabClass(isActive)} aria-current={…}>`. */
  readonly children: ReactNode;
}

export function Tabs({ label, children }: TabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

/** For a link within Tabs; the router marks the active one with `aria-current`. */
export const tabClass = styles.tab;

export function Count({ children }: { readonly children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: ReactNode }[];
  readonly onChange: (value: T) => void;
}

/** Switches the view of the same subject. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <fieldset className={styles.segmented}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
