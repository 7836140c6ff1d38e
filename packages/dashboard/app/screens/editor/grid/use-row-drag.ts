import { type RefObject, useEffect } from "react";

export type RegisterRow = (row: HTMLElement, handle: HTMLElement, key: string) => () => void;

/** Makes a row one that is dragged by its handle, and onto which others are dropped. */
export function useRowDrag(
  row: RefObject<HTMLElement | null>,
  handle: RefObject<HTMLElement | null>,
  key: string,
  register: RegisterRow,
): void {
  useEffect(() => {
    if (row.current === null || handle.current === null) return;
    return register(row.current, handle.current, key);
  }, [row, handle, key, register]);
}
