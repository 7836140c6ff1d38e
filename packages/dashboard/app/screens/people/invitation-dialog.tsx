import "../../components/mono.css";
import type { Invitation } from "@budgetkit/client";
import { Button } from "../../components/button.js";
import { CopyButton } from "../../components/copy-button.js";
import { Dialog } from "../../components/dialog.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./people.module.css";

interface Props {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/** The link of an invitation, which the service shows once: without a mailer it is the only way to the person. */
export function InvitationDialog({ invitation, onClose }: Props) {
  const words = useWords();
  const formats = useFormats();
  return (
    <Dialog
      title={words.people.invitedTitle(invitation.user.email)}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {words.people.done.close}
        </Button>
      }
    >
      <p>{words.people.linkText}</p>
      <div className={styles.link}>
        <code data-secret="">{invitation.link}</code>
        <CopyButton text={invitation.link} label={words.people.copyLink} />
      </div>
      <p className={styles.note}>{words.people.linkUntil(formats.dateTime(invitation.expiresAt))}</p>
    </Dialog>
  );
}
