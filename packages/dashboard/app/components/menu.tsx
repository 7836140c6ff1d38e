import { Menu as BaseMenu } from "@base-ui/react/menu";
import { Ellipsis, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { useWords } from "../words/use-words.js";
import { IconButton } from "./button.js";
import styles from "./menu.module.css";

export interface MenuAction {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

interface Props {
  /** Groups are divided by a line; empty ones are left out. */
  readonly groups: readonly (readonly MenuAction[])[];
  /** The name of the button of three dots, where a list has many of them. */
  readonly label?: string;
  /** Default: a button of three dots. */
  readonly trigger?: ReactElement<Record<string, unknown>>;
}

/** Actions behind a button, by mouse, touch and arrow keys. */
export function Menu({ groups, label, trigger }: Props) {
  const words = useWords().common;
  if (groups.every((group) => group.length === 0)) return null;
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger ?? <IconButton icon={Ellipsis} label={label ?? words.more} />} />
      <MenuPopup groups={groups} />
    </BaseMenu.Root>
  );
}

interface AnchoredProps extends Pick<Props, "groups"> {
  /** The button that opened it; it gets the focus back. */
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
}

/** An open menu at a button: one for the buttons of many rows. */
export function AnchoredMenu({ groups, anchor, onClose }: AnchoredProps) {
  return (
    <BaseMenu.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <MenuPopup groups={groups} anchor={anchor} />
    </BaseMenu.Root>
  );
}

function MenuPopup({ groups, anchor }: Pick<Props, "groups"> & { readonly anchor?: HTMLElement }) {
  const shown = groups.filter((group) => group.length > 0);
  return (
    <BaseMenu.Portal>
      <BaseMenu.Positioner className={styles.positioner} sideOffset={4} align="end" {...(anchor && { anchor })}>
        <BaseMenu.Popup className={styles.popup} {...(anchor && { finalFocus: () => anchor })}>
          {shown.map((group, index) => (
            <div key={group[0]?.label ?? index} className={styles.group}>
              {group.map(({ label, icon: Icon, danger = false, disabled = false, onSelect }) => (
                <BaseMenu.Item
                  key={label}
                  className={`${styles.item} ${danger ? styles.danger : ""}`}
                  disabled={disabled}
                  onClick={onSelect}
                >
                  {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
                  {label}
                </BaseMenu.Item>
              ))}
            </div>
          ))}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  );
}
