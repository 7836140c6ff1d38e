import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../formats/use-formats.js";
import { figuresQuery } from "../queries/figures.js";
import styles from "./sidebar.module.css";

/** How many budgets wait for an answer. */
export function SectionCount() {
  const { data } = useQuery({ ...figuresQuery, select: ({ budgets }) => budgets.byStatus.PENDING });
  const formats = useFormats();
  return data === undefined || data === 0 ? null : <span className={styles.count}>{formats.number(data)}</span>;
}
