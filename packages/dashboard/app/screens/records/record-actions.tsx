import { Pencil, RotateCcw, Trash2 } from "lucide-react";
import { Button } from "../../components/button.js";
import { Menu } from "../../components/menu.js";
import { useWords } from "../../words/use-words.js";

interface Props {
  readonly name: string;
  readonly isDeleted: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onRestore: () => void;
}

/** At the end of a row: what can be done with a record, or the way back of a deleted one. */
export function RecordActions({ name, isDeleted, onEdit, onDelete, onRestore }: Props) {
  const words = useWords();
  if (isDeleted) {
    return (
      <Button size="small" icon={RotateCcw} aria-label={words.customers.records.restoreOf(name)} onClick={onRestore}>
        {words.common.restore}
      </Button>
    );
  }
  return (
    <Menu
      label={words.customers.records.actionsOf(name)}
      groups={[
        [{ label: words.common.edit, icon: Pencil, onSelect: onEdit }],
        [{ label: words.common.delete, icon: Trash2, danger: true, onSelect: onDelete }],
      ]}
    />
  );
}
