import { type ReactNode, useEffect } from "react";
import styles from "./login.module.css";

/** The middle of an empty page. */
export function LoginFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Budgetkit`;
  }, [title]);
  return (
    <main className={styles.place}>
      <div className={styles.box}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
