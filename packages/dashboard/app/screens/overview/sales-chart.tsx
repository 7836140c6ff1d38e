import type { Sales } from "@budgetkit/client";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Bar, BarChart, BarLegend, type BarSeries } from "../../components/bar-chart.js";
import { Section } from "../../components/page.js";
import { Segmented } from "../../components/tabs.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./overview.module.css";
import type { OverviewSearch } from "./overview-search.js";

interface Props {
  readonly sales: Sales;
  readonly currencies: readonly string[];
  readonly search: OverviewSearch;
}

/** The value of what was sent, by week and by what became of it, in one currency. */
export function SalesChart({ sales, currencies, search }: Props) {
  const words = useWords().overview;
  const formats = useFormats();
  const navigate = useNavigate();
  const currency = currencies.find((each) => each === search.currency) ?? currencies[0] ?? "";
  const series: readonly BarSeries[] = [
    { name: words.seriesWon, fill: "solid" },
    { name: words.seriesWaiting, fill: "hatched" },
    { name: words.seriesLost, fill: "outline" },
  ];
  const compact = useMemo(
    () => new Intl.NumberFormat(formats.locale, { notation: "compact", maximumFractionDigits: 1 }),
    [formats],
  );
  const bars = useMemo(() => {
    const day = new Intl.DateTimeFormat(formats.locale, { day: "numeric", month: "short", timeZone: "UTC" });
    const long = new Intl.DateTimeFormat(formats.locale, { day: "numeric", month: "long", timeZone: "UTC" });
    return sales.weeks.map(({ week, byCurrency }): Bar => {
      const monday = new Date(`${week.slice(0, 10)}T00:00:00Z`); // a day of the calendar, in whatever zone
      const sums = byCurrency[currency];
      return {
        key: week,
        label: day.format(monday),
        title: words.weekOf(long.format(monday)),
        values: [sums?.won.value ?? 0, sums?.waiting.value ?? 0, sums?.lost.value ?? 0],
        total: words.sent(sums?.sent.count ?? 0),
      };
    });
  }, [sales, currency, formats, words]);
  return (
    <Section
      title={words.chart}
      actions={
        <>
          <BarLegend series={series} />
          {currencies.length > 1 && (
            <Segmented
              label={words.currency}
              value={currency}
              options={currencies.map((value) => ({ value, label: value }))}
              onChange={(next) =>
                void navigate({ to: "/", search: (prev) => ({ ...prev, currency: next }), replace: true })
              }
            />
          )}
        </>
      }
    >
      <div className={styles.chart}>
        <BarChart
          label={`${words.chart}, ${currency}`}
          period={words.week}
          series={series}
          bars={bars}
          format={(value) => (currency === "" ? formats.number(value) : formats.moneyText(value, currency))}
          formatAxis={(value) => compact.format(value)}
        />
      </div>
    </Section>
  );
}
