import { useSyncExternalStore } from "react";
import { useWords } from "../words/use-words.js";
import styles from "./shell.module.css";

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const words = useWords().common;
  return <div role="status">{isOnline ? null : <p className={styles.offline}>{words.offline}</p>}</div>;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
