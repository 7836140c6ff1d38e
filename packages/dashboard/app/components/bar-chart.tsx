import { type KeyboardEvent, type PointerEvent, useId, useLayoutEffect, useRef, useState } from "react";
import styles from "./bar-chart.module.css";
import { labelStep, stack, ticksOf } from "./bar-scale.js";

export interface BarSeries {
  readonly name: string;
  /** solid: a good outcome. hatched: open. outline: lost. Never colour alone. */
  readonly fill: "solid" | "hatched" | "outline";
}

export interface Bar {
  readonly key: string;
  readonly label: string; // on the axis
  readonly title: string; // in the tooltip and in the table
  readonly values: readonly number[]; // in the order of the series, from the foot up
  readonly total: string; // what the sum is called: "Sent, 7 budgets"
}

interface Props {
  readonly label: string;
  readonly period: string; // the heading of the table's first column
  readonly series: readonly BarSeries[];
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
  readonly height?: number;
}

const AXIS_WIDTH = 54;
const AXIS_HEIGHT = 26;
const TOP = 10;
const LABEL_WIDTH = 52;
const WIDEST_BAR = 34;
const GAP = 1;

/** Stacked bars of periods, with a tooltip by pointer and by arrow keys, and a table for screen readers. */
export function BarChart({ label, period, series, bars, format, formatAxis, height = 260 }: Props) {
  const hatch = useId();
  const [frame, width] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const sums = bars.map(({ values }) => sumOf(values));
  const ticks = ticksOf(Math.max(0, ...sums));
  const top = ticks.at(-1) ?? 0;
  const plot = { width: Math.max(1, width - AXIS_WIDTH), height: height - AXIS_HEIGHT - TOP };
  const band = plot.width / Math.max(1, bars.length);
  const barWidth = Math.min(WIDEST_BAR, Math.max(2, band * 0.56));
  const yOf = (share: number) => TOP + plot.height * (1 - share);
  const step = labelStep(bars.length, plot.width, LABEL_WIDTH);
  const isLabelled = (index: number) => (bars.length - 1 - index) % step === 0;

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - AXIS_WIDTH;
    const index = Math.floor(x / band);
    setShown(index >= 0 && index < bars.length ? index : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = bars.length - 1;
    const next = { ArrowLeft: (shown ?? bars.length) - 1, ArrowRight: (shown ?? -1) + 1, Home: 0, End: last }[
      event.key
    ];
    if (next !== undefined) setShown(Math.min(last, Math.max(0, next)));
    else if (event.key === "Escape" && shown !== null) setShown(null);
    else return;
    event.preventDefault();
  };
  const tip = shown === null ? undefined : bars[shown];
  return (
    <figure className={styles.chart}>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of bars has no element */}
      <div
        ref={frame}
        role="group"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through the bars
        tabIndex={0}
        className={styles.frame}
        onKeyDown={onKeyDown}
        onBlur={() => setShown(null)}
      >
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          onPointerMove={onPointerMove}
          onPointerDown={onPointerMove}
          onPointerLeave={() => setShown(null)}
        >
          <defs>
            <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect className={styles.hatchGround} width="5" height="5" />
              <line className={styles.hatchLine} x1="1" y1="0" x2="1" y2="5" />
            </pattern>
          </defs>
          {shown !== null && (
            <rect className={styles.band} x={AXIS_WIDTH + shown * band} y={0} width={band} height={TOP + plot.height} />
          )}
          {ticks.map((tick) => {
            const y = yOf(top === 0 ? 0 : tick / top);
            return (
              <g key={tick}>
                <line className={tick === 0 ? styles.foot : styles.grid} x1={AXIS_WIDTH} x2={width} y1={y} y2={y} />
                <text className={styles.tick} x={AXIS_WIDTH - 10} y={y + 4}>
                  {formatAxis(tick)}
                </text>
              </g>
            );
          })}
          {bars.map((bar, index) => {
            const center = AXIS_WIDTH + (index + 0.5) * band;
            return (
              <g key={bar.key}>
                {stack(bar.values, top).map((part) => {
                  const fill = series[part.series]?.fill ?? "solid";
                  const y = yOf(part.to);
                  const inset = fill === "outline" ? 0.5 : 0;
                  return (
                    <rect
                      key={part.series}
                      className={styles[fill]}
                      x={center - barWidth / 2 + inset}
                      y={y + inset}
                      width={barWidth - 2 * inset}
                      height={Math.max(1, yOf(part.from) - y - GAP - 2 * inset)}
                      rx={Math.min(2, barWidth / 4)}
                      {...(fill === "hatched" ? { fill: `url(#${hatch})` } : {})}
                    />
                  );
                })}
                {isLabelled(index) && (
                  <text
                    className={index === shown ? styles.shownLabel : styles.label}
                    x={Math.min(center, width - LABEL_WIDTH / 2)}
                    y={height - 8}
                  >
                    {bar.label}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
        <div
          className={styles.tipPlace}
          role="status"
          style={tipStyle(AXIS_WIDTH + ((shown ?? 0) + 0.5) * band, width, band)}
        >
          {tip !== undefined && (
            <dl className={styles.tip}>
              <div>
                <dt>{tip.title}</dt>
              </div>
              {series.map(({ name }, index) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{format(tip.values[index] ?? 0)}</dd>
                </div>
              ))}
              <div>
                <dt>{tip.total}</dt>
                <dd>{format(sumOf(tip.values))}</dd>
              </div>
            </dl>
          )}
        </div>
      </div>
      <ChartTable label={label} period={period} series={series} bars={bars} format={format} />
    </figure>
  );
}

/** What the shapes mean, beside the chart's title. */
export function BarLegend({ series }: { readonly series: readonly BarSeries[] }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ name, fill }) => (
        <li key={name}>
          <span className={`${styles.swatch} ${styles[`${fill}Swatch`]}`} aria-hidden="true" /> {name}
        </li>
      ))}
    </ul>
  );
}

function ChartTable({ label, period, series, bars, format }: Omit<Props, "formatAxis" | "height">) {
  return (
    <table className="visually-hidden">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{period}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, title, values }) => (
          <tr key={key}>
            <th scope="row">{title}</th>
            {series.map(({ name }, index) => (
              <td key={name}>{format(values[index] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}

/** Beside its bar, on the side that has more room. */
function tipStyle(center: number, width: number, band: number) {
  const offset = band / 2 + 6;
  return center > width / 2 ? { right: width - center + offset } : { left: center + offset };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
