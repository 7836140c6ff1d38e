import { type RefCallback, useCallback, useState } from "react";

/** The width of an element, as it changes. 0 until it is measured. */
export function useWidth(): readonly [width: number, ref: RefCallback<HTMLElement>] {
  const [width, setWidth] = useState(0);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, ref];
}
