import type { KeyStatistics } from "@budgetkit/client";
import { useSuspenseQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useFormats } from "../../formats/use-formats.js";
import { businessQuery } from "../../queries/business.js";
import { useWords } from "../../words/use-words.js";
import styles from "./keys.module.css";
import { TIER_LIMITS } from "./tier-limits.js";

const LAST_FIFTH = 0.8;

/** The use of the limit now as a bar, with a tick at the peak. The last fifth is hatched. */
export function LimitGauge({ stats }: { readonly stats: KeyStatistics["rateLimitStats"] }) {
  const { currentUsage, limit, peakUsage, peakTime } = stats;
  const words = useWords().keys;
  const formats = useFormats();
  const { data: business } = useSuspenseQuery(businessQuery);
  const shareOf = (value: number) => Math.min(1, limit === 0 ? 0 : value / limit);
  const { highest } = TIER_LIMITS[business.tier];
  const peak = words.peakAt(formats.number(peakUsage), formats.dateTime(peakTime));
  const isNear = shareOf(peakUsage) >= LAST_FIFTH;
  return (
    <>
      <div className={styles.cardTitle}>
        <h2>{words.limitTitle}</h2>
        <span>{words.lastHour}</span>
      </div>
      <p className={styles.use}>
        <span>
          <strong>{formats.number(currentUsage)}</strong> {words.ofLimit(formats.number(limit))}
        </span>
        <span>{formats.percent(limit === 0 ? 0 : currentUsage / limit)}</span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter of the browser has no peak */}
      <div
        className={styles.gauge}
        role="meter"
        aria-label={words.limitTitle}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(currentUsage, limit)}
        aria-valuetext={`${formats.number(currentUsage)} ${words.ofLimit(formats.number(limit))}, ${peak}`}
      >
        <span className={styles.last} />
        <span className={styles.used} style={{ width: `${shareOf(currentUsage) * 100}%` }} />
        {peakUsage > 0 && <span className={styles.peak} style={{ left: `calc(${shareOf(peakUsage) * 100}% - 2px)` }} />}
      </div>
      <p className={styles.scale}>
        <span>{words.slidingHour}</span>
        <span>{peakUsage > 0 ? peak : words.noPeak}</span>
      </p>
      {isNear && (
        <p className={styles.reached}>
          <TriangleAlert size={15} aria-hidden="true" />
          <span>
            {peakUsage >= limit ? words.peakReached : words.peakNear}{" "}
            {highest === null || highest <= limit ? "" : words.tierAllows(formats.number(highest))}
          </span>
        </p>
      )}
    </>
  );
}
