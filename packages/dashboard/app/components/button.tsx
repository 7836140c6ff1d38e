import { createLink } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./button.module.css";
import { Key } from "./key.js";

/** primary: one a view. danger: red text; "destroy" is filled, in the dialog that confirms. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger" | "destroy";

interface Look {
  readonly kind?: ButtonKind;
  readonly size?: "normal" | "small";
  readonly icon?: LucideIcon;
  /** The key that does the same, shown at the end. */
  readonly shortcut?: string;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** It works: it cannot be pressed again, and keeps its width. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind, size, icon, shortcut, busy = false, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ kind, size })}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      <Content icon={icon} shortcut={shortcut}>
        {children}
      </Content>
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  readonly icon: LucideIcon;
  /** Its name, for screen readers and as a tooltip. */
  readonly label: string;
}

export function IconButton({ icon: Icon, label, kind = "quiet", size, busy, shortcut, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      aria-label={label}
      aria-busy={busy || undefined}
      {...rest}
      className={`${classOf({ kind, size })} ${styles.icon}`}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement>, Look {
  readonly ref?: Ref<HTMLAnchorElement>;
}

/** A link out of the dashboard that looks like a button. */
export function ButtonAnchor({ kind, size, icon, shortcut, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={classOf({ kind, size })}>
      <Content icon={icon} shortcut={shortcut}>
        {children}
      </Content>
    </a>
  );
}

/** A link to a screen that looks like a button: `<ButtonLink to="/budgets/new">`. */
export const ButtonLink = createLink(ButtonAnchor);

interface ContentProps {
  readonly icon: LucideIcon | undefined;
  readonly shortcut: string | undefined;
  readonly children: ReactNode;
}

function Content({ icon: Icon, shortcut, children }: ContentProps) {
  return (
    <>
      {Icon && <Icon aria-hidden="true" />}
      <span>{children}</span>
      {shortcut !== undefined && <Key>{shortcut}</Key>}
    </>
  );
}

function classOf({
  kind = "secondary",
  size = "normal",
}: {
  kind?: ButtonKind | undefined;
  size?: Look["size"] | undefined;
}) {
  return `${styles.button} ${styles[kind]} ${size === "small" ? styles.small : ""}`;
}
