import { useEffect, useRef, useState } from "react";
import styles from "./document-frame.module.css";
import { showInFrame } from "./show-in-frame.js";

interface Props {
  /** What the frame shows, for screen readers. */
  readonly title: string;
  /** A page or mail that the service rendered. */
  readonly markup: string;
}

/** Shows a document in a frame in which nothing runs. */
export function DocumentFrame({ title, markup }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (isReady && frame.current !== null) showInFrame(frame.current, markup);
  }, [isReady, markup]);
  return (
    <iframe
      ref={frame}
      title={title}
      className={styles.frame}
      sandbox="allow-same-origin"
      srcDoc="<!doctype html>"
      onLoad={() => setReady(true)}
    />
  );
}
