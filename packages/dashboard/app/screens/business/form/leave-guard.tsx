import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "../../../components/dialog.js";
import { useWords } from "../../../words/use-words.js";

/** Asks before unsaved changes are left, by a link or by closing the tab. The tabs of the screen keep them. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const words = useWords().business;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      title={words.leaveTitle}
      text={words.leaveText}
      verb={words.leave}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}
