import {
  ArrowDownToLine,
  CalendarSync,
  Coins,
  Copy,
  IndentDecrease,
  IndentIncrease,
  ListChecks,
  MoveHorizontal,
  Percent,
  Receipt,
  SquareCheck,
  Trash2,
  TrendingDown,
} from "lucide-react";
import { AnchoredMenu, type MenuAction } from "../../../components/menu.js";
import { useWords } from "../../../words/use-words.js";
import { type Line, newKey, newLine } from "../document/line.js";
import {
  duplicateLine,
  indentLine,
  insertBelow,
  outdentLine,
  removeLine,
  setFields,
} from "../document/line-operations.js";
import { type Column, useEditorTools } from "../editor-context.js";
import { ADD_ROW } from "./grid-cells.js";

interface Props {
  /** The button of the line. */
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly line: Line;
  /** Whether the line above is a choice or one of its options. */
  readonly mayIndent: boolean;
}

/** The menu gives the focus back to its button when it has closed; then it goes where the action wants it. */
const CLOSED_MS = 80;

/** What can be done with a line. The grid has one menu for all of its lines. */
export function LineMenu({ line, mayIndent, anchor, onClose }: Props) {
  const words = useWords();
  const { menu } = words.editor;
  const { change, openDialog, focusCell } = useEditorTools();
  const goTo = (cell: string, column: Column) => window.setTimeout(() => focusCell(cell, column), CLOSED_MS);
  const { key, kind, optional, choice } = line;
  const isItem = kind === "item";
  const addBelow = () => {
    const added = newLine(newKey(), "item");
    change((budget) => insertBelow(budget, key, added));
    goTo(added.key, "description");
  };
  const customer: MenuAction[] = [
    {
      label: optional ? menu.notOptional : menu.optional,
      icon: SquareCheck,
      onSelect: () => change((budget) => setFields(budget, key, { optional: !optional, selected: false })),
    },
    { label: menu.range, icon: MoveHorizontal, onSelect: () => openDialog(key, "range") },
  ];
  const price: MenuAction[] = [
    { label: menu.tiers, icon: TrendingDown, onSelect: () => openDialog(key, "tiers") },
    { label: menu.recurring, icon: CalendarSync, onSelect: () => openDialog(key, "recurring") },
    { label: menu.taxes, icon: Receipt, onSelect: () => openDialog(key, "taxes") },
    { label: menu.discount, icon: Percent, onSelect: () => goTo(key, "discount") },
    { label: menu.cost, icon: Coins, onSelect: () => openDialog(key, "cost") },
  ];
  const place: MenuAction[] = [
    ...(isItem && mayIndent && choice === null
      ? [{ label: menu.indent, icon: IndentIncrease, onSelect: () => change((budget) => indentLine(budget, key)) }]
      : []),
    ...(isItem && choice !== null
      ? [{ label: menu.outdent, icon: IndentDecrease, onSelect: () => change((budget) => outdentLine(budget, key)) }]
      : []),
    { label: kind === "choice" ? menu.addOption : menu.addBelow, icon: ArrowDownToLine, onSelect: addBelow },
    {
      label: menu.duplicate,
      icon: Copy,
      onSelect: () => change((budget) => duplicateLine(budget, key, newKey)),
    },
  ];
  const remove: MenuAction = {
    label: words.common.remove,
    icon: Trash2,
    danger: true,
    onSelect: () => {
      change((budget) => removeLine(budget, key));
      goTo(ADD_ROW, "description");
    },
  };
  const groups: (readonly MenuAction[])[] = [
    isItem ? (choice === null ? customer : customer.slice(1)) : [],
    isItem
      ? price
      : kind === "choice"
        ? [{ label: menu.choice, icon: ListChecks, onSelect: () => openDialog(key, "choice") }]
        : [],
    place,
    [remove],
  ];
  return <AnchoredMenu groups={groups} anchor={anchor} onClose={onClose} />;
}
