import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { ErrorPanel } from "../../components/notices.js";
import { SkeletonRows } from "../../components/skeleton.js";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { keysQuery, keyUsageQuery, type Period } from "../../queries/keys.js";
import { useWords } from "../../words/use-words.js";

const AT_ONCE = 10;

interface Props {
  readonly period: Period;
  readonly total: number;
}

/** The keys that were used last, each with its own figures. */
export function KeyUsageTable({ period, total }: Props) {
  const { data: keys, error, refetch } = useQuery(keysQuery);
  const [shown, setShown] = useState(AT_ONCE);
  const words = useWords();
  const formats = useFormats();
  const used = (keys ?? [])
    .filter(({ lastUsedAt }) => lastUsedAt !== null)
    .sort((a, b) => (b.lastUsedAt ?? "").localeCompare(a.lastUsedAt ?? ""));
  const listed = used.slice(0, shown);
  const usages = useQueries({ queries: listed.map(({ id }) => keyUsageQuery(id, period)) });
  if (error !== null) {
    const title = words.common.couldNotLoad(words.shell.keys);
    return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
  }
  if (keys === undefined) return <SkeletonRows rows={3} />;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <section className={table.scroll} tabIndex={0} aria-label={words.usage.byKey}>
        <table className={`${table.table} ${table.wide}`}>
          <thead>
            <tr>
              <th scope="col">{words.usage.key}</th>
              <th scope="col" className={table.number}>
                {words.usage.lanes.requests}
              </th>
              <th scope="col" className={table.number}>
                {words.usage.share}
              </th>
              <th scope="col" className={table.number}>
                {words.usage.lanes.errors}
              </th>
              <th scope="col" className={table.number}>
                {words.usage.meanAnswer}
              </th>
              <th scope="col" className={table.number}>
                {words.usage.peak}
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ id, name }, index) => {
              const usage = usages[index]?.data;
              const number = (value: number | undefined) =>
                value === undefined ? words.common.none : formats.number(value);
              return (
                <tr key={id}>
                  <th scope="row">
                    <Link to="/keys/$keyId" params={{ keyId: id }}>
                      {name}
                    </Link>
                  </th>
                  <td className={table.number}>{number(usage?.totalRequests)}</td>
                  <td className={table.number}>
                    {usage === undefined ? words.common.none : formats.percent(usage.totalRequests / total)}
                  </td>
                  <td className={table.number}>{number(usage?.errorRequests)}</td>
                  <td className={table.number}>{words.usage.milliseconds(number(usage?.averageResponseTime))}</td>
                  <td className={table.number}>
                    {usage === undefined
                      ? words.common.none
                      : words.usage.of(number(usage.rateLimitStats.peakUsage), number(usage.rateLimitStats.limit))}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {used.length > shown && (
        <p>
          <Button onClick={() => setShown(shown + AT_ONCE)}>{words.common.loadMore}</Button>
        </p>
      )}
    </>
  );
}
