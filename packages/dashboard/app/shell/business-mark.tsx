import styles from "./sidebar.module.css";

interface Props {
  readonly name: string;
  readonly color: string | null;
}

/** The first letter of the business on its colour. */
export function BusinessMark({ name, color }: Props) {
  return (
    <span className={styles.mark} style={color === null ? {} : { background: color }} aria-hidden="true">
      {name.trim()[0]?.toUpperCase() ?? ""}
    </span>
  );
}
