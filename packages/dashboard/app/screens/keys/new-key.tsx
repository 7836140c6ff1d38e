import { useQuery } from "@tanstack/react-query";
import { Button } from "../../components/button.js";
import { CodeBlock } from "../../components/code-block.js";
import { Dialog } from "../../components/dialog.js";
import { ShownOnce } from "../../components/shown-once.js";
import { serviceAddressQuery } from "../../queries/ledger.js";
import { useWords } from "../../words/use-words.js";
import { firstCall } from "./first-call.js";

interface Props {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A key that was just made, with a call that can be pasted into a terminal. */
export function NewKey({ title, secret, onClose }: Props) {
  const words = useWords().keys;
  const { data: address } = useQuery(serviceAddressQuery);
  return (
    <Dialog
      title={title}
      width="wide"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {words.stored}
        </Button>
      }
    >
      <ShownOnce label={words.theKey} secret={secret} warning={words.shownOnce} />
      {address !== undefined && (
        <CodeBlock label={words.tryNow} copied={firstCall(address, secret)}>
          {firstCall(address, secret)}
        </CodeBlock>
      )}
    </Dialog>
  );
}
