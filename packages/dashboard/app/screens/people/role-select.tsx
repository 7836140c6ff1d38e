import type { Account } from "@budgetkit/client";
import { useState } from "react";
import { ConfirmDialog } from "../../components/dialog.js";
import { SelectField } from "../../components/inputs.js";
import type { Role } from "../../session/session.js";
import { useWords } from "../../words/use-words.js";
import { useUserChange } from "./use-user-change.js";

interface Props {
  readonly person: Account;
  readonly isOwn: boolean;
  readonly roles: readonly Role[];
}

/** Changes a role at once; the own one, and that of an owner, after a question. */
export function RoleSelect({ person, isOwn, roles }: Props) {
  const words = useWords();
  const [asked, setAsked] = useState<Role | null>(null);
  const change = useUserChange();
  if (roles.length < 2) return words.common.roles[person.role];
  const apply = (role: Role, isUndo = false) => {
    const text = words.people.roleChanged(person.displayName || person.email, words.common.roles[role]);
    const undo = isOwn || isUndo ? {} : { undo: () => apply(person.role, true) };
    change.mutate({ id: person.id, act: { kind: "update", changes: { role } }, toast: { text, ...undo } });
    setAsked(null);
  };
  return (
    <>
      <SelectField
        label={words.people.roleOf(person.displayName || person.email)}
        hideLabel
        value={person.role}
        disabled={change.isPending}
        options={roles.map((role) => ({ value: role, label: words.common.roles[role] }))}
        onChange={(role) => (isOwn || role === "OWNER" || person.role === "OWNER" ? setAsked(role) : apply(role))}
      />
      {asked !== null && (
        <ConfirmDialog
          title={words.people.changeRoleTitle(words.common.roles[asked])}
          text={
            isOwn
              ? words.people.ownRoleText
              : asked === "OWNER"
                ? words.people.makeOwnerText
                : words.people.takeOwnerText
          }
          verb={words.people.changeRole}
          kind="primary"
          onConfirm={() => apply(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
