import { type ClipboardEvent, lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useToast } from "../../../components/toast.js";
import { useWords } from "../../../words/use-words.js";
import type { EditedBudget } from "../document/edited-budget.js";
import type { PricedBudget } from "../document/figures.js";
import { isOptionOf, type Line, newKey } from "../document/line.js";
import { groupAbove, insertLines, MAX_LINES, moveLineTo } from "../document/line-operations.js";
import type { FieldProblem } from "../document/problems.js";
import { sectionSums } from "../document/sections.js";
import { useEditorTools } from "../editor-context.js";
import { linesOf, type PastedRows, understandRows } from "../paste/pasted-rows.js";
import { isTable, readCells } from "../paste/read-clipboard.js";
import { AddRow } from "./add-row.js";
import styles from "./grid.module.css";
import { ADD_ROW, cellOf } from "./grid-cells.js";
import { LineMenu } from "./line-menu.js";
import { LineRow } from "./line-row.js";
import { useDragging } from "./use-dragging.js";
import { nameOf, useGridKeys } from "./use-grid-keys.js";

const PasteDialog = lazy(() =>
  import("../paste/paste-dialog.js").then(({ PasteDialog }) => ({ default: PasteDialog })),
);

interface Props {
  readonly budget: EditedBudget;
  readonly priced: PricedBudget;
  readonly problems: readonly FieldProblem[];
}

const NO_PROBLEMS: readonly FieldProblem[] = [];

/** The lines of the budget, written in place. */
export function Grid({ budget, priced, problems }: Props) {
  const tools = useEditorTools();
  const words = useWords().editor;
  const showToast = useToast();
  const root = useRef<HTMLDivElement>(null);
  const [pasted, setPasted] = useState<{ readonly rows: PastedRows; readonly index: number } | null>(null);
  const [menu, setMenu] = useState<{ readonly line: string; readonly button: HTMLElement } | null>(null);
  const openMenu = useCallback((line: string, button: HTMLElement) => setMenu({ line, button }), []);
  const onKeyDown = useGridKeys(root, budget);
  const { lines, head } = budget;
  const sums = useMemo(() => sectionSums(lines, priced.lines), [lines, priced.lines]);

  const register = useDragging((key, target, isBelow) => {
    const to = (now: EditedBudget) => now.lines.findIndex((line) => line.key === target) + Number(isBelow);
    const moved = moveLineTo(budget, key, to(budget));
    tools.change((now) => moveLineTo(now, key, to(now)));
    const place = moved.lines.findIndex((line) => line.key === key) + 1;
    tools.announce(words.moved(nameOf(lines, key), place, lines.length));
  });

  const insert = (rows: PastedRows, index: number) => {
    const added = linesOf(rows, newKey);
    const room = MAX_LINES - lines.length;
    tools.change((now) => insertLines(now, index, added));
    showToast({
      text: added.length > room ? words.pastedPart(Math.max(0, room), MAX_LINES) : words.pasted(added.length),
    });
    const [first] = added;
    if (first !== undefined && room > 0) tools.focusCell(first.key, "description");
  };

  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    const cell = cellOf(event.target);
    const at = lines.findIndex(({ key }) => key === cell?.line);
    if (cell === null || !isTable(text) || lines[at]?.kind === "text") return;
    event.preventDefault();
    const index = at === -1 ? lines.length : at + 1;
    void readCells(text).then((cells) => {
      const rows = understandRows(cells, tools.mark);
      if (rows.isObvious) insert(rows, index);
      else setPasted({ rows, index });
    });
  };

  const rowOf = (line: Line, index: number) => {
    const choice =
      line.kind === "item" && line.choice !== null ? lines.find((each) => isOptionOf(line, each)) : undefined;
    const below = lines[index + 1];
    const isGroup = line.kind === "choice" || choice !== undefined;
    return (
      <LineRow
        key={line.key}
        line={line}
        number={index + 1}
        figures={priced.lines.get(line.key)}
        sum={sums.get(line.key)}
        taxes={head.taxes}
        problems={byLine.get(line.key) ?? NO_PROBLEMS}
        isSingle={choice?.maximum === "1"}
        options={line.kind === "choice" ? lines.filter((each) => isOptionOf(each, line)).length : 0}
        isLastOption={isGroup && !(below?.kind === "item" && below.choice === line.choice)}
        openMenu={openMenu}
        register={register}
      />
    );
  };
  const opened = menu === null ? undefined : lines.find(({ key }) => key === menu.line);
  const byLine = useMemo(() => groupProblems(problems), [problems]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are of the fields within
    <div ref={root} className={styles.grid} onKeyDown={onKeyDown} onPaste={onPaste}>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={words.lines}>
          <thead>
            <tr>
              <td aria-hidden="true" />
              <th scope="col">{words.columns.description}</th>
              <th scope="col" className={styles.number}>
                {words.columns.quantity}
              </th>
              <th scope="col" className={styles.number}>
                {words.columns.unitPrice}
              </th>
              <th scope="col" className={styles.number}>
                {words.columns.discount}
              </th>
              <th scope="col">{words.columns.taxes}</th>
              <th scope="col" className={styles.number}>
                {words.totalIn(head.currency)}
              </th>
              <td aria-hidden="true" />
            </tr>
          </thead>
          <tbody>{lines.map(rowOf)}</tbody>
        </table>
      </div>
      <AddRow count={lines.length} />
      {menu !== null && opened !== undefined && (
        <LineMenu
          key={menu.line}
          line={opened}
          anchor={menu.button}
          mayIndent={groupAbove(lines, lines.indexOf(opened)) !== null}
          onClose={() => setMenu(null)}
        />
      )}
      {pasted !== null && (
        <Suspense fallback={null}>
          <PasteDialog
            rows={pasted.rows}
            onClose={() => {
              setPasted(null);
              tools.focusCell(ADD_ROW, "description");
            }}
            onInsert={(rows) => {
              setPasted(null);
              insert(rows, pasted.index);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

function groupProblems(problems: readonly FieldProblem[]): ReadonlyMap<string, readonly FieldProblem[]> {
  const groups = new Map<string, FieldProblem[]>();
  for (const problem of problems) {
    if (problem.line === null) continue;
    const group = groups.get(problem.line) ?? [];
    group.push(problem);
    groups.set(problem.line, group);
  }
  return groups;
}
