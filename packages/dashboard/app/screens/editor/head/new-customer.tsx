import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import type { EditedCustomer } from "../document/edited-budget.js";

interface Props {
  readonly name: string;
  readonly onCreate: (customer: EditedCustomer) => void;
  readonly onClose: () => void;
}

/** A new customer, made in the same call as the budget: nothing is left behind if the budget is not saved. */
export function NewCustomer({ name, onCreate, onClose }: Props) {
  const words = useWords();
  const texts = words.editor.newCustomerDialog;
  const [draft, setDraft] = useState<EditedCustomer>({ id: null, name, email: "", phone: "" });
  const [isTried, setTried] = useState(false);
  const isEmail = draft.email === "" || /^[^\s@]+@[^\s@]+$/.test(draft.email);
  const set = (changes: Partial<EditedCustomer>) => setDraft({ ...draft, ...changes });
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="new-customer">
            {texts.create}
          </Button>
        </>
      }
    >
      <form
        id="new-customer"
        style={{ display: "grid", gap: 16 }}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (draft.name.trim() !== "" && isEmail) onCreate({ ...draft, name: draft.name.trim() });
        }}
      >
        <TextField
          label={texts.name}
          autoFocus={name === ""}
          value={draft.name}
          maxLength={255}
          error={isTried && draft.name.trim() === "" ? words.editor.reasons.required : null}
          onChange={(value) => set({ name: value })}
        />
        <TextField
          label={texts.email}
          autoFocus={name !== ""}
          type="email"
          hint={texts.emailHint}
          value={draft.email}
          maxLength={254}
          error={isTried && !isEmail ? words.editor.reasons.notAnEmail : null}
          onChange={(value) => set({ email: value.trim() })}
        />
        <TextField
          label={texts.phone}
          type="tel"
          value={draft.phone}
          maxLength={50}
          onChange={(phone) => set({ phone })}
        />
      </form>
    </Dialog>
  );
}
