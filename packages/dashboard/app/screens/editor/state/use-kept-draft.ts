import { useEffect, useRef, useState } from "react";
import { historyOf } from "../document/history.js";
import { draftKey, dropDraft, findDraft, type KeptDraft, keepDraft } from "./kept-draft.js";
import type { EditorStateValue } from "./use-editor-state.js";

const PAUSE_MS = 400;

interface Offered {
  /** Unsaved work of an earlier visit; null = there is none, or it was answered. */
  readonly offered: KeptDraft | null;
  readonly restore: () => void;
  readonly discard: () => void;
}

/** Keeps unsaved work in the tab and offers back what an earlier visit left. */
export function useKeptDraft(businessId: string, { state, setState }: EditorStateValue, isDirty: boolean): Offered {
  const key = draftKey(businessId, state.saved.id);
  const [offered, setOffered] = useState(() => findDraft(sessionStorage, key));
  const wasDirty = useRef(false);
  useEffect(() => {
    if (!isDirty) {
      if (wasDirty.current) dropDraft(sessionStorage, key);
      wasDirty.current = false;
      return;
    }
    wasDirty.current = true;
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
export function forgetDraft(businessId: string, budgetId: string | null): void {
  dropDraft(sessionStorage, draftKey(businessId, budgetId));
}
