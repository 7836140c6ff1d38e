import type { ApiKey } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ban, RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { ConfirmDialog } from "../../components/dialog.js";
import { Menu } from "../../components/menu.js";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { keyQuery } from "../../queries/keys.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { EditKeyDialog } from "./edit-key-dialog.js";
import type { KeyState } from "./key-state.js";
import { RotateKeyDialog } from "./rotate-key-dialog.js";

interface Props {
  readonly apiKey: ApiKey;
  readonly state: KeyState;
}

type Open = "edit" | "rotate" | "revoke" | null;

/** What an administrator may do with a key. A revoked one stays as it is. */
export function KeyActions({ apiKey: key, state }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [open, setOpen] = useState<Open>(null);
  const onError = (error: Error) => showToast({ text: messageOf(error, words.common), isError: true });
  const changed = () => queryClient.invalidateQueries({ queryKey: ["keys"] });
  const suspend = useMutation({
    mutationFn: (status: "ACTIVE" | "SUSPENDED") => api.keys.update(key.id, { status }),
    onError,
    onSuccess: (saved) => {
      queryClient.setQueryData(keyQuery(key.id).queryKey, saved);
      void changed();
      const isSuspended = saved.status === "SUSPENDED";
      showToast({
        text: isSuspended ? words.keys.suspended : words.keys.resumed,
        undo: () => suspend.mutate(isSuspended ? "ACTIVE" : "SUSPENDED"),
      });
    },
  });
  const revoke = useMutation({
    mutationFn: () => api.keys.revoke(key.id),
    onError,
    onSuccess: () => {
      void changed();
      setOpen(null);
      showToast({ text: words.keys.revoked });
    },
  });
  const close = () => setOpen(null);
  if (state === "REVOKED") return null;
  const isSuspended = key.status === "SUSPENDED";
  return (
    <>
      <Button busy={suspend.isPending} onClick={() => suspend.mutate(isSuspended ? "ACTIVE" : "SUSPENDED")}>
        {isSuspended ? words.keys.resume : words.keys.suspend}
      </Button>
      <Button icon={RotateCw} onClick={() => setOpen("rotate")}>
        {words.keys.rotateEllipsis}
      </Button>
      <Menu
        groups={[[{ label: words.keys.revokeEllipsis, icon: Ban, danger: true, onSelect: () => setOpen("revoke") }]]}
      />
      <Button kind="primary" onClick={() => setOpen("edit")}>
        {words.common.edit}
      </Button>
      {open === "edit" && <EditKeyDialog apiKey={key} onClose={close} />}
      {open === "rotate" && <RotateKeyDialog apiKey={key} onClose={close} />}
      {open === "revoke" && (
        <ConfirmDialog
          title={words.keys.revokeTitle(key.name)}
          text={words.keys.revokeText}
          verb={words.keys.revoke}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}
