import { BudgetkitError } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fieldErrorOf } from "../../../components/field-errors.js";
import { useToast } from "../../../components/toast.js";
import { type Business, businessQuery, type UpdateBusiness } from "../../../queries/business.js";
import { useMay } from "../../../session/use-session.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { changedFields, changesOf, type Edits, type Profile, type ProfileField, profileOf } from "./profile.js";

/** Edits on top of the business that the person saw when they began. */
interface Draft {
  readonly base: Business;
  readonly edits: Edits;
}

export interface BusinessForm {
  readonly base: Business;
  /** As it is saved. */
  readonly before: Profile;
  /** With the edits. */
  readonly profile: Profile;
  readonly changed: readonly ProfileField[];
  readonly changes: UpdateBusiness;
  readonly isReadOnly: boolean;
  readonly isSaving: boolean;
  readonly error: Error | null;
  /** Another person saved the business since the edits began. */
  readonly isConflict: boolean;
  readonly set: <F extends ProfileField>(field: F, value: Profile[F]) => void;
  readonly errorOf: (field: ProfileField) => string | null;
  readonly save: () => void;
  readonly discard: () => void;
  /** Puts the edits on the newest version. */
  readonly loadAgain: () => Promise<void>;
  /** After a write of its own, such as that of the logo. */
  readonly adopt: (next: Business) => void;
}

/** One state for all tabs; nothing is saved before the person says so. */
export function useBusinessForm(latest: Business): BusinessForm {
  const words = useWords().business;
  const toast = useToast();
  const queryClient = useQueryClient();
  const isReadOnly = !useMay()("administer");
  const [draft, setDraft] = useState<Draft | null>(null);
  const { base, edits } = draft ?? { base: latest, edits: {} };
  const before = profileOf(base);
  const changes = changesOf(before, edits);
  const save = useMutation({
    mutationFn: (sent: { readonly edits: Edits; readonly changes: UpdateBusiness }) =>
      api.business.update(sent.changes, { ifMatch: base.version }),
    onSuccess: (next, sent) => {
      queryClient.setQueryData(businessQuery.queryKey, next);
      setDraft((now) => (now === null ? null : draftAfter(now.edits, sent.edits, next)));
      toast({ text: words.saved });
    },
  });
  return {
    base,
    before,
    profile: { ...before, ...edits },
    changed: changedFields(before, edits),
    changes,
    isReadOnly,
    isSaving: save.isPending,
    error: save.error,
    isConflict: save.error instanceof BudgetkitError && save.error.status === 412,
    set: (field, value) => setDraft((now) => ({ base: now?.base ?? latest, edits: { ...now?.edits, [field]: value } })),
    errorOf: (field) => fieldErrorOf(save.error, field),
    save: () => save.mutate({ edits, changes }),
    discard: () => {
      save.reset();
      setDraft(null);
    },
    loadAgain: async () => {
      const newest = await queryClient.fetchQuery({ ...businessQuery, staleTime: 0 });
      const theirs = changedFields(before, profileOf(newest));
      save.reset();
      setDraft((now) => (now === null ? null : { ...now, base: newest }));
      toast({ text: words.loadedAgain(theirs.map((field) => words.fields[field]).join(", ")) });
    },
    adopt: (next) => {
      queryClient.setQueryData(businessQuery.queryKey, next);
      setDraft((now) => (now === null || next.version !== now.base.version + 1 ? now : { ...now, base: next }));
    },
  };
}

/** What was typed while the save was under way stays to be saved. */
function draftAfter(edits: Edits, sent: Edits, base: Business): Draft | null {
  const before = profileOf(base);
  const left = changedFields(before, edits).filter((field) => edits[field] !== sent[field]);
  return left.length === 0 ? null : { base, edits: Object.fromEntries(left.map((field) => [field, edits[field]])) };
}
