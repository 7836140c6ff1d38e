import styles from "./key.module.css";

/** A key of the keyboard. Screen readers learn it from `aria-keyshortcuts` of what it does. */
export function Key({ children }: { readonly children: string }) {
  return (
    <span className={styles.key} aria-hidden="true">
      {children}
    </span>
  );
}
