import type { Account } from "@budgetkit/client";
import { Mail, ShieldCheck, TriangleAlert } from "lucide-react";
import { Avatar } from "../../components/avatar.js";
import { StatusChip, Tag } from "../../components/chip.js";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { useSession } from "../../session/use-session.js";
import { useWords } from "../../words/use-words.js";
import styles from "./people.module.css";
import { PersonActions } from "./person-actions.js";
import { type Allowed, allowedOf } from "./person-rules.js";
import { RoleSelect } from "./role-select.js";

interface Props {
  readonly shown: readonly Account[];
  /** All of the business: the rules look at the others. */
  readonly people: readonly Account[];
}

export function PeopleTable({ shown, people }: Props) {
  const words = useWords();
  const viewer = useSession();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section className={table.scroll} tabIndex={0} aria-label={words.shell.people}>
      <table className={`${table.table} ${styles.people}`}>
        <thead>
          <tr>
            <th scope="col">{words.people.person}</th>
            <th scope="col">{words.people.role}</th>
            <th scope="col">{words.people.factor}</th>
            <th scope="col">{words.people.lastSeen}</th>
            <th scope="col">{words.people.state}</th>
            <th scope="col">
              <span className="visually-hidden">{words.common.more}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              isOwn={String(person.id) === viewer.userId}
              allowed={allowedOf(viewer, person, people)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  readonly person: Account;
  readonly isOwn: boolean;
  readonly allowed: Allowed;
}

const TONES = { ACTIVE: "good", INVITED: "warn", DISABLED: "quiet" } as const;

function PersonRow({ person, isOwn, allowed }: RowProps) {
  const words = useWords();
  const name = person.displayName || person.email;
  return (
    <tr className={person.status === "DISABLED" ? table.quiet : undefined}>
      <th scope="row">
        <span className={styles.person}>
          {person.status === "INVITED" ? <InvitedMark /> : <Avatar name={name} />}
          <span>
            <span className={table.strong}>{name}</span> {isOwn && <Tag>{words.common.you}</Tag>}
            <span className={styles.second}>
              {person.status === "INVITED" ? `${person.email} · ${words.people.notJoined}` : person.email}
            </span>
          </span>
        </span>
      </th>
      <td>
        <RoleSelect person={person} isOwn={isOwn} roles={allowed.roles} />
      </td>
      <td>
        <Factor person={person} />
      </td>
      <td>
        <LastSeen person={person} />
      </td>
      <td>
        <StatusChip tone={TONES[person.status]}>{words.people.states[person.status]}</StatusChip>
      </td>
      <td className={table.actions}>
        <PersonActions person={person} isOwn={isOwn} allowed={allowed} />
      </td>
    </tr>
  );
}

function InvitedMark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      <Mail size={14} strokeWidth={1.75} />
    </span>
  );
}

function Factor({ person }: { readonly person: Account }) {
  const words = useWords();
  if (person.status !== "ACTIVE") return words.common.none;
  return person.hasSecondFactor ? (
    <span className={styles.factor}>
      <ShieldCheck size={14} aria-hidden="true" /> {words.people.on}
    </span>
  ) : (
    <span className={`${styles.factor} ${styles.missing}`}>
      <TriangleAlert size={14} aria-hidden="true" /> {words.people.off}
    </span>
  );
}

function LastSeen({ person }: { readonly person: Account }) {
  const words = useWords();
  const formats = useFormats();
  const { lastLoginAt, openSessions, status, createdAt } = person;
  if (status === "INVITED") return words.people.invitedAt(formats.date(createdAt));
  return (
    <>
      {lastLoginAt === null ? (
        words.people.never
      ) : (
        <span title={formats.dateTime(lastLoginAt)}>{formats.ago(lastLoginAt, Date.now())}</span>
      )}
      {openSessions > 0 && <span className={styles.second}>{words.people.sessions(openSessions)}</span>}
    </>
  );
}
