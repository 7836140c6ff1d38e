import type { Budget, RevisionEntry } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import { SelectField } from "../../../components/inputs.js";
import { Money } from "../../../components/money.js";
import { EmptyState } from "../../../components/notices.js";
import { Card, Section } from "../../../components/page.js";
import table from "../../../components/table.module.css";
import { useFormats } from "../../../formats/use-formats.js";
import { budgetRevisionsQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { loadedOf } from "../loaded-pages.js";
import { ScrollBox } from "../scroll-box.js";
import { TabState } from "../tab-state.js";
import { useActorName } from "../use-actor-name.js";
import { DifferenceLoader } from "./difference-loader.js";
import styles from "./versions.module.css";

interface Props {
  readonly budget: Budget;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** All versions, and what any two of them differ in. */
export function VersionsTab({ budget, from, to }: Props) {
  const words = useWords().budget.versions;
  const navigate = useNavigate();
  const query = useInfiniteQuery(budgetRevisionsQuery(budget.id));
  const { entries } = loadedOf(query);
  if (budget.revision === 1) return <EmptyState icon={Layers} title={words.one} text={words.oneText} />;
  const newer = clamped(to ?? budget.revision, 2, budget.revision);
  const older = clamped(from ?? newer - 1, 1, newer - 1);
  const compare = (next: { from: number; to: number }) =>
    void navigate({
      to: "/budgets/$budgetId",
      params: { budgetId: budget.id },
      search: { tab: "versions", ...next },
      replace: true,
      resetScroll: false,
    });
  const optionsOf = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => String(last - index)).map((value) => ({
      value,
      label: value,
    }));
  return (
    <>
      <Section
        title={words.against(newer, older)}
        actions={
          <div className={styles.pickers}>
            <SelectField
              label={words.from}
              value={String(older)}
              options={optionsOf(1, budget.revision - 1)}
              onChange={(value) => compare({ from: Number(value), to: Math.max(newer, Number(value) + 1) })}
            />
            <SelectField
              label={words.to}
              value={String(newer)}
              options={optionsOf(2, budget.revision)}
              onChange={(value) => compare({ from: Math.min(older, Number(value) - 1), to: Number(value) })}
            />
          </div>
        }
      >
        <Card>
          <DifferenceLoader key={`${older} ${newer}`} budget={budget} from={older} to={newer} />
        </Card>
      </Section>
      <Section title={words.list}>
        <TabState query={query} what={words.what}>
          <ScrollBox label={words.list}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{words.version}</th>
                  <th scope="col">{words.changed}</th>
                  <th scope="col">{words.by}</th>
                  <th scope="col">{words.when}</th>
                  <th scope="col" className={table.number}>
                    {words.total}
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <RevisionRow key={entry.revision} budgetId={budget.id} entry={entry} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </TabState>
      </Section>
    </>
  );
}

interface RowProps {
  readonly budgetId: string;
  readonly entry: RevisionEntry;
}

function RevisionRow({ budgetId, entry }: RowProps) {
  const { versions: words, activity } = useWords().budget;
  const formats = useFormats();
  const nameOf = useActorName();
  const { revision, changes, revisedBy, revisedAt, total, currency } = entry;
  return (
    <tr>
      <th scope="row">
        {revision === 1 ? (
          revision
        ) : (
          <Link
            to="/budgets/$budgetId"
            params={{ budgetId }}
            search={{ tab: "versions", from: revision - 1, to: revision }}
            aria-label={words.compare(revision)}
            resetScroll={false}
          >
            {revision}
          </Link>
        )}
      </th>
      <td>{changes.map((field) => activity.fields[field] ?? field).join(", ")}</td>
      <td>{nameOf(revisedBy)}</td>
      <td>{formats.dateTime(revisedAt)}</td>
      <td className={table.number}>
        <Money amount={total} currency={currency} />
      </td>
    </tr>
  );
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
