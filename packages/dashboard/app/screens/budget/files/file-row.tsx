import type { Attachment } from "@budgetkit/client";
import { useMutation } from "@tanstack/react-query";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../../components/button.js";
import { ConfirmDialog } from "../../../components/dialog.js";
import { Switch } from "../../../components/inputs.js";
import { messageOf } from "../../../components/notices.js";
import table from "../../../components/table.module.css";
import { useToast } from "../../../components/toast.js";
import { useFormats } from "../../../formats/use-formats.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { Refusal } from "../actions/refusal.js";
import { useBudgetWrite } from "../actions/use-budget-write.js";
import { saveFile } from "../save-file.js";
import { fileSize } from "./file-size.js";

interface Props {
  readonly budgetId: string;
  readonly file: Attachment;
  readonly mayWrite: boolean;
}

export function FileRow({ budgetId, file, mayWrite }: Props) {
  const { budget, common } = useWords();
  const words = budget.files;
  const formats = useFormats();
  const toast = useToast();
  const [isRemoving, setRemoving] = useState(false);
  const fail = (error: Error) => toast({ text: messageOf(error, common), isError: true });
  const share = useBudgetWrite({
    budgetId,
    write: (isShared: boolean) => api.attachments.share(budgetId, file.id, isShared),
    onDone: ({ shared, fileName }) =>
      toast({ text: shared === true ? words.shared(fileName) : words.unshared(fileName) }),
  });
  const remove = useBudgetWrite({
    budgetId,
    write: () => api.attachments.remove(budgetId, file.id),
    onDone: () => toast({ text: words.removed(file.fileName) }),
  });
  const download = useMutation({
    mutationFn: async () => saveFile(await (await api.attachments.download(budgetId, file.id)).blob(), file.fileName),
    onError: fail,
  });
  const isShared = share.isPending ? share.variables : file.shared === true;
  return (
    <tr>
      <td dir="auto">{file.fileName}</td>
      <td className={table.number}>{fileSize(file.size, formats.locale)}</td>
      <td>{formats.dateTime(file.createdAt)}</td>
      <td>
        {mayWrite ? (
          <Switch
            label={<span className="visually-hidden">{words.shareName(file.fileName)}</span>}
            checked={isShared}
            disabled={share.isPending}
            onChange={(next) => share.mutate(next, { onError: fail })}
          />
        ) : isShared ? (
          common.yes
        ) : (
          common.no
        )}
      </td>
      <td className={table.actions}>
        <IconButton
          icon={Download}
          label={words.download(file.fileName)}
          size="small"
          busy={download.isPending}
          onClick={() => download.mutate()}
        />
        {mayWrite && (
          <IconButton
            icon={Trash2}
            label={words.remove(file.fileName)}
            size="small"
            onClick={() => setRemoving(true)}
          />
        )}
        {isRemoving && (
          <ConfirmDialog
            title={words.removeTitle}
            text={
              <>
                <p dir="auto">{words.removeText(file.fileName)}</p>
                <Refusal error={remove.error} />
              </>
            }
            verb={common.remove}
            busy={remove.isPending}
            onConfirm={() => remove.mutate(undefined)}
            onClose={() => setRemoving(false)}
          />
        )}
      </td>
    </tr>
  );
}
