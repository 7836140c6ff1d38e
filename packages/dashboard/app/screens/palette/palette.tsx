import { Dialog } from "../../components/dialog.js";
import { useWords } from "../../words/use-words.js";

/** Finds, and offers the actions of what it found. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useWords().shell;
  return (
    <Dialog title={words.find} onClose={onClose}>
      {null}
    </Dialog>
  );
}
