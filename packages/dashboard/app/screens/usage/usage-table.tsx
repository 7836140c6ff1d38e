import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import type { UsageDay } from "./usage-chart.js";

/** The chart as a table, for screen readers. */
export function UsageTable({ days, label }: { readonly days: readonly UsageDay[]; readonly label: string }) {
  const words = useWords().usage;
  const formats = useFormats();
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{words.date}</th>
            <th scope="col">{words.lanes.requests}</th>
            <th scope="col">{words.lanes.errors}</th>
            <th scope="col">{words.lanes.latency}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, requests, errors, averageResponseTime }) => (
            <tr key={date}>
              <th scope="row">{formats.date(`${date}T12:00:00Z`)}</th>
              <td>{formats.number(requests)}</td>
              <td>{formats.number(errors)}</td>
              <td>{words.milliseconds(formats.number(averageResponseTime))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
