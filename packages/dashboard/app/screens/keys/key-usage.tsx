import type { ApiKey } from "@budgetkit/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ErrorPanel } from "../../components/notices.js";
import { Card, Figure, Section, Strip } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { Segmented } from "../../components/tabs.js";
import { useFormats } from "../../formats/use-formats.js";
import { keyUsageQuery } from "../../queries/keys.js";
import { useWords } from "../../words/use-words.js";
import { EndpointTable } from "../usage/endpoint-table.js";
import { UsageChart } from "../usage/usage-chart.js";
import { DEFAULT_PERIOD, USAGE_PERIODS } from "../usage/usage-search.js";
import { KeyAccess } from "./key-access.js";
import { KeyTry } from "./key-try.js";
import styles from "./keys.module.css";
import { LimitGauge } from "./limit-gauge.js";

const route = getRouteApi("/keys/$keyId");

/** What programs do with the key, and what it may do. */
export function KeyUsage({ apiKey }: { readonly apiKey: ApiKey }) {
  const { period = DEFAULT_PERIOD } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    ...keyUsageQuery(apiKey.id, period),
    placeholderData: keepPreviousData,
  });
  const words = useWords();
  const formats = useFormats();
  if (error !== null) {
    const title = words.common.couldNotLoad(words.shell.usage);
    return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows />;
  const { totalRequests, errorRequests, averageResponseTime, rateLimitStats } = data;
  return (
    <>
      <Strip>
        <Figure label={words.keys.requestsIn(words.usage.periods[period])}>{formats.number(totalRequests)}</Figure>
        <Figure label={words.usage.lanes.errors} note={formats.number(errorRequests)}>
          {formats.percent(totalRequests === 0 ? 0 : errorRequests / totalRequests)}
        </Figure>
        <Figure label={words.usage.meanAnswer}>{words.usage.milliseconds(formats.number(averageResponseTime))}</Figure>
        <Figure label={words.keys.refused}>{formats.number(rateLimitStats.rateLimitHits)}</Figure>
      </Strip>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Section
            title={words.usage.byDay}
            actions={
              <Segmented
                label={words.usage.period}
                value={period}
                options={USAGE_PERIODS.map((value) => ({ value, label: words.usage.periods[value] }))}
                onChange={(next) => void navigate({ search: next === DEFAULT_PERIOD ? {} : { period: next } })}
              />
            }
          >
            <UsageChart days={data.dailyUsage} label={words.usage.byDay} />
          </Section>
          <Section title={words.usage.topEndpoints}>
            {totalRequests === 0 ? (
              <p>{words.keys.unusedText}</p>
            ) : (
              <EndpointTable endpoints={data.topEndpoints} total={totalRequests} />
            )}
          </Section>
        </div>
        <div className={styles.side}>
          <Card>
            <LimitGauge stats={rateLimitStats} />
          </Card>
          <Card>
            <KeyAccess apiKey={apiKey} />
          </Card>
          <Card>
            <KeyTry />
          </Card>
        </div>
      </div>
    </>
  );
}
