import { useWords } from "../../words/use-words.js";
import type { ShownChange } from "./changes-of.js";
import styles from "./events.module.css";

/** Each field that changed, before and after. */
export function ChangeList({ changes }: { readonly changes: readonly ShownChange[] }) {
  const words = useWords().events;
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes} aria-label={words.changes}>
      {changes.map(({ field, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
        <li key={index}>
          <code>{field}</code>{" "}
          {before === null
            ? words.set(after ?? words.nothing)
            : after === null
              ? words.cleared(before)
              : words.changed(before, after)}
        </li>
      ))}
    </ul>
  );
}
