import { useWords } from "../../words/use-words.js";
import { ticksOf } from "./chart-scale.js";
import styles from "./usage-chart.module.css";

export interface Lane {
  readonly kind: "requests" | "errors" | "latency";
  readonly height: number;
  readonly values: readonly number[];
  /** Grid lines besides that of 0, at most. */
  readonly lines: number;
  readonly format: (value: number) => string;
}

interface Props {
  readonly lane: Lane;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly step: number;
}

const WIDEST = 40;
const RADIUS = 2;

/** The bars of one measure over its own scale. */
export function ChartLane({ lane: { kind, height, values, lines, format }, x, y, width, step }: Props) {
  const words = useWords().usage;
  const ticks = ticksOf(Math.max(0, ...values), lines);
  const top = ticks.at(-1) ?? 1;
  const placeOf = (value: number) => y + height - (value / top) * height;
  const barWidth = Math.min(WIDEST, Math.max(1, step * 0.68));
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? styles.base : styles.grid}
            x1={x}
            x2={width}
            y1={placeOf(tick)}
            y2={placeOf(tick)}
          />
          <text className={styles.axis} x={x - 8} y={placeOf(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      <text className={styles.lane} x={width} y={y - 6} textAnchor="end">
        {words.lanes[kind]}
      </text>
      {values.map((value, index) =>
        value > 0 ? (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its day's
            key={index}
            className={styles[kind]}
            x={x + (index + 0.5) * step - barWidth / 2}
            y={Math.min(placeOf(value), y + height - 1)}
            width={barWidth}
            height={Math.max(1, (value / top) * height)}
            rx={Math.min(RADIUS, barWidth / 3)}
          />
        ) : null,
      )}
    </g>
  );
}
