import { Check } from "lucide-react";
import { Section } from "../../components/page.js";
import table from "../../components/table.module.css";
import { useWords } from "../../words/use-words.js";
import styles from "./people.module.css";

type May = "yes" | "no" | "read" | "members";

/** By owner, admin and member. Source: docs/http.md, Roles and Users. */
const RIGHTS = {
  sell: ["yes", "yes", "yes"],
  catalog: ["yes", "yes", "read"],
  integrate: ["yes", "yes", "read"],
  people: ["yes", "members", "no"],
  owners: ["yes", "no", "no"],
} as const satisfies Record<string, readonly [May, May, May]>;

const ROLES = ["OWNER", "ADMIN", "MEMBER"] as const;
const AREAS = ["sell", "catalog", "integrate", "people", "owners"] as const;

export function RoleTable() {
  const words = useWords();
  return (
    <Section title={words.people.rightsTitle}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <section className={table.scroll} tabIndex={0} aria-label={words.people.rightsTitle}>
        <table className={`${table.table} ${styles.roles}`}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{words.people.area}</span>
              </th>
              {ROLES.map((role) => (
                <th key={role} scope="col">
                  {words.common.roles[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {AREAS.map((area) => (
              <tr key={area}>
                <th scope="row">{words.people.areas[area]}</th>
                {ROLES.map((role, index) => (
                  <td key={role}>
                    <MayCell may={RIGHTS[area][index] ?? "no"} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.note}>{words.people.rightsNote}</p>
    </Section>
  );
}

function MayCell({ may }: { readonly may: May }) {
  const words = useWords();
  if (may === "no") return <span title={words.common.no}>{words.common.none}</span>;
  if (may !== "yes") return <span className={table.quiet}>{words.people.may[may]}</span>;
  return (
    <>
      <Check size={16} aria-hidden="true" />
      <span className="visually-hidden">{words.common.yes}</span>
    </>
  );
}
