import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import { ChartLane, type Lane } from "./chart-lane.js";
import { labelledDays } from "./chart-scale.js";
import styles from "./usage-chart.module.css";
import { UsageTable } from "./usage-table.js";
import { useWidth } from "./use-width.js";

export interface UsageDay {
  readonly date: string; // a day in UTC
  readonly requests: number;
  readonly errors: number;
  readonly averageResponseTime: number; // milliseconds
}

const AXIS = 52;
const GAP = 22;
const FOOT = 20;
const LABEL = 76;
const LINES = { requests: 4, errors: 1, latency: 1 };

/** Requests by day, with errors and latency in lanes of their own on the same axis. */
export function UsageChart({ days, label }: { readonly days: readonly UsageDay[]; readonly label: string }) {
  const words = useWords().usage;
  const formats = useFormats();
  const [width, measure] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const milliseconds = (value: number) => words.milliseconds(formats.number(value));
  const lanes: readonly Lane[] = [
    lane("requests", 176, (day) => day.requests, formats.number),
    lane("errors", 46, (day) => day.errors, formats.number),
    lane("latency", 46, (day) => day.averageResponseTime, milliseconds),
  ];
  const step = Math.max(0, (width - AXIS) / Math.max(1, days.length));
  const height = lanes.reduce((sum, each) => sum + each.height + GAP, 0) + FOOT + GAP / 2;
  const dayOf = (date: string) => formats.date(`${date}T12:00:00Z`);
  const textOf = ({ date, requests, errors, averageResponseTime }: UsageDay) =>
    words.day(dayOf(date), formats.number(requests), formats.number(errors), milliseconds(averageResponseTime));
  const day = shown === null ? undefined : days[shown];
  const labelled = labelledDays(days.length, width - AXIS, LABEL);

  function lane(
    kind: Lane["kind"],
    laneHeight: number,
    measureOf: (day: UsageDay) => number,
    format: Lane["format"],
  ): Lane {
    return { kind, height: laneHeight, values: days.map(measureOf), lines: LINES[kind], format };
  }
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - AXIS;
    setShown(at < 0 ? null : Math.min(days.length - 1, Math.floor(at / step)));
  };
  const press = (event: KeyboardEvent) => {
    const next = nextDay(event.key, shown ?? days.length - 1, days.length);
    if (next === null) return;
    event.preventDefault();
    setShown(next);
  };
  const offsets = lanes.map((_, index) => lanes.slice(0, index).reduce((sum, each) => sum + each.height + GAP, GAP));
  const current = days[shown ?? days.length - 1];
  return (
    <div className={styles.chart} ref={measure}>
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, days.length - 1)}
        aria-valuenow={shown ?? Math.max(0, days.length - 1)}
        aria-valuetext={current === undefined ? words.none : textOf(current)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setShown(null)}
        onKeyDown={press}
        onBlur={() => setShown(null)}
      >
        <svg width={width} height={height} aria-hidden="true">
          {shown !== null && (
            <rect className={styles.column} x={AXIS + shown * step} y={0} width={step} height={height - FOOT} />
          )}
          {lanes.map((each, index) => (
            <ChartLane key={each.kind} lane={each} y={offsets[index] ?? 0} x={AXIS} width={width} step={step} />
          ))}
          {days.map(({ date }, index) =>
            labelled.has(index) ? (
              <text
                key={date}
                className={styles.axis}
                x={Math.min(AXIS + (index + 0.5) * step, width - LABEL / 3)}
                y={height - 5}
                textAnchor="middle"
              >
                {dayOf(date)}
              </text>
            ) : null,
          )}
        </svg>
        {day !== undefined && shown !== null && (
          <div className={styles.tip} style={tipPlace(AXIS + (shown + 0.5) * step, width)}>
            <strong>{dayOf(day.date)}</strong>
            <span>{words.requestsCount(day.requests, formats.number(day.requests))}</span>
            <span>{words.errorsCount(day.errors, formats.number(day.errors))}</span>
            <span>{milliseconds(day.averageResponseTime)}</span>
          </div>
        )}
      </div>
      <UsageTable days={days} label={label} />
    </div>
  );
}

function nextDay(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, at - 1);
    case "ArrowRight":
      return Math.min(count - 1, at + 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** Beside the column, on the side that has more room. */
function tipPlace(x: number, width: number) {
  return x < width / 2 ? { left: x + 12 } : { right: width - x + 12 };
}
