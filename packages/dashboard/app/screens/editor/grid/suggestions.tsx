import type { LucideIcon } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./suggestions.module.css";

export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly end?: ReactNode;
  readonly icon?: LucideIcon;
  readonly pick: () => void;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly options: readonly Suggestion[];
  readonly active: number; // index; -1 = none
  /** In place of options: that something is loading, or that there are none. */
  readonly note: string | null;
}

const GAP = 4;
const MARGIN = 8;

/** The list below a field that is typed into. The field keeps the focus and names the active option. */
export function Suggestions({ id, label, anchor, options, active, note }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  const count = options.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows the number of options
  useLayoutEffect(() => {
    const put = () => {
      const field = anchor.current?.getBoundingClientRect();
      const height = ref.current?.offsetHeight ?? 0;
      if (field === undefined) return;
      const isBelow = field.bottom + GAP + height + MARGIN <= window.innerHeight || field.top < height + MARGIN;
      const width = ref.current?.offsetWidth ?? 0;
      const left = Math.max(MARGIN, Math.min(field.left, window.innerWidth - width - MARGIN));
      setPlace({ left, top: isBelow ? field.bottom + GAP : field.top - GAP - height });
    };
    put();
    window.addEventListener("scroll", put, true);
    window.addEventListener("resize", put);
    return () => {
      window.removeEventListener("scroll", put, true);
      window.removeEventListener("resize", put);
    };
  }, [anchor, count, note]);
  useEffect(() => {
    ref.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return createPortal(
    <div ref={ref} className={styles.popup} style={place}>
      <div id={id} role="listbox" aria-label={label}>
        {options.map(({ id: option, label: name, detail, end, icon: Icon, pick }, index) => (
          <div
            key={option}
            id={`${id} ${index}`.replaceAll(" ", "-")}
            data-index={index}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={pick}
            onKeyDown={undefined}
          >
            {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
            <span className={styles.name}>{name}</span>
            {detail !== undefined && detail !== "" && <span className={styles.detail}>{detail}</span>}
            {end !== undefined && <span className={styles.end}>{end}</span>}
          </div>
        ))}
      </div>
      {note !== null && (
        <p className={styles.note} role="status">
          {note}
        </p>
      )}
    </div>,
    document.body,
  );
}

/** The id of an option, for `aria-activedescendant` of its field. */
export function optionId(id: string, active: number): string | undefined {
  return active === -1 ? undefined : `${id} ${active}`.replaceAll(" ", "-");
}
