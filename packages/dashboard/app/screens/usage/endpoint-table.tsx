import "../../components/mono.css";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./endpoint-table.module.css";

interface Props {
  readonly endpoints: readonly { readonly endpoint: string; readonly method: string; readonly count: number }[];
  readonly total: number;
}

/** The most requested routes, with their share of all requests. */
export function EndpointTable({ endpoints, total }: Props) {
  const words = useWords().usage;
  const formats = useFormats();
  const most = endpoints[0]?.count ?? 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section className={table.scroll} tabIndex={0} aria-label={words.topEndpoints}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{words.endpoint}</th>
            <th scope="col" className={styles.wide}>
              <span className="visually-hidden">{words.comparison}</span>
            </th>
            <th scope="col" className={table.number}>
              {words.lanes.requests}
            </th>
            <th scope="col" className={table.number}>
              {words.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {endpoints.map(({ endpoint, method, count }) => (
            <tr key={`${method} ${endpoint}`}>
              <td>
                <code className={table.quiet}>{method}</code> <code>{endpoint}</code>
              </td>
              <td className={styles.wide}>
                <span className={styles.track} aria-hidden="true">
                  <span style={{ width: `${(count / most) * 100}%` }} />
                </span>
              </td>
              <td className={table.number}>{formats.number(count)}</td>
              <td className={table.number}>{formats.percent(total === 0 ? 0 : count / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
