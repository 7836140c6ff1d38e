import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { fieldErrorOf, remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { SelectField, TextField } from "../../components/inputs.js";
import type { Role } from "../../session/session.js";
import { useSession } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { InvitationDialog } from "./invitation-dialog.js";
import styles from "./people.module.css";
import { rolesOf } from "./person-rules.js";

const FIELDS = ["email", "displayName", "role"];

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const formId = useId();
  const queryClient = useQueryClient();
  const viewer = useSession();
  const [email, setEmail] = useState("");
  const [displayName, setName] = useState("");
  const [role, setRole] = useState<Role>("MEMBER");
  const invite = useMutation({
    mutationFn: () => api.users.invite({ email: email.trim(), displayName: displayName.trim(), role }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["users"] });
      await queryClient.invalidateQueries({ queryKey: ["events"] });
    },
  });
  if (invite.data !== undefined) return <InvitationDialog invitation={invite.data} onClose={onClose} />;
  return (
    <Dialog
      title={words.people.inviteTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={invite.isPending}>
            {words.people.invite}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <TextField
          label={words.people.email}
          type="email"
          required
          autoFocus
          value={email}
          onChange={setEmail}
          error={fieldErrorOf(invite.error, "email")}
        />
        <TextField
          label={words.people.name}
          required
          value={displayName}
          onChange={setName}
          error={fieldErrorOf(invite.error, "displayName")}
        />
        <SelectField
          label={words.people.role}
          value={role}
          options={rolesOf(viewer).map((each) => ({ value: each, label: words.common.roles[each] }))}
          onChange={setRole}
          hint={words.people.roleHints[role]}
          error={fieldErrorOf(invite.error, "role")}
        />
        <FormError error={remainingError(invite.error, FIELDS)} />
      </form>
    </Dialog>
  );
}
