import { useBlocker } from "@tanstack/react-router";

/** Asks before unsaved work is left, by a link or by closing the tab. `leave` and `stay` are null while nothing is asked. */
export function useLeaveGuard(isDirty: () => boolean): { leave: (() => void) | null; stay: (() => void) | null } {
  const blocker = useBlocker({
    shouldBlockFn: isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return blocker.status === "blocked" ? { leave: blocker.proceed, stay: blocker.reset } : { leave: null, stay: null };
}
