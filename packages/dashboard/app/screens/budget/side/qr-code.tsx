import { encode } from "uqr";
import styles from "./side.module.css";

interface Props {
  readonly text: string;
  readonly label: string;
}

/** A QR code: dark on white also in dark mode, since cameras need that. Loaded when it is asked for. */
export function QrCode({ text, label }: Props) {
  const { size, data } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
