import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChartNoAxesColumn } from "lucide-react";
import { ButtonLink } from "../../components/button.js";
import { EmptyState, ErrorPanel, NoRight } from "../../components/notices.js";
import { Figure, Page, Section, Strip } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { Segmented } from "../../components/tabs.js";
import { useFormats } from "../../formats/use-formats.js";
import { figuresOf } from "../../queries/figures.js";
import { useMay } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import { EndpointTable } from "./endpoint-table.js";
import { KeyUsageTable } from "./key-usage-table.js";
import { UsageChart } from "./usage-chart.js";
import { DEFAULT_PERIOD, USAGE_PERIODS } from "./usage-search.js";

const route = getRouteApi("/usage");

/** What all keys of the business ask for. */
export function UsageScreen() {
  const { period = DEFAULT_PERIOD } = route.useSearch();
  const navigate = route.useNavigate();
  const words = useWords();
  const may = useMay();
  const mayRead = may("READ_BUDGETS");
  return (
    <Page
      title={words.shell.usage}
      actions={
        <Segmented
          label={words.usage.period}
          value={period}
          options={USAGE_PERIODS.map((value) => ({ value, label: words.usage.periods[value] }))}
          onChange={(next) => void navigate({ search: next === DEFAULT_PERIOD ? {} : { period: next } })}
        />
      }
    >
      {mayRead ? <Usage period={period} /> : <NoRight right={words.common.scope("READ_BUDGETS")} />}
    </Page>
  );
}

function Usage({ period }: { readonly period: (typeof USAGE_PERIODS)[number] }) {
  const { data, error, refetch } = useQuery(figuresOf(period));
  const words = useWords();
  const formats = useFormats();
  if (error !== null) {
    const title = words.common.couldNotLoad(words.shell.usage);
    return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows />;
  const { total, errors, averageResponseTime } = data.requests;
  if (total === 0) return <NoUsage />;
  return (
    <>
      <Strip>
        <Figure label={words.usage.lanes.requests}>{formats.number(total)}</Figure>
        <Figure label={words.usage.success}>{formats.percent((total - errors) / total)}</Figure>
        <Figure label={words.usage.lanes.errors} note={formats.percent(errors / total)}>
          {formats.number(errors)}
        </Figure>
        <Figure label={words.usage.meanAnswer}>{words.usage.milliseconds(formats.number(averageResponseTime))}</Figure>
      </Strip>
      <Section title={words.usage.byDay}>
        <UsageChart days={data.dailyUsage} label={words.usage.byDay} />
      </Section>
      <Section title={words.usage.byKey}>
        <KeyUsageTable period={period} total={total} />
      </Section>
      <Section title={words.usage.topEndpoints}>
        <EndpointTable endpoints={data.topEndpoints} total={total} />
      </Section>
    </>
  );
}

function NoUsage() {
  const words = useWords().usage;
  const may = useMay();
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title={words.emptyTitle}
      text={words.emptyText}
      action={
        may("administer") ? (
          <ButtonLink to="/keys" kind="primary">
            {words.toKeys}
          </ButtonLink>
        ) : (
          <Link to="/reference">{words.toReference}</Link>
        )
      }
    />
  );
}
