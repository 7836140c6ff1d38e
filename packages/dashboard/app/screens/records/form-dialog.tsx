import { type ReactNode, useId } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { useWords } from "../../words/use-words.js";
import { ConflictNotice } from "./conflict-notice.js";
import styles from "./records.module.css";

interface Props {
  readonly title: string;
  readonly verb: string;
  /** False: the fields can be read alone. */
  readonly mayWrite?: boolean;
  readonly isSaving: boolean;
  /** Why it was not saved. */
  readonly error: Error | null;
  /** The part of it that no field shows. */
  readonly formError: Error | null;
  readonly onReload: () => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The dialog around the fields of a record. */
export function FormDialog(props: Props) {
  const { title, verb, mayWrite = true, isSaving, error, formError, onReload, onSubmit, onClose, children } = props;
  const words = useWords().common;
  const formId = useId();
  return (
    <Dialog
      title={title}
      width="wide"
      onClose={onClose}
      actions={
        mayWrite ? (
          <>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button kind="primary" type="submit" form={formId} busy={isSaving}>
              {verb}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{words.close}</Button>
        )
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <fieldset className={styles.form} disabled={!mayWrite}>
          <ConflictNotice error={error} onReload={onReload} />
          <FormError error={formError} />
          {children}
        </fieldset>
      </form>
    </Dialog>
  );
}
