import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import styles from "./page.module.css";

interface Props {
  readonly title: string;
  /** Beside the title: a chip, a count. */
  readonly beside?: ReactNode;
  /** Where one came from: `{ to: "/budgets", label: "Budgets" }`. */
  readonly parent?: { readonly to: string; readonly label: string };
  /** How the screen is called below its parent. Default: the title. */
  readonly crumb?: string;
  /** At the end of the parent's line: the way to neighbours. */
  readonly neighbours?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** Below the header, above its line. */
  readonly tabs?: ReactNode;
  /** "flush": the content goes to the edges and brings its own gutter. */
  readonly layout?: "padded" | "flush";
  readonly children: ReactNode;
}

/** A screen: its title, which the browser's tab has too, its actions and its content. */
export function Page(props: Props) {
  const { title, beside, parent, crumb = title, neighbours, subtitle, actions, tabs, layout = "padded" } = props;
  useEffect(() => {
    document.title = `${title} · Budgetkit`;
  }, [title]);
  return (
    <>
      <header className={`${styles.header} ${tabs === undefined ? "" : styles.hasTabs}`}>
        {parent !== undefined && (
          <div className={styles.parent}>
            <Link to={parent.to}>{parent.label}</Link>
            <ChevronRight size={14} aria-hidden="true" />
            <span>{crumb}</span>
            {neighbours !== undefined && <div className={styles.neighbours}>{neighbours}</div>}
          </div>
        )}
        <div className={styles.line}>
          <div className={styles.title}>
            <h1>{title}</h1>
            {beside}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
        {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
        {tabs}
      </header>
      <div className={layout === "padded" ? styles.padded : styles.flush}>{props.children}</div>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, beside, actions, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.line}>
        <div className={styles.title}>
          <h2>{title}</h2>
          {beside}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** Around a thing that has its own actions; never within another one. */
export function Card({ children }: { readonly children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

/** Figures in one strip, divided by hairlines. */
export function Strip({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.strip}>{children}</dl>;
}

interface FigureProps {
  readonly label: ReactNode;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function Figure({ label, note, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className={styles.value}>{children}</dd>
      {note !== undefined && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
