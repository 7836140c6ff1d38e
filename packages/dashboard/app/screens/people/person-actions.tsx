import type { Account, Invitation } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ban, LogOut, ShieldOff, Trash2, UserRoundCheck } from "lucide-react";
import { useState } from "react";
import { Button, ButtonAnchor } from "../../components/button.js";
import { ConfirmDialog } from "../../components/dialog.js";
import { Menu, type MenuAction } from "../../components/menu.js";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { InvitationDialog } from "./invitation-dialog.js";
import styles from "./people.module.css";
import type { Allowed } from "./person-rules.js";
import { useUserChange } from "./use-user-change.js";

interface Props {
  readonly person: Account;
  readonly isOwn: boolean;
  readonly allowed: Allowed;
}

type Asked = "disable" | "endSessions" | "removeFactor" | "remove";

export function PersonActions({ person, isOwn, allowed }: Props) {
  const words = useWords().people;
  const [asked, setAsked] = useState<Asked | null>(null);
  const change = useUserChange();
  const name = person.displayName || person.email;
  const enable = (text: string) =>
    change.mutate({ id: person.id, act: { kind: "update", changes: { disabled: false } }, toast: { text } });
  const confirm = {
    disable: () =>
      change.mutate({
        id: person.id,
        act: { kind: "update", changes: { disabled: true } },
        toast: { text: words.done.disable(name), undo: () => enable(words.done.enable(name)) },
      }),
    endSessions: () =>
      change.mutate({ id: person.id, act: { kind: "endSessions" }, toast: { text: words.done.endSessions(name) } }),
    removeFactor: () =>
      change.mutate({ id: person.id, act: { kind: "removeFactor" }, toast: { text: words.done.removeFactor(name) } }),
    remove: () => change.mutate({ id: person.id, act: { kind: "remove" }, toast: { text: words.done.remove(name) } }),
  } satisfies Record<Asked, () => void>;
  const item = (shown: boolean, action: MenuAction) => (shown ? [action] : []);
  const groups = [
    [
      ...item(allowed.enable, {
        label: words.enable,
        icon: UserRoundCheck,
        onSelect: () => enable(words.done.enable(name)),
      }),
      ...item(allowed.endSessions, { label: words.endSessions, icon: LogOut, onSelect: () => setAsked("endSessions") }),
      ...item(allowed.removeFactor, {
        label: words.removeFactor,
        icon: ShieldOff,
        onSelect: () => setAsked("removeFactor"),
      }),
    ],
    [
      ...item(allowed.disable, { label: words.disable, icon: Ban, danger: true, onSelect: () => setAsked("disable") }),
      ...item(allowed.remove, { label: words.remove, icon: Trash2, danger: true, onSelect: () => setAsked("remove") }),
    ],
  ];
  const lacksFactor = person.status === "ACTIVE" && !person.hasSecondFactor && !isOwn;
  return (
    <span className={styles.rowActions}>
      {lacksFactor && (
        <ButtonAnchor
          size="small"
          href={`mailto:${encodeURIComponent(person.email)}?subject=${encodeURIComponent(words.askSubject)}`}
        >
          {words.ask}
        </ButtonAnchor>
      )}
      {allowed.resend && <Resend person={person} />}
      <Menu groups={groups} />
      {asked !== null && (
        <ConfirmDialog
          title={words.questions[asked].title(name)}
          text={words.questions[asked].text}
          verb={words[asked]}
          onConfirm={() => {
            confirm[asked]();
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </span>
  );
}

function Resend({ person }: { readonly person: Account }) {
  const words = useWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const resend = useMutation({
    mutationFn: () => api.users.resendInvitation(person.id),
    onSuccess: async (made) => {
      setInvitation(made);
      await queryClient.invalidateQueries({ queryKey: ["events"] });
    },
    onError: (error) => toast({ text: messageOf(error, words.common), isError: true }),
  });
  return (
    <>
      <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
        {words.people.sendAgain}
      </Button>
      {invitation !== null && <InvitationDialog invitation={invitation} onClose={() => setInvitation(null)} />}
    </>
  );
}
