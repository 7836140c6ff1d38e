import { Button } from "../../../components/button.js";
import { messageOf } from "../../../components/notices.js";
import { modKey } from "../../../shell/mod-key.js";
import { useShortcut } from "../../../shell/use-shortcut.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { TEXT_FIELDS } from "./profile.js";
import type { BusinessForm } from "./use-business-form.js";

/** Floats above the foot while something is not saved. */
export function SaveBar({ form }: { readonly form: BusinessForm }) {
  const words = useWords();
  const isDirty = form.changed.length > 0;
  useShortcut("mod+s", isDirty && !form.isSaving ? form.save : null);
  if (!isDirty) return null;
  return (
    <section className={styles.bar} aria-label={words.business.unsaved}>
      <div className={styles.barLine}>
        <p className={styles.barText}>
          <span className={styles.dot} aria-hidden="true" />
          <Changed form={form} />
        </p>
        <Button kind="quiet" onClick={form.discard} disabled={form.isSaving}>
          {words.common.discard}
        </Button>
        <Button
          kind="primary"
          shortcut={`${modKey}S`}
          aria-keyshortcuts="Meta+S Control+S"
          busy={form.isSaving}
          onClick={form.save}
        >
          {words.common.save}
        </Button>
      </div>
      {form.isConflict ? (
        <div className={styles.barError} role="alert">
          <p>{words.business.conflict}</p>
          <Button onClick={() => void form.loadAgain()}>{words.common.reload}</Button>
        </div>
      ) : (
        form.error !== null && (
          <p className={styles.barError} role="alert">
            {messageOf(form.error, words.common)} {words.common.nothingChanged}
          </p>
        )
      )}
    </section>
  );
}

/** Of one changed field, what it was before. */
function Changed({ form: { changed, before } }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const [field, another] = changed;
  if (field === undefined || another !== undefined) return <strong>{words.changes(changed.length)}</strong>;
  const text = TEXT_FIELDS.find((each) => each === field);
  const was = text === undefined ? "" : before[text];
  return (
    <>
      <strong>{words.changed(words.fields[field])}</strong>
      {was !== "" && <span className={styles.was}>{words.was(was)}</span>}
    </>
  );
}
