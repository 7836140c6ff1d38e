import { useCallback, useEffect, useRef, useState } from "react";
import type { RegisterRow } from "./use-row-drag.js";

type Dragging = typeof import("@atlaskit/pragmatic-drag-and-drop/element/adapter");

const LINE = "budget line";

/** Loads what drags with the mouse once the grid is there; without it, lines are moved by keyboard and menu. */
export function useDragging(onDrop: (key: string, target: string, isBelow: boolean) => void): RegisterRow {
  const [dragging, setDragging] = useState<Dragging | null>(null);
  const latest = useRef(onDrop);
  useEffect(() => {
    latest.current = onDrop;
  });
  useEffect(() => {
    let isGone = false;
    void import("@atlaskit/pragmatic-drag-and-drop/element/adapter").then((loaded) => {
      if (!isGone) setDragging(() => loaded);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return useCallback<RegisterRow>(
    (row, handle, key) => {
      if (dragging === null) return () => {};
      const mark = (edge: "above" | "below" | null) => {
        if (edge === null) delete row.dataset.drop;
        else row.dataset.drop = edge;
      };
      const ends = [
        dragging.draggable({
          element: row,
          dragHandle: handle,
          getInitialData: () => ({ [LINE]: key }),
          onDragStart: () => row.toggleAttribute("data-dragged", true),
          onDrop: () => row.removeAttribute("data-dragged"),
        }),
        dragging.dropTargetForElements({
          element: row,
          canDrop: ({ source }) => typeof source.data[LINE] === "string" && source.data[LINE] !== key,
          onDrag: ({ location }) => mark(isBelow(row, location.current.input.clientY) ? "below" : "above"),
          onDragLeave: () => mark(null),
          onDrop: ({ source, location }) => {
            mark(null);
            const moved = source.data[LINE];
            if (typeof moved === "string") latest.current(moved, key, isBelow(row, location.current.input.clientY));
          },
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
    [dragging],
  );
}

function isBelow(row: HTMLElement, y: number): boolean {
  const { top, height } = row.getBoundingClientRect();
  return y > top + height / 2;
}
