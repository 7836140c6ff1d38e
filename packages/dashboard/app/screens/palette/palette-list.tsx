import { useEffect, useRef } from "react";
import { StateChip } from "../../components/chip.js";
import { Key } from "../../components/key.js";
import { Money } from "../../components/money.js";
import { shownStateOf } from "../../components/state-glyph.js";
import { useWords } from "../../words/use-words.js";
import { mark } from "./mark.js";
import styles from "./palette.module.css";
import type { PaletteGroup, PaletteItem } from "./palette-item.js";

interface Props {
  readonly listId: string;
  readonly groups: readonly PaletteGroup[];
  readonly search: string;
  readonly active: PaletteItem | undefined;
  readonly onPoint: (id: string) => void;
  readonly onChoose: (item: PaletteItem) => void;
}

/** The id of an item's element, for `aria-activedescendant`. */
export function optionId(listId: string, { id }: PaletteItem): string {
  return `${listId}${id.replaceAll(/\W/g, "-")}`;
}

export function PaletteList({ listId, groups, search, active, onPoint, onChoose }: Props) {
  const words = useWords();
  const list = useRef<HTMLDivElement>(null);
  const activeId = active?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active item comes into view when it changes
  useEffect(() => {
    void list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <div ref={list} id={listId} role="listbox" aria-label={words.palette.results} className={styles.list} tabIndex={-1}>
      {groups.map((group, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element
        <div key={group.name} role="group" aria-labelledby={`${listId}group${index}`}>
          <div id={`${listId}group${index}`} className={styles.heading}>
            {group.name}
          </div>
          {group.items.map((item) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
            <div
              key={item.id}
              id={optionId(listId, item)}
              role="option"
              aria-selected={item === active}
              className={styles.option}
              onMouseMove={() => {
                if (item !== active) onPoint(item.id);
              }}
              onClick={() => onChoose(item)}
            >
              {item.budget === undefined ? (
                <Plain item={item} search={search} />
              ) : (
                <FoundBudget item={item} search={search} />
              )}
              {item === active ? <Key>↵</Key> : item.shortcut !== undefined && <Key>{item.shortcut}</Key>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface ItemProps {
  readonly item: PaletteItem;
  readonly search: string;
}

function Plain({ item: { icon: Icon, label, detail }, search }: ItemProps) {
  return (
    <>
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
      <span className={styles.label}>
        <Marked text={label} search={search} />
      </span>
      {detail !== undefined && (
        <span className={styles.detail}>
          <Marked text={detail} search={search} />
        </span>
      )}
    </>
  );
}

function FoundBudget({ item: { budget }, search }: ItemProps) {
  const words = useWords().budgets;
  if (budget === undefined) return null;
  const line = budget.items.find((each) => "description" in each);
  return (
    <>
      <StateChip state={shownStateOf(budget)} />
      <span className={styles.number}>
        <Marked text={budget.number ?? words.noNumber} search={search} />
      </span>
      <span className={styles.label}>
        <Marked text={budget.customer.name ?? budget.customer.email ?? ""} search={search} />
      </span>
      <span className={styles.detail}>
        <Marked
          text={line !== undefined && "description" in line ? line.description.slice(0, 120) : ""}
          search={search}
        />
      </span>
      <span className={styles.amount}>
        <Money amount={budget.total} currency={budget.currency} />
      </span>
    </>
  );
}

function Marked({ text, search }: { readonly text: string; readonly search: string }) {
  return (
    <bdi>
      {mark(text, search).map(({ text: part, isMatch }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity
        isMatch ? <mark key={index}>{part}</mark> : part,
      )}
    </bdi>
  );
}
