import { ArrowRight } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { Money } from "../../../components/money.js";
import { useFormats } from "../../../formats/use-formats.js";
import { modKey } from "../../../shell/mod-key.js";
import { useShortcut } from "../../../shell/use-shortcut.js";
import { useWords } from "../../../words/use-words.js";
import type { EditedBudget } from "../document/edited-budget.js";
import { priced } from "../document/figures.js";
import { useEditorTools } from "../editor-context.js";
import { type Difference, differencesOf } from "./differences.js";
import { type Conflict, merge, type Side, type Sides } from "./merge.js";
import styles from "./merge-dialog.module.css";
import { useValueText } from "./value-text.js";

interface Props {
  readonly sides: Sides;
  /** When the other version was saved. */
  readonly savedAt: string;
  readonly isSaving: boolean;
  readonly onMerge: (merged: EditedBudget) => void;
  readonly onCopy: () => void;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
}

/** Shows what both changed, side by side. What does not collide is brought together by itself. */
export function MergeDialog({ sides, savedAt, isSaving, onMerge, onCopy, onDiscard, onClose }: Props) {
  const words = useWords().editor;
  const texts = words.merge;
  const formats = useFormats();
  const { currency } = useEditorTools();
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const { budget, conflicts } = useMemo(() => merge(sides, ({ id }) => chosen[id] ?? "mine"), [sides, chosen]);
  const collided = new Set(conflicts.map(({ id }) => id));
  const own = differencesOf(sides.base, sides.mine).filter((each) => !collided.has(idOf(each)));
  const other = differencesOf(sides.base, sides.theirs).filter((each) => !collided.has(idOf(each)));
  const { figures } = priced(budget);
  const time = formats.time(savedAt);
  const save = () => onMerge(budget);
  useShortcut("mod+Enter", isSaving ? null : save);
  return (
    <Dialog
      title={texts.title}
      width="wide"
      onClose={onClose}
      actions={
        <>
          {figures !== null && (
            <span className={styles.total}>
              {texts.totalAfter} <Money amount={figures.total} currency={currency} />
            </span>
          )}
          <Button kind="quiet" onClick={onDiscard}>
            {texts.discard}
          </Button>
          <Button onClick={onCopy} busy={isSaving}>
            {texts.copy}
          </Button>
          <Button kind="primary" busy={isSaving} shortcut={`${modKey}↵`} onClick={save}>
            {texts.save}
          </Button>
        </>
      }
    >
      <p>{texts.text(conflicts.length, own.length)}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            <th scope="col">{texts.theirs(time)}</th>
            <th scope="col">{texts.mine}</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map((conflict) => (
            <ConflictRow
              key={conflict.id}
              conflict={conflict}
              side={chosen[conflict.id] ?? "mine"}
              onChoose={(side) => setChosen({ ...chosen, [conflict.id]: side })}
            />
          ))}
          {own.map((each) => (
            <FittingRow key={`mine ${idOf(each)} ${each.kind}`} difference={each} sides={sides} side="mine" />
          ))}
          {other.map((each) => (
            <FittingRow key={`theirs ${idOf(each)} ${each.kind}`} difference={each} sides={sides} side="theirs" />
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

interface ConflictProps {
  readonly conflict: Conflict;
  readonly side: Side;
  readonly onChoose: (side: Side) => void;
}

function ConflictRow({ conflict, side, onChoose }: ConflictProps) {
  const words = useWords().editor;
  const valueText = useValueText();
  const { id, line, field, base } = conflict;
  const fieldName = nameOfField(words, line !== null, field);
  const name = line === null ? fieldName : nameOfLine(line.description, words.untitled);
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{name}</span>
        <span className={styles.field}>{line === null ? words.merge.ofBudget : fieldName}</span>
      </th>
      {(["theirs", "mine"] as const).map((each) => (
        <td key={each}>
          <label className={`${styles.side} ${side === each ? styles.chosen : ""}`}>
            <input type="radio" name={id} checked={side === each} onChange={() => onChoose(each)} />
            <span>
              {field !== null && (
                <>
                  <s>{valueText(field, base)}</s> <ArrowRight size={12} aria-label={words.merge.becomes} />{" "}
                </>
              )}
              {valueText(field, conflict[each])}
            </span>
          </label>
        </td>
      ))}
    </tr>
  );
}

interface FittingProps {
  readonly difference: Difference;
  readonly sides: Sides;
  readonly side: Side;
}

function FittingRow({ difference, sides, side }: FittingProps) {
  const words = useWords().editor;
  const { line, field, kind } = difference;
  const found = [sides[side], sides.base].flatMap(({ lines }) => lines).find(({ key }) => key === line);
  const fieldName = kind === "moved" ? words.merge.order : nameOfField(words, line !== null, field);
  const cell = (each: Side) => (each === side ? `${words.merge.kinds[kind]}` : words.merge.notChanged);
  return (
    <tr className={styles.fits}>
      <th scope="row">
        <span className={styles.name}>
          {found === undefined ? fieldName : nameOfLine(found.description, words.untitled)}
        </span>
        <span className={styles.field}>{found === undefined ? words.merge.ofBudget : fieldName}</span>
      </th>
      <td>{cell("theirs")}</td>
      <td>{cell("mine")}</td>
    </tr>
  );
}

function idOf({ line, field }: Difference): string {
  return line !== null && field === null ? line : `${line ?? "budget"} ${field}`;
}

function nameOfLine(description: string, untitled: string): string {
  return description.split("\n")[0]?.slice(0, 80) || untitled;
}

function nameOfField(words: ReturnType<typeof useWords>["editor"], isLine: boolean, field: Conflict["field"]): string {
  const names: Readonly<Record<string, string>> = isLine ? words.lineFields : words.headFields;
  return field === null ? words.merge.line : (names[field] ?? field);
}
