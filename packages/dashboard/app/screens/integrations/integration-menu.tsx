import type { Integration } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Pencil, Power, PowerOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../components/button.js";
import { ConfirmDialog } from "../../components/dialog.js";
import { Menu } from "../../components/menu.js";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { integrationsQuery } from "../../queries/integrations.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";

interface Props {
  readonly integration: Integration;
  readonly onEdit: () => void;
}

/** What an administrator may do with an integration. */
export function IntegrationMenu({ integration: { id, name, status }, onEdit }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [isDeleting, setDeleting] = useState(false);
  const changed = () => void queryClient.invalidateQueries(integrationsQuery);
  const onError = (error: Error) => showToast({ text: messageOf(error, words.common), isError: true });
  const toggle = useMutation({
    mutationFn: (next: Integration["status"]) => api.integrations.update(id, { status: next }),
    onError,
    onSuccess: (saved) => {
      changed();
      const isActive = saved.status === "ACTIVE";
      showToast({
        text: isActive ? words.integrations.turnedOn : words.integrations.turnedOff,
        undo: () => toggle.mutate(isActive ? "INACTIVE" : "ACTIVE"),
      });
    },
  });
  const remove = useMutation({
    mutationFn: () => api.integrations.delete(id),
    onError,
    onSuccess: () => {
      changed();
      setDeleting(false);
      showToast({ text: words.integrations.deleted });
    },
  });
  const isActive = status === "ACTIVE";
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={words.integrations.actionsOf(name)} />}
        groups={[
          [
            { label: words.common.edit, icon: Pencil, onSelect: onEdit },
            {
              label: isActive ? words.integrations.turnOff : words.integrations.turnOn,
              icon: isActive ? PowerOff : Power,
              onSelect: () => toggle.mutate(isActive ? "INACTIVE" : "ACTIVE"),
            },
          ],
          [{ label: words.common.delete, icon: Trash2, danger: true, onSelect: () => setDeleting(true) }],
        ]}
      />
      {isDeleting && (
        <ConfirmDialog
          title={words.integrations.deleteTitle(name)}
          text={words.integrations.deleteText}
          verb={words.common.delete}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
