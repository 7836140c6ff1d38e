import type { Account } from "@budgetkit/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ErrorPanel } from "../../components/notices.js";
import { Section } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { ACCESS_EVENTS, type AccessChange, accessChangeOf } from "./access-change.js";
import styles from "./people.module.css";

const SHOWN = 8;

/** The log is filtered by one type of event at a time. */
const accessEventsQuery = queryOptions({
  queryKey: ["events", "access"],
  queryFn: async ({ signal }) => {
    const pages = await Promise.all(ACCESS_EVENTS.map((event) => api.events.list({ event, limit: SHOWN }, { signal })));
    return pages
      .flatMap(({ data }) => data)
      .sort((one, other) => other.sequence - one.sequence)
      .slice(0, SHOWN);
  },
});

export function AccessChanges({ people }: { readonly people: readonly Account[] }) {
  const words = useWords();
  const { data: entries, error, refetch } = useQuery(accessEventsQuery);
  const changes = entries?.flatMap((entry) => accessChangeOf(entry, people) ?? []);
  return (
    <Section title={words.people.changesTitle} actions={<Link to="/events">{words.people.ledger}</Link>}>
      {changes !== undefined ? (
        changes.length === 0 ? (
          <p className={styles.note}>{words.people.noChanges}</p>
        ) : (
          <ChangeTable changes={changes} />
        )
      ) : error !== null ? (
        <ErrorPanel
          title={words.common.couldNotLoad(words.people.changesTitle)}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows rows={3} />
      )}
    </Section>
  );
}

function ChangeTable({ changes }: { readonly changes: readonly AccessChange[] }) {
  const words = useWords();
  const formats = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section className={table.scroll} tabIndex={0} aria-label={words.people.changesTitle}>
      <table className={`${table.table} ${styles.roles}`}>
        <thead>
          <tr>
            <th scope="col">{words.people.what}</th>
            <th scope="col">{words.people.by}</th>
            <th scope="col" className={table.number}>
              {words.people.when}
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.id}>
              <th scope="row">
                <Sentence change={change} />
              </th>
              <td>{change.by ?? (change.actor === "system" ? words.people.system : change.actor)}</td>
              <td className={table.number}>{formats.dateTime(change.at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Sentence({ change: { event, person, from, to } }: { readonly change: AccessChange }) {
  const words = useWords();
  const roles: Readonly<Record<string, string>> = words.common.roles;
  const [before, after] = words.people.acts[event]({
    from: from === null ? null : (roles[from] ?? from),
    to: to === null ? null : (roles[to] ?? to),
  });
  return (
    <>
      {before}
      <bdi className={table.strong}>{person}</bdi>
      {after}
    </>
  );
}
