import { useCallback, useEffect, useRef, useState } from "react";
import { useShortcut } from "../../../shell/use-shortcut.js";

interface Keys {
  readonly rows: number;
  readonly show: (row: number) => void;
  readonly select: (row: number) => void;
}

/**
 * J and K move a cursor through the rows, X selects. The focus goes along to the link of the row, so that Enter opens
 * it and screen readers read it.
 */
export function useListKeys({ rows, show, select }: Keys) {
  const [current, setCurrent] = useState<number | null>(null);
  const isMoving = useRef(false);
  const move = (by: number) => {
    if (rows === 0) return;
    isMoving.current = true;
    const next = current === null ? 0 : Math.min(rows - 1, Math.max(0, current + by));
    setCurrent(next);
    show(next);
  };
  useShortcut("j", () => move(1));
  useShortcut("k", () => move(-1));
  useShortcut("x", current === null ? null : () => select(current));
  useEffect(() => {
    if (!isMoving.current || current === null) return;
    const link = document.querySelector<HTMLElement>(`[data-row="${current}"]`);
    if (link === null) return; // it is drawn once the list has moved
    isMoving.current = false;
    link.focus({ preventScroll: true });
  });
  return { current, setCurrent: useCallback((row: number) => setCurrent(row), []) };
}
