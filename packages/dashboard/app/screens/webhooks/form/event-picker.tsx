import { Checkbox } from "../../../components/inputs.js";
import { Segmented } from "../../../components/tabs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../webhooks.module.css";
import { covers, EVENT_GROUPS, type EventPattern, withEvent, withGroup } from "./event-patterns.js";

interface Props {
  readonly events: readonly EventPattern[] | null;
  readonly onChange: (events: readonly EventPattern[] | null) => void;
  readonly error: string | null;
}

/** Every event, or those that are chosen: whole groups, or single ones. */
export function EventPicker({ events, onChange, error }: Props) {
  const words = useWords().webhooks;
  return (
    <div className={styles.events}>
      <Segmented
        label={words.events}
        value={events === null ? "every" : "chosen"}
        options={[
          { value: "every", label: words.everyEvent },
          { value: "chosen", label: words.chosenEvents },
        ]}
        onChange={(next) => onChange(next === "every" ? null : ["budget.*"])}
      />
      {events !== null && (
        <div className={styles.groups}>
          {EVENT_GROUPS.map((group) => (
            <fieldset key={group.kind} className={styles.group}>
              <legend className="visually-hidden">{words.kinds[group.kind]}</legend>
              <Checkbox
                label={words.kinds[group.kind]}
                hint={<code>{group.all}</code>}
                checked={events.includes(group.all)}
                onChange={(isChosen) => onChange(withGroup(events, group, isChosen))}
              />
              {group.events.map((event) => (
                <Checkbox
                  key={event}
                  label={<code>{event}</code>}
                  checked={covers(events, event)}
                  onChange={(isChosen) => onChange(withEvent(events, group, event, isChosen))}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {error !== null && (
        <p role="alert" className={styles.wrong}>
          {error}
        </p>
      )}
    </div>
  );
}
