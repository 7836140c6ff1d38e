import type { UpdateUser } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { sessionQuery } from "../../session/session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";

type Act =
  | { readonly kind: "update"; readonly changes: UpdateUser }
  | { readonly kind: "endSessions" }
  | { readonly kind: "removeFactor" }
  | { readonly kind: "remove" };

interface Change {
  readonly id: number;
  readonly act: Act;
  readonly toast: { readonly text: string; readonly undo?: () => void };
}

/** Changes a person, shows what was done and reads again what it changed. */
export function useUserChange() {
  const toast = useToast();
  const words = useWords().common;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act }: Change): Promise<unknown> => send(id, act),
    onSuccess: async (_, { toast: done }) => {
      toast(done);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["users"] }),
        queryClient.invalidateQueries({ queryKey: ["events"] }),
        queryClient.invalidateQueries(sessionQuery),
      ]);
    },
    onError: (error) => {
      toast({ text: messageOf(error, words), isError: true });
      void queryClient.invalidateQueries({ queryKey: ["users"] });
    },
  });
}

function send(id: number, act: Act): Promise<unknown> {
  switch (act.kind) {
    case "update":
      return api.users.update(id, act.changes);
    case "endSessions":
      return api.users.endSessions(id);
    case "removeFactor":
      return api.users.removeSecondFactor(id);
    case "remove":
      return api.users.remove(id);
  }
}
