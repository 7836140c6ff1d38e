import { X } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { useShortcut } from "../shell/use-shortcut.js";
import { useWords } from "../words/use-words.js";
import { IconButton } from "./button.js";
import { Key } from "./key.js";
import styles from "./toast.module.css";

interface Toast {
  readonly text: string;
  /** Takes back what was done; the key Z does the same. */
  readonly undo?: () => void;
  /** Stays until it is closed. */
  readonly isError?: boolean;
}

type ShowToast = (toast: Toast) => void;

const SHOWN_MS = 6_000;
const ToastContext = createContext<ShowToast>(() => {});

/** One message at a time, at the foot of the screen, read out by screen readers. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  const timer = useRef<number>(undefined);
  const words = useWords().common;
  const show = useCallback<ShowToast>((next) => {
    window.clearTimeout(timer.current);
    setToast(next);
    if (next.isError !== true) timer.current = window.setTimeout(() => setToast(null), SHOWN_MS);
  }, []);
  const undo = useMemo(() => {
    const act = toast?.undo;
    if (act === undefined) return null;
    return () => {
      setToast(null);
      act();
    };
  }, [toast]);
  useShortcut("z", undo);
  return (
    <ToastContext value={show}>
      {children}
      <div className={styles.place} role={toast?.isError === true ? "alert" : "status"}>
        {toast !== null && (
          <div className={styles.toast}>
            <span>{toast.text}</span>
            {undo !== null && (
              <button type="button" className={styles.undo} onClick={undo} aria-keyshortcuts="z">
                {words.undo} <Key>Z</Key>
              </button>
            )}
            {toast.isError === true && (
              <IconButton icon={X} label={words.close} size="small" onClick={() => setToast(null)} />
            )}
          </div>
        )}
      </div>
    </ToastContext>
  );
}

export function useToast(): ShowToast {
  return useContext(ToastContext);
}
