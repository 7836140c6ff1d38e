import { useEffect, useRef, useState } from "react";
import { historyOf } from "../document/history.js";
import { type DraftOwner, draftKey, dropDraft, findDraft, type KeptDraft, keepDraft } from "./kept-draft.js";
import type { EditorStateValue } from "./use-editor-state.js";

const PAUSE_MS = 400;

interface Offered {
  /** Unsaved work of an earlier visit; null = there is none, or it was answered. */
  readonly offered: KeptDraft | null;
  readonly restore: () => void;
  readonly discard: () => void;
}

/** Keeps unsaved work in the tab and offers back what an earlier visit left. */
export function useKeptDraft(owner: DraftOwner, { state, setState }: EditorStateValue, isDirty: boolean): Offered {
  const key = draftKey(owner, state.saved.id);
  const [offered, setOffered] = useState(() => findDraft(sessionStorage, key));
  const keptAt = useRef<string | null>(null); // the key of the work that is not saved: the first save gives another one
  useEffect(() => {
    const former = keptAt.current;
    if (former !== null && (!isDirty || former !== key)) dropDraft(sessionStorage, former);
    keptAt.current = isDirty ? key : null;
    if (!isDirty) return;
    const keep = () => keepDraft(sessionStorage, key, state, new Date());
    const timer = window.setTimeout(keep, PAUSE_MS);
    window.addEventListener("pagehide", keep);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener("pagehide", keep);
    };
  }, [key, state, isDirty]);
  return {
    offered: isDirty ? null : offered,
    restore: () => {
      if (offered === null) return;
      setOffered(null);
      setState(() => ({
        history: { ...historyOf(offered.budget), past: [offered.saved.budget] },
        saved: offered.saved,
      }));
    },
    discard: () => {
      setOffered(null);
      dropDraft(sessionStorage, key);
    },
  };
}

/** Nothing is kept for this budget any more: it is given up on purpose. */
export function forgetDraft(owner: DraftOwner, budgetId: string | null): void {
  dropDraft(sessionStorage, draftKey(owner, budgetId));
}
