import type { BusinessEvent } from "@budgetkit/client";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronRight } from "lucide-react";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { changedSearch } from "../../shell/changed-search.js";
import { useWords } from "../../words/use-words.js";
import { EventDetails } from "./event-details.js";
import styles from "./events.module.css";
import type { EventsSearch } from "./events-search.js";
import { nameOf } from "./name-of.js";
import { SubjectLink } from "./subject-link.js";

interface Props {
  readonly event: BusinessEvent;
  readonly search: EventsSearch;
}

export function EventRow({ event, search }: Props) {
  const isOpen = search.entry === String(event.sequence);
  const words = useWords().events;
  const formats = useFormats();
  const navigate = useNavigate();
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const detailsId = `entry-${event.sequence}`;
  const { from, to } = event.change;
  const isMoved = from !== null && to !== null && from !== to;
  const toggle = () =>
    void navigate({
      to: "/events",
      search: changedSearch(search, { entry: isOpen ? undefined : String(event.sequence) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <tr>
        <td className={table.number}>{event.sequence}</td>
        <th scope="row">
          <button
            type="button"
            className={styles.open}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={toggle}
          >
            <Icon size={14} aria-hidden="true" />
            <code>{event.event}</code>
          </button>
          {isMoved && <span className={styles.move}>{words.changed(from, to)}</span>}
        </th>
        <td>
          <SubjectLink event={event.event} subjectId={event.subjectId} name={nameOf(event)} />
        </td>
        <td>{event.actor}</td>
        <td className={table.number}>
          <time dateTime={event.timestamp}>{formats.dateTime(event.timestamp)}</time>
        </td>
      </tr>
      {isOpen && (
        <tr id={detailsId}>
          <td colSpan={5} className={styles.details}>
            <EventDetails event={event} />
          </td>
        </tr>
      )}
    </>
  );
}
